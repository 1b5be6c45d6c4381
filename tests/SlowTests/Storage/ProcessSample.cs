using System.Globalization;

namespace SlowTests.Storage;

/// <summary>What this process holds at a moment: memory, threads, open files.</summary>
internal sealed record ProcessSample(long MemoryBytes, int Threads, int Handles)
{
    // Warm-up is the first three quarters, as memory goes up by some megabytes once more behind the half of it and
    // stays there; then the least of an eighth is compared with the least of the next.
    private const int Parts = 8;
    private const long GrowthBytesMax = 2L << 20;

    // The thread pool and the runner of the tests take one more if the machine is busy. Threads left behind by a
    // restart or a flush would be ten of a part, or hundreds.
    private const int ThreadsMoreMax = 2;

    internal static ProcessSample Take()
    {
        // What the collector and the allocator keep for later is no growth of ours: a page table of megabytes that is
        // freed leaves a hole in an arena, once or twice in a run.
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        _ = NativeMethods.TrimHeap(0);
        long memory = Status("/proc/self/status", "RssAnon:");

        // Scratch memory that is kept for the next user is the system's, whenever it is short of it.
        long free = Status("/proc/self/smaps_rollup", "LazyFree:");
        int threads = (int)Status("/proc/self/status", "Threads:");
        return new ProcessSample(1024 * (memory - free), threads, Directory.GetFiles("/proc/self/fd").Length);
    }

    /// <summary>After the warm-up nothing grows.</summary>
    internal static void RequireFlat(List<ProcessSample> samples)
    {
        ProcessSample[][] parts = [.. samples.Chunk((samples.Count + Parts - 1) / Parts)];
        Assert.Equal(Parts, parts.Length);
        Console.WriteLine(string.Join(Environment.NewLine, samples));
        long growth = parts[^1].Min(sample => sample.MemoryBytes) - parts[^2].Min(sample => sample.MemoryBytes);
        Assert.True(growth < GrowthBytesMax, $"memory grew by {growth} bytes:\n{string.Join("\n", samples)}");
        int threadsMax = parts[^2].Max(sample => sample.Threads) + ThreadsMoreMax;
        Assert.InRange(parts[^1].Min(sample => sample.Threads), 0, threadsMax);
        Assert.InRange(parts[^1].Min(sample => sample.Handles), 0, parts[^2].Max(sample => sample.Handles));
    }

    private static long Status(string file, string name)
    {
        string line = File.ReadLines(file).First(text => text.StartsWith(name, StringComparison.Ordinal));
        return long.Parse(line.AsSpan(name.Length).Trim().ToString().Split(' ')[0], CultureInfo.InvariantCulture);
    }
}
