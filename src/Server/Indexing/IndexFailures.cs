using Raven.Search;
using Raven.Server.Indexing.Storage;
using Raven.Storage.Transactions;

namespace Raven.Server.Indexing;

//   FAIL-1  What a batch could not take is kept in the batch's own transaction: with the position, or not at all.
//   FAIL-2  What was no batch's failure is kept with the next batch.

/// <summary>The last documents that an index could not take; kept in the index, over restarts. Any thread.</summary>
internal sealed class IndexFailures(int keptMax)
{
    private readonly Lock _gate = new();
    private readonly Queue<IndexFailure> _kept = [];
    private readonly List<IndexFailure> _unwritten = [];
    private IndexFailure[] _writing = [];
    private int _writingUnwritten;

    /// <summary>How many are kept.</summary>
    internal int Count
    {
        get
        {
            lock (_gate)
            {
                return Math.Min(keptMax, _kept.Count + _unwritten.Count);
            }
        }
    }

    /// <summary>All that are kept, the oldest first.</summary>
    internal IndexFailure[] ToArray()
    {
        lock (_gate)
        {
            return [.. _kept.Concat(_unwritten).TakeLast(keptMax)];
        }
    }

    /// <summary>The index was opened: those that are kept in it.</summary>
    internal void Load(SearchIndex search)
    {
        using ReadTransaction transaction = search.BeginReadStructures();
        List<IndexFailure> failures = KeptFailures.Read(transaction);
        lock (_gate)
        {
            _kept.Clear();
            Keep(failures);
        }
    }

    /// <summary>The index is thrown away: what was kept in it goes into the next one.</summary>
    internal void Unload()
    {
        lock (_gate)
        {
            _unwritten.InsertRange(0, _kept);
            _kept.Clear();
            TrimUnwritten();
        }
    }

    /// <summary>Something went wrong that was no batch's document (FAIL-2).</summary>
    internal void Add(IndexFailure failure)
    {
        lock (_gate)
        {
            _unwritten.Add(failure);
            TrimUnwritten();
        }
    }

    /// <summary>Whether there is something to write.</summary>
    internal bool HasUnwritten
    {
        get
        {
            lock (_gate)
            {
                return _unwritten.Count > 0;
            }
        }
    }

    /// <summary>Writes what is not written yet, and what a batch could not take. One thread at a time.</summary>
    internal void Write(WriteTransaction transaction, IReadOnlyList<IndexFailure> failures)
    {
        lock (_gate)
        {
            _writingUnwritten = _unwritten.Count;
            _writing = [.. _unwritten, .. failures];
        }

        KeptFailures.Add(transaction, _writing, keptMax);
    }

    /// <summary>What was written last is committed.</summary>
    internal void Written()
    {
        lock (_gate)
        {
            _unwritten.RemoveRange(0, Math.Min(_writingUnwritten, _unwritten.Count));
            Keep(_writing);
            _writingUnwritten = 0;
            _writing = [];
        }
    }

    /// <summary>Forgets them; what is in the index is removed by the caller.</summary>
    internal void Clear()
    {
        lock (_gate)
        {
            _kept.Clear();
            _unwritten.Clear();
            _writingUnwritten = 0;
        }
    }

    private void Keep(IReadOnlyList<IndexFailure> failures)
    {
        foreach (IndexFailure failure in failures)
        {
            _kept.Enqueue(failure);
            if (_kept.Count > keptMax)
            {
                _kept.Dequeue();
            }
        }
    }

    private void TrimUnwritten()
    {
        if (_unwritten.Count > keptMax)
        {
            _unwritten.RemoveRange(0, _unwritten.Count - keptMax);
        }
    }
}
