namespace Raven.Search.Segments;

/// <summary>Checks for cancellation in loops over terms: a pattern may take microseconds for one.</summary>
internal static class TermCancellation
{
    private const int TermsBetweenChecks = 64;

    /// <summary>Called for each term.</summary>
    /// <exception cref="OperationCanceledException">The search was ended.</exception>
    internal static void Step(int term, CancellationToken cancellation)
    {
        if (term % TermsBetweenChecks == 0)
        {
            cancellation.ThrowIfCancellationRequested();
        }
    }
}
