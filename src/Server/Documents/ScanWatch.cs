namespace Raven.Server.Documents;

/// <summary>
/// Ends a scan whose client is gone or that was killed: such a scan may pass over millions of entries before it has
/// anything to send. Call <see cref="Step"/> for each of them.
/// </summary>
/// <param name="cancellation">Ends the scan.</param>
internal struct ScanWatch(CancellationToken cancellation)
{
    /// <summary>Entries between two looks: some tens of microseconds.</summary>
    private const uint StepsBetweenLooks = 1024;

    private uint _steps;

    /// <summary>One more entry was looked at.</summary>
    /// <exception cref="OperationCanceledException">The scan was ended.</exception>
    internal void Step()
    {
        if (++_steps % StepsBetweenLooks == 0)
        {
            cancellation.ThrowIfCancellationRequested();
        }
    }
}
