namespace Raven.Server.Diagnostics;

/// <summary>The last requests that took long. Any thread; only they pay for it.</summary>
internal sealed class SlowRing
{
    /// <summary>How many are kept.</summary>
    internal const int Capacity = 512;

    /// <summary>How much of a script or a query is kept.</summary>
    internal const int DetailLengthMax = 4096;

    private readonly Lock _gate = new();
    private readonly Queue<SlowRequest> _last = new();
    private long _count;

    /// <summary>How many there were.</summary>
    internal long Count => Volatile.Read(ref _count);

    /// <summary>Adds one; the oldest goes if there are too many.</summary>
    internal void Add(SlowRequest request)
    {
        if (request.Detail.Length > DetailLengthMax)
        {
            request = request with { Detail = string.Concat(request.Detail.AsSpan(0, DetailLengthMax), "...") };
        }

        lock (_gate)
        {
            _count++;
            if (_last.Count == Capacity)
            {
                _last.Dequeue();
            }

            _last.Enqueue(request);
        }
    }

    /// <summary>Those that are kept, the last first.</summary>
    internal SlowRequest[] List()
    {
        lock (_gate)
        {
            return [.. _last.Reverse()];
        }
    }
}
