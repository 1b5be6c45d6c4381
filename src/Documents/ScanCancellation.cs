namespace Raven.Documents;

/// <summary>
/// Ends a scan whose client has disconnected or that was killed: such a scan may pass over millions of entries before
/// it has anything to send. Call <see cref="Step"/> for each entry.
/// </summary>
/// <param name="cancellation">Ends the scan.</param>
public struct ScanCancellation(CancellationToken cancellation)
{
    /// <summary>Entries between two checks: some tens of microseconds.</summary>
    private const uint StepsBetweenChecks = 1024;

    private uint _steps;

    /// <summary>Counts an entry, and checks from time to time.</summary>
    /// <exception cref="OperationCanceledException">The scan was ended.</exception>
    public void Step()
    {
        if (++_steps % StepsBetweenChecks == 0)
        {
            cancellation.ThrowIfCancellationRequested();
        }
    }
}
