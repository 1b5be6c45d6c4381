using Raven.Server.Indexing.Storage;

namespace Raven.Server.Indexing;

/// <summary>The last documents that an index could not take. Any thread.</summary>
internal sealed class IndexFailures(int keptMax)
{
    private readonly Lock _gate = new();
    private readonly Queue<IndexFailure> _failures = [];

    /// <summary>When the last one was.</summary>
    internal DateTimeOffset? LastTime { get; private set; }

    /// <summary>All that are kept, the oldest first.</summary>
    internal IndexFailure[] ToArray()
    {
        lock (_gate)
        {
            return [.. _failures];
        }
    }

    /// <summary>Keeps some more; the oldest go.</summary>
    internal void Add(IReadOnlyList<IndexFailure> failures)
    {
        if (failures.Count == 0)
        {
            return;
        }

        lock (_gate)
        {
            LastTime = failures[^1].At;
            foreach (IndexFailure failure in failures)
            {
                _failures.Enqueue(failure);
                if (_failures.Count > keptMax)
                {
                    _failures.Dequeue();
                }
            }
        }
    }

    /// <summary>Forgets them.</summary>
    internal void Clear()
    {
        lock (_gate)
        {
            _failures.Clear();
        }
    }
}
