using System.Globalization;

namespace Raven.Server.Diagnostics;

/// <summary>What the system says of the machine and of this process. What it does not say is 0, or null.</summary>
internal static class MachineFigures
{
    private const int TicksPerSecond = 100;

    /// <summary>The processor time of the machine, all of it and that which was not idle, in seconds.</summary>
    internal static (double All, double Busy, double IoWait)? Processors()
    {
        const string path = "/proc/stat";
        if (!File.Exists(path))
        {
            return null;
        }

        // cpu user nice system idle iowait irq softirq steal ..., in hundredths of a second
        string? line = File.ReadLines(path).FirstOrDefault();
        long[] fields = [.. (line ?? "").Split(' ', StringSplitOptions.RemoveEmptyEntries).Skip(1).Take(8)
            .Select(field => long.Parse(field, CultureInfo.InvariantCulture))];
        if (fields.Length < 5)
        {
            return null;
        }

        double all = fields.Sum();
        double busy = all - fields[3] - fields[4];
        return (all / TicksPerSecond, busy / TicksPerSecond, fields[4] / (double)TicksPerSecond);
    }

    /// <summary>The memory of the machine, in bytes, by the names of /proc/meminfo; empty elsewhere.</summary>
    internal static Dictionary<string, long> Memory() => Fields("/proc/meminfo");

    /// <summary>The memory of this process, in bytes, by the names of /proc/self/status; empty elsewhere.</summary>
    internal static Dictionary<string, long> Process() => Fields("/proc/self/status");

    /// <summary>The threads of this process by their ids in the system, with the names and the processor time that each
    /// has used; empty elsewhere than on Linux.</summary>
    internal static List<(int Id, string Name, char State, double User, double System)> Threads()
    {
        List<(int, string, char, double, double)> threads = [];
        const string folder = "/proc/self/task";
        if (!Directory.Exists(folder))
        {
            return threads;
        }

        foreach (string path in Directory.EnumerateDirectories(folder))
        {
            if (TryRead(Path.Combine(path, "stat")) is not { } stat || ThreadOf(stat) is not { } thread)
            {
                continue; // It has ended meanwhile.
            }

            threads.Add(thread);
        }

        return threads;
    }

    /// <summary>What a line of /proc/self/task/N/stat says; null if it is none.</summary>
    internal static (int Id, string Name, char State, double User, double System)? ThreadOf(string stat)
    {
        // The name is in brackets, and may have spaces and brackets itself.
        int open = stat.IndexOf('(', StringComparison.Ordinal);
        int close = stat.LastIndexOf(')');
        string[] rest = close < 0 ? [] : stat[(close + 1)..].Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return open > 0 && rest.Length > 12
            ? (int.Parse(stat[..open], CultureInfo.InvariantCulture), stat[(open + 1)..close], rest[0][0],
                long.Parse(rest[11], CultureInfo.InvariantCulture) / (double)TicksPerSecond,
                long.Parse(rest[12], CultureInfo.InvariantCulture) / (double)TicksPerSecond)
            : null;
    }

    private static Dictionary<string, long> Fields(string path)
    {
        Dictionary<string, long> fields = new(StringComparer.Ordinal);
        if (File.Exists(path))
        {
            // Name:   12345 kB
            foreach (string line in File.ReadLines(path))
            {
                string[] parts = line.Split([':', ' ', '\t'], StringSplitOptions.RemoveEmptyEntries);
                if (parts is [var name, var number, "kB"] && long.TryParse(number, CultureInfo.InvariantCulture,
                    out long kilobytes))
                {
                    fields[name] = kilobytes * 1024;
                }
            }
        }

        return fields;
    }

    private static string? TryRead(string path)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (IOException)
        {
            return null;
        }
    }
}
