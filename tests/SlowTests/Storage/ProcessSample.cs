using System.Globalization;

namespace SlowTests.Storage;

/// <summary>What this process holds at a moment: memory, threads, open files.</summary>
internal sealed record ProcessSample(long MemoryBytes, int Threads, int Handles)
{
    // Warm-up is the first third; then the least of a third is compared with the least of the next.
    private const int Parts = 3;
    private const long GrowthBytesMax = 4L << 20;

    internal static ProcessSample Take()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        return new ProcessSample(
            1024 * Status("RssAnon:"), (int)Status("Threads:"), Directory.GetFiles("/proc/self/fd").Length);
    }

    /// <summary>After the warm-up nothing grows.</summary>
    internal static void RequireFlat(List<ProcessSample> samples)
    {
        ProcessSample[][] parts = [.. samples.Chunk((samples.Count + Parts - 1) / Parts)];
        Assert.Equal(Parts, parts.Length);
        Console.WriteLine(string.Join(Environment.NewLine, samples));
        long growth = parts[2].Min(sample => sample.MemoryBytes) - parts[1].Min(sample => sample.MemoryBytes);
        Assert.True(growth < GrowthBytesMax, $"memory grew by {growth} bytes:\n{string.Join("\n", samples)}");
        Assert.InRange(parts[2].Min(sample => sample.Threads), 0, parts[1].Max(sample => sample.Threads));
        Assert.InRange(parts[2].Min(sample => sample.Handles), 0, parts[1].Max(sample => sample.Handles));
    }

    private static long Status(string name)
    {
        string line = File.ReadLines("/proc/self/status").First(
            text => text.StartsWith(name, StringComparison.Ordinal));
        return long.Parse(line.AsSpan(name.Length).Trim().ToString().Split(' ')[0], CultureInfo.InvariantCulture);
    }
}
