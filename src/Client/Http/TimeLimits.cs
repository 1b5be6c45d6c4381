namespace Raven.Client.Http;

/// <summary>
/// Cancels requests that take too long. A cancellation source that was not cancelled is reused, with its timer. Safe
/// for all threads.
/// </summary>
internal sealed class TimeLimits
{
    private const int KeptMax = 32;
    private readonly CancellationTokenSource?[] _unused = new CancellationTokenSource?[KeptMax];

    /// <summary>Starts a time limit; the source must be given back at the end.</summary>
    internal CancellationTokenSource Begin(TimeSpan limit, CancellationToken cancellationToken)
    {
        CancellationTokenSource source = cancellationToken.CanBeCanceled
            ? CancellationTokenSource.CreateLinkedTokenSource(cancellationToken)
            : Rent() ?? new CancellationTokenSource();
        source.CancelAfter(limit);
        return source;
    }

    /// <summary>Takes a source back once its request is no longer awaited.</summary>
    internal void End(CancellationTokenSource source, CancellationToken cancellationToken)
    {
        if (cancellationToken.CanBeCanceled || !source.TryReset() || !TryKeep(source))
        {
            source.Dispose();
        }
    }

    private CancellationTokenSource? Rent()
    {
        for (int i = 0; i < KeptMax; i++)
        {
            if (_unused[i] != null && Interlocked.Exchange(ref _unused[i], null) is { } source)
            {
                return source;
            }
        }

        return null;
    }

    private bool TryKeep(CancellationTokenSource source)
    {
        for (int i = 0; i < KeptMax; i++)
        {
            if (_unused[i] is null && Interlocked.CompareExchange(ref _unused[i], source, null) is null)
            {
                return true;
            }
        }

        return false;
    }
}
