using System.Globalization;
using Raven.Storage.Errors;

namespace Raven.Server.Diagnostics;

/// <summary>
/// The file descriptors that the process may have. Opening storage leaves a reserve: a commit that begins its next
/// journal file, and the runtime, fail without one. Connections have their own part. Any thread.
/// </summary>
internal sealed class FileDescriptors
{
    /// <summary>Below this limit, the operator is warned at the start.</summary>
    internal const long FewMax = 4096;

    private const int TooManyOpenFiles = 24;
    private const int ConnectionsMin = 16;

    /// <summary>How many connections leave for files, unless that is more than half of the limit.</summary>
    private const int LeftByConnections = 1024;

    private const int ReservedMin = 16;
    private const int ReservedMax = 256;

    private const string LimitsPath = "/proc/self/limits";

    /// <summary>Has a file for each descriptor. Of /proc/self/fd, whose entries are links, .NET looks up each target,
    /// which takes twenty times as long.</summary>
    private const string OpenPath = "/proc/self/fdinfo";

    private readonly Func<long> _open;

    /// <summary>The descriptors of a process.</summary>
    /// <param name="limit">How many the process may have; <see cref="long.MaxValue"/> if that is not known.</param>
    /// <param name="open">Returns how many the process has open.</param>
    internal FileDescriptors(long limit, Func<long> open)
    {
        Limit = limit;
        _open = open;
        Reserved = limit == long.MaxValue ? 0 : Math.Clamp((limit - open()) / 4, ReservedMin, ReservedMax);
    }

    /// <summary>Those of a system that has no limit, or tells none.</summary>
    internal static FileDescriptors Unlimited { get; } = new(long.MaxValue, static () => 0);

    internal static FileDescriptors OfProcess() => new(
        File.Exists(LimitsPath) ? ReadLimit(File.ReadLines(LimitsPath)) : long.MaxValue, CountOpen);

    /// <summary>How many the process may have.</summary>
    internal long Limit { get; }

    /// <summary>Whether they are so few that the operator is warned.</summary>
    internal bool AreFew => Limit < FewMax;

    /// <summary>How many connections leave enough for files; null if there is no limit.</summary>
    internal long? ConnectionsMax => Limit == long.MaxValue ? null : Math.Max(
        ConnectionsMin, Limit - Math.Max(Limit / 4, Math.Min(Limit / 2, LeftByConnections)));

    /// <summary>
    /// How many stay free when storage is opened: a part of those that were free at the start, as the runtime itself
    /// has more than a hundred open.
    /// </summary>
    internal long Reserved { get; }

    /// <summary>How many are left for storage that is opened.</summary>
    internal long LeftForStorage => Math.Max(0, Limit - _open() - Reserved);

    /// <summary>Refuses to open storage if too few are left.</summary>
    /// <param name="folder">The folder of the storage, for the message.</param>
    /// <exception cref="StorageIOException">Too few are left; the message names the limit.</exception>
    internal void Require(string folder)
    {
        if (Limit == long.MaxValue)
        {
            return;
        }

        long open = _open();
        if (Limit - open < Reserved)
        {
            throw new StorageIOException(folder, "opening", TooManyOpenFiles, string.Create(
                CultureInfo.InvariantCulture,
                $"the process has {open} of {Limit} file descriptors open, and what is open needs the rest"));
        }
    }

    /// <summary>The limit, and where it is set.</summary>
    internal string Describe() => string.Create(
        CultureInfo.InvariantCulture,
        $"may have {Limit} (`ulimit -n`, or LimitNOFILE of the service; 262144 is a good number)");

    /// <summary>The limit in force, of the lines of /proc/self/limits.</summary>
    internal static long ReadLimit(IEnumerable<string> lines)
    {
        const string name = "Max open files";
        string? line = lines.FirstOrDefault(one => one.StartsWith(name, StringComparison.Ordinal));
        string[] fields = line?[name.Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries) ?? [];
        return fields.Length > 0 && long.TryParse(fields[0], CultureInfo.InvariantCulture, out long limit)
            ? limit
            : long.MaxValue;
    }

    private static long CountOpen()
    {
        try
        {
            return Directory.EnumerateFileSystemEntries(OpenPath).LongCount();
        }
        catch (IOException)
        {
            // Not even one descriptor is left to read the folder.
            return long.MaxValue / 2;
        }
    }
}
