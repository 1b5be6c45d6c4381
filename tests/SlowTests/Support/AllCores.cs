using System.Collections.Concurrent;

namespace SlowTests.Support;

/// <summary>Runs a test with many seeds on all cores of the machine.</summary>
internal static class AllCores
{
    /// <summary>All whole numbers from the first one on.</summary>
    internal static IEnumerable<int> SeedsFrom(int first) => Enumerable.Range(first, int.MaxValue - first);

    /// <summary>One after the other in their order, as many at a time as there are cores.</summary>
    internal static void ForEach<T>(IEnumerable<T> items, Action<T> test) => Parallel.ForEach(
        Partitioner.Create(items, EnumerablePartitionerOptions.NoBuffering),
        new ParallelOptions { MaxDegreeOfParallelism = Environment.ProcessorCount },
        test);
}
