using System.Collections.Immutable;
using Raven.Storage.Backup;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Shared.Storage.Structures;

namespace Shared.Storage;

/// <summary>
/// A random history on a simulated disk, with flushes, restarts, power cuts and a clock that is set back, whose journal
/// is archived beside copies of its pages; then restores to random times, each of which must be what the model was
/// then. A function of its seed.
/// </summary>
internal sealed class PointInTimeRun : IDisposable
{
    private readonly Random _random;
    private readonly ManualClock _clock = new();
    private readonly ManualScheduler _scheduler = new();
    private readonly StorageHooks _hooks = new();
    private readonly List<(long Id, DateTime At, ImmutableSortedDictionary<string, byte[]> State)> _history = [];
    private readonly List<(long Id, DateTime At, List<byte[]> Copies)> _bases = [];
    private SimulatedFileSystem _disk = new();
    private DiskImage _start = new();
    private Dictionary<string, int> _numbers = [];
    private StorageEnvironment _environment;
    private ImmutableSortedDictionary<string, byte[]> _state = CrashWorkload.Empty;
    private long _archived;

    private PointInTimeRun(int seed)
    {
        _random = new Random(seed);
        _environment = Open(_disk);
    }

    /// <summary>The pieces of the archive, in their order.</summary>
    internal List<(JournalPiece Piece, byte[] Bytes)> Pieces { get; } = [];

    /// <summary>The copies of the first base.</summary>
    internal IReadOnlyList<byte[]> FirstCopies => _bases[0].Copies;

    /// <summary>When the last transaction was committed.</summary>
    internal DateTime End => _history[^1].At;

    /// <summary>Plays a history.</summary>
    /// <param name="seed">Decides all of it.</param>
    /// <param name="steps">How many things happen.</param>
    internal static async Task<PointInTimeRun> PlayAsync(int seed, int steps)
    {
        var run = new PointInTimeRun(seed);
        try
        {
            run.Commit();
            if (run._random.Next(2) == 0)
            {
                run._environment.Flush();
            }

            new JournalArchive(run._environment).TurnOn();
            await run.CopyPagesAsync(isFirst: true);
            for (int i = 0; i < steps; i++)
            {
                await run.StepAsync();
            }

            await run.ArchiveAsync();
            return run;
        }
        catch
        {
            run.Dispose();
            throw;
        }
    }

    /// <summary>Restores to random times, and compares with the model.</summary>
    /// <param name="times">How many.</param>
    /// <returns>What differs; null if nothing does.</returns>
    internal async Task<string?> CheckAsync(int times)
    {
        for (int i = 0; i < times; i++)
        {
            long first = _bases[0].At.Ticks;
            long ticks = _random.Next(3) == 0
                ? Math.Max(first, _history[_random.Next(_history.Count)].At.Ticks + _random.Next(-1, 2))
                : first + _random.NextInt64(End.Ticks - first + 1);
            var time = new DateTime(ticks, DateTimeKind.Utc);
            int from = _random.Next(_bases.FindLastIndex(one => one.At <= time) + 1);
            if (await CompareAsync(from, time) is { } difference)
            {
                return $"At {time:O}, from base {from}: {difference}";
            }
        }

        return null;
    }

    /// <summary>Restores a base with pieces behind it.</summary>
    internal static async Task<SimulatedFileSystem> RestoreAsync(
        IEnumerable<byte[]> copies, IEnumerable<byte[]> pieces, DateTime until)
    {
        var target = new SimulatedFileSystem();
        try
        {
            using var restore = new PageRestore(target, 0x1234);
            foreach (byte[] copy in copies)
            {
                await restore.AddAsync("copy", new MemoryStream(copy), CancellationToken.None);
            }

            int number = 0;
            foreach (byte[] piece in pieces)
            {
                await restore.ReplayAsync($"piece {number++}", new MemoryStream(piece), until, CancellationToken.None);
            }

            restore.Complete();
            return target;
        }
        catch
        {
            target.Dispose();
            throw;
        }
    }

    public void Dispose()
    {
        _environment.Dispose();
        _disk.Dispose();
        _start.Dispose();
    }

    private async Task<string?> CompareAsync(int from, DateTime time)
    {
        (long id, _, ImmutableSortedDictionary<string, byte[]> state) = _history.FindLast(one => one.At <= time);
        (long baseId, _, List<byte[]> copies) = _bases[from];
        using SimulatedFileSystem restored = await RestoreAsync(
            copies, Pieces.Where(one => one.Piece.Last > baseId).Select(one => one.Bytes), time);
        using StorageEnvironment environment = StorageEnvironment.Open(
            new StorageOptions { FileSystem = restored, Clock = _clock, Scheduler = _scheduler });
        using ReadTransaction reader = environment.BeginRead();
        if (reader.Id != id)
        {
            return $"it is at transaction {reader.Id}, and not {id}";
        }

        int count = 0;
        string? difference = ModelStructure.All
            .Select(structure => structure.Difference(reader, state, ref count)).FirstOrDefault(one => one is not null);
        return difference ?? (count != state.Count ? $"it has {count} entries"
            : environment.Audit().Findings is [string first, ..] ? first : null);
    }

    private async Task StepAsync()
    {
        switch (_random.Next(24))
        {
            case 0:
                _environment.Flush();
                break;
            case 1:
                _environment.Dispose();
                _environment = Open(_disk);
                break;
            case 2:
                CutPower();
                break;
            case 3:
                _clock.Set(-TimeSpan.FromMinutes(_random.Next(1, 90)));
                break;
            case 4:
                await CopyPagesAsync(isFirst: false);
                break;
            case 5 or 6 or 7:
                await ArchiveAsync();
                break;
            default:
                Commit();
                break;
        }

        _clock.Advance(TimeSpan.FromTicks(_random.Next(3) == 0 ? 0 : _random.NextInt64(TimeSpan.TicksPerMinute)));
    }

    private void Commit()
    {
        using (WriteTransaction transaction = _environment.BeginWrite())
        {
            for (int i = _random.Next(1, 8); i > 0; i--)
            {
                ModelStructure structure = ModelStructure.All[_random.Next(ModelStructure.All.Count)];
                int lengthMax = Math.Min(structure.LengthMax, _random.Next(6) == 0 ? 100_000 : 700);
                byte[]? value = _random.Next(4) == 0
                    ? null
                    : new byte[_random.Next(structure.LengthMin, Math.Max(lengthMax, structure.LengthMin) + 1)];
                _random.NextBytes(value ?? []);
                _state = structure.Change(transaction, _state, _random.Next(40), value);
            }

            transaction.Commit();
        }

        using ReadTransaction reader = _environment.BeginRead();
        if (_history.Count == 0 || reader.Id > _history[^1].Id)
        {
            DateTime at = reader.CommittedAt ?? throw new CrashTestException("A commit has no time.");
            if (_history.Count > 0 && at < _history[^1].At)
            {
                throw new CrashTestException($"The time goes back from {_history[^1].At:O} to {at:O}.");
            }

            _history.Add((reader.Id, at, _state));
        }
    }

    /// <summary>A new base: a whole copy, or what has changed since the one before.</summary>
    private async Task CopyPagesAsync(bool isFirst)
    {
        bool isWhole = isFirst || _random.Next(3) == 0;
        using var target = new MemoryStream();
        var backup = new PageBackup(_environment, isWhole ? 0 : _bases[^1].Id);
        await backup.RunAsync(target, CancellationToken.None);
        DateTime at = _history.Find(one => one.Id == backup.TransactionId).At;
        _bases.Add((backup.TransactionId, at, [.. isWhole ? [] : _bases[^1].Copies, target.ToArray()]));
        _archived = isFirst ? backup.TransactionId : _archived;
    }

    private async Task ArchiveAsync()
    {
        var archive = new JournalArchive(_environment) { PieceBytesMax = _random.Next(1, 300) << 10 };
        while (true)
        {
            using var target = new MemoryStream();
            if (await archive.CopyAsync(_archived, target, CancellationToken.None) is not { } piece)
            {
                return;
            }

            Pieces.Add((piece, target.ToArray()));
            archive.Release(piece);
            _archived = piece.Last;
        }
    }

    private void CutPower()
    {
        DiskImage image;
        using (var images = new CrashImages(_disk.Log, _start, name => _numbers[name]))
        {
            images.AdvanceToEnd();
            image = images.MakeNumber(_random.Next(8), _random).Copy();
        }

        _environment.Dispose();
        _disk.Dispose();
        _start = image.Copy();
        _disk = new SimulatedFileSystem(image);
        _numbers = image.Files.Keys.ToDictionary(name => name, _disk.NumberOf);
        _environment = Open(_disk);
    }

    private StorageEnvironment Open(SimulatedFileSystem disk) => StorageEnvironment.Open(new StorageOptions
    {
        FileSystem = disk,
        Clock = _clock,
        Scheduler = _scheduler,
        Hooks = _hooks,
        JournalSizeBytesMin = 16 << 10,
        JournalSizeBytesMax = 64 << 10,
        FlushAfterBytes = 200 << 10,
        NewEnvironmentId = 0x5EED,
    });
}
