using Raven.Documents.Indexing.Storage;
using Raven.Search;
using Raven.Storage.Transactions;

namespace Raven.Documents.Indexing;

//   FAIL-1  The failures of a batch are stored in its own transaction: with the position, or not at all.
//   FAIL-2  Other failures are stored with the next batch.

/// <summary>The last documents that an index could not index; stored in the index, over restarts. Any thread.</summary>
public sealed class IndexFailures(int keptMax)
{
    private readonly Lock _gate = new();
    private readonly Queue<IndexFailure> _kept = [];
    private readonly List<IndexFailure> _unwritten = [];
    private IndexFailure[] _writing = [];
    private int _writingUnwritten;

    /// <summary>How many failures are kept.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
            {
                return Math.Min(keptMax, _kept.Count + _unwritten.Count);
            }
        }
    }

    /// <summary>The failures that are kept, the oldest first.</summary>
    internal IndexFailure[] ToArray()
    {
        lock (_gate)
        {
            return [.. _kept.Concat(_unwritten).TakeLast(keptMax)];
        }
    }

    /// <summary>Reads the stored failures of an index that was opened.</summary>
    internal void Load(SearchIndex search)
    {
        using ReadTransaction transaction = search.BeginReadStructures();
        List<IndexFailure> failures = StoredFailures.Read(transaction);
        lock (_gate)
        {
            _kept.Clear();
            Keep(failures);
        }
    }

    /// <summary>Called when the contents are dropped: the failures are stored in the next ones.</summary>
    internal void Unload()
    {
        lock (_gate)
        {
            _unwritten.InsertRange(0, _kept);
            _kept.Clear();
            TrimUnwritten();
        }
    }

    /// <summary>Adds a failure that no document of a batch caused (FAIL-2).</summary>
    internal void Add(IndexFailure failure)
    {
        lock (_gate)
        {
            _unwritten.Add(failure);
            TrimUnwritten();
        }
    }

    /// <summary>Whether there are failures to write.</summary>
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

    /// <summary>Writes the failures that are not written yet, and those of a batch. One thread at a time.</summary>
    internal void Write(WriteTransaction transaction, IReadOnlyList<IndexFailure> failures)
    {
        lock (_gate)
        {
            _writingUnwritten = _unwritten.Count;
            _writing = [.. _unwritten, .. failures];
        }

        StoredFailures.Add(transaction, _writing, keptMax);
    }

    /// <summary>Called after the failures that were written last are committed.</summary>
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

    /// <summary>Removes all failures from memory; the caller removes those in the index.</summary>
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
