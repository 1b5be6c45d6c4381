using System.Globalization;

namespace Raven.Tools.Stress;

/// <summary>How long a server took until its databases answered, and how much journal it found.</summary>
/// <param name="Elapsed">From the start of the process to the answers of all databases.</param>
/// <param name="JournalBytes">The bytes of all journal files when it started.</param>
public readonly record struct ServerStart(TimeSpan Elapsed, long JournalBytes)
{
    private const double SecondsPerGigabyte = 5;

    /// <summary>What a start may take: 5 s, and 5 s for each GB of journals if there is more than one.</summary>
    public TimeSpan Limit => TimeSpan.FromSeconds(SecondsPerGigabyte * Math.Max(1, JournalBytes / (double)(1 << 30)));

    /// <summary>True if it took longer than that.</summary>
    public bool IsSlow => Elapsed > Limit;

    /// <inheritdoc/>
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"{Elapsed.TotalSeconds:0.00} s with {JournalBytes / (double)(1 << 20):0.0} MB of journals");

    /// <summary>
    /// True if more is running on this machine than twice its processors: how long a start took is the machine's
    /// doing then.
    /// </summary>
    internal static bool IsMachineOverloaded(out double load)
    {
        const string path = "/proc/loadavg";
        load = File.Exists(path)
            ? double.Parse(File.ReadAllText(path).Split(' ')[0], CultureInfo.InvariantCulture)
            : 0;
        return load > 2 * Environment.ProcessorCount;
    }

    /// <summary>The bytes of the journal files in a data folder, if there is one.</summary>
    internal static long JournalBytesIn(string directory) => !Directory.Exists(directory)
        ? 0
        : new DirectoryInfo(directory).EnumerateFiles("journal-*", SearchOption.AllDirectories)
            .Sum(file => file.Length);
}
