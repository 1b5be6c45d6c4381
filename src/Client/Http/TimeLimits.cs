using System.Collections.Concurrent;

namespace Raven.Client.Http;

/// <summary>What ends requests that take too long. A source that did not fire is used again, timer and all. Safe for
/// all threads.</summary>
internal sealed class TimeLimits
{
    private const int KeptMax = 64;
    private readonly ConcurrentBag<CancellationTokenSource> _unused = [];

    /// <summary>Begins to count; give it back at the end.</summary>
    internal CancellationTokenSource Begin(TimeSpan limit, CancellationToken cancellationToken)
    {
        CancellationTokenSource source;
        if (cancellationToken.CanBeCanceled)
        {
            source = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        }
        else if (!_unused.TryTake(out source!))
        {
            source = new CancellationTokenSource();
        }

        source.CancelAfter(limit);
        return source;
    }

    /// <summary>Takes a source back once nobody waits for its request any more.</summary>
    internal void End(CancellationTokenSource source, CancellationToken cancellationToken)
    {
        if (!cancellationToken.CanBeCanceled && _unused.Count < KeptMax && source.TryReset())
        {
            _unused.Add(source);
        }
        else
        {
            source.Dispose();
        }
    }
}
