namespace FastTests.Support;

/// <summary>What a piece of work allocates of managed memory.</summary>
internal static class Allocated
{
    private const int RunsMax = 40;

    /// <summary>
    /// Runs the work up to 40 times on this thread, and no longer than until it allocates nothing.
    /// </summary>
    /// <remarks>
    /// The runtime itself allocates on the thread beside some runs: a first call loads types, casts are remembered in a
    /// table that grows, and code is compiled anew. What each run allocates is the work's own.
    /// </remarks>
    /// <returns>Bytes of managed memory of the run that allocated least.</returns>
    public static long Least(Action work)
    {
        long least = long.MaxValue;
        for (int run = 0; run < RunsMax && least > 0; run++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            work();
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        return least;
    }
}
