using System.Globalization;

namespace Raven.Tools.Stress.Cluster;

/// <summary>
/// How far a range of seeds is, and what was found in it. In a file it is one line of numbers, and behind it a line for
/// each seed that broke a promise.
/// </summary>
internal sealed class SeedProgress
{
    private const int WriteEvery = 25;

    private readonly int _from;
    private readonly int _count;
    private readonly string? _file;
    private readonly List<string> _broken = [];
    private long _writes;
    private long _reads;
    private long _takeovers;
    private long _promotions;
    private long _losses;
    private int _sinceWritten;

    /// <summary>Nothing of a range is run yet.</summary>
    /// <param name="from">The first seed.</param>
    /// <param name="count">How many there are.</param>
    /// <param name="file">The file; null: it is kept nowhere.</param>
    internal SeedProgress(int from, int count, string? file)
    {
        _from = from;
        _count = count;
        _file = file;
        Next = from;
    }

    /// <summary>The next seed to run.</summary>
    internal int Next { get; private set; }

    internal int End => _from + _count;

    internal int Broken => _broken.Count;

    /// <summary>Reads what an earlier call left.</summary>
    /// <returns>False if the file is of another range, or is none of these.</returns>
    internal bool TryRead(out string? problem)
    {
        problem = null;
        if (_file is null || !File.Exists(_file))
        {
            return true;
        }

        string[] lines = File.ReadAllLines(_file);
        string[] words = lines is [{ } first, ..] ? first.Split(' ') : [];
        long[] numbers = [.. words.Select(
            word => long.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out long number)
                ? number
                : -1)];
        if (numbers is not [var start, var size, var next, _, _, _, _, _] || numbers.Contains(-1)
            || start != _from || size != _count || next < _from || next > End)
        {
            problem = $"{_file} does not say how far {_count} seeds from {_from} are: give another file, or remove it.";
            return false;
        }

        Next = (int)next;
        (_writes, _reads, _takeovers, _promotions, _losses) =
            (numbers[3], numbers[4], numbers[5], numbers[6], numbers[7]);
        _broken.AddRange(lines.Skip(1));
        return true;
    }

    /// <summary>A seed has broken nothing.</summary>
    internal void Note(SimulationCheck run)
    {
        _writes += run.Writes;
        _reads += run.Reads;
        _takeovers += run.Takeovers;
        _promotions += run.Histories - 1;
        _losses += run.Losses;
        Advance();
    }

    /// <summary>A seed has broken a promise.</summary>
    internal void NoteBroken(string line)
    {
        _broken.Add(line.ReplaceLineEndings(" "));
        Advance();
    }

    /// <summary>Writes the file, whole or not at all.</summary>
    internal void Write()
    {
        _sinceWritten = 0;
        if (_file is not null)
        {
            string[] lines =
            [
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{_from} {_count} {Next} {_writes} {_reads} {_takeovers} {_promotions} {_losses}"),
                .. _broken,
            ];
            File.WriteAllLines(_file + ".new", lines);
            File.Move(_file + ".new", _file, overwrite: true);
        }
    }

    /// <inheritdoc/>
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"{Next - _from} of {_count} runs from seed {_from}: {_writes} writes acknowledged, {_reads} reads, "
        + $"{_takeovers} takeovers, {_promotions} promotions with loss, {_losses} lost disks, {Broken} BROKEN");

    private void Advance()
    {
        Next++;
        if (++_sinceWritten == WriteEvery)
        {
            Write();
        }
    }
}
