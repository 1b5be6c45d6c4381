namespace Raven.Storage.GroupCommit;

// RESUME-1  Writers that await are resumed on the thread pool, never on the thread that commits: a group is one item of
//           the pool's queue, not one for each writer.
// RESUME-2  While writers wait to be resumed, an item of this class is in the pool's queue. So if a resumed writer
//           blocks its thread (on another writer of the list, or on its own next write), another thread of the pool
//           resumes the rest.
// RESUME-3  A resumed writer that queues its next write and finds no leader does not lead at once: leadership is
//           deferred until all writers of the list have been resumed, and so have queued their next writes. RESUME-2
//           holds for the deferred leadership too.

/// <summary>Runs the continuations of the writes of finished groups.</summary>
internal sealed class WriterResumption : IThreadPoolWorkItem
{
    [ThreadStatic]
    private static WriterResumption? t_running;

    private readonly Lock _lock = new();
    private readonly Action _lead;
    private PendingWrite? _first;
    private PendingWrite? _last;
    private bool _isLeadershipDeferred;
    private bool _isQueued;

    /// <param name="lead">Does the work of the leader; called for deferred leadership.</param>
    internal WriterResumption(Action lead) => _lead = lead;

    /// <summary>Resumes the writers of these writes on the thread pool, in their order.</summary>
    internal void Add(in WriteGroup writes)
    {
        if (writes.First is null)
        {
            return;
        }

        bool isQueued;
        lock (_lock)
        {
            if (_last is null)
            {
                _first = writes.First;
            }
            else
            {
                _last.Next = writes.First;
            }

            _last = writes.Last;
            isQueued = _isQueued;
            _isQueued = true;
        }

        if (!isQueued)
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }
    }

    /// <summary>
    /// Defers leadership, which the caller has, until the last waiting writer was resumed. False if this thread is not
    /// resuming writers or none wait for that: the caller leads at once.
    /// </summary>
    internal bool TryDeferLeadership()
    {
        if (t_running != this)
        {
            return false;
        }

        lock (_lock)
        {
            _isLeadershipDeferred = _first is not null;
            return _isLeadershipDeferred;
        }
    }

    void IThreadPoolWorkItem.Execute()
    {
        t_running = this;
        bool isFirst = true;
        while (TryTake(isFirst, out PendingWrite? write))
        {
            isFirst = false;
            if (write is null)
            {
                _lead();
            }
            else
            {
                write.Resume();
            }
        }

        t_running = null;
    }

    /// <summary>The next write to resume, or null if deferred leadership is to be taken; false if there is neither.
    /// </summary>
    private bool TryTake(bool isFirst, out PendingWrite? write)
    {
        bool queues;
        lock (_lock)
        {
            _isQueued &= !isFirst;
            write = _first;
            if (write is null)
            {
                bool leads = _isLeadershipDeferred;
                _isLeadershipDeferred = false;
                return leads;
            }

            _first = write.Next;
            write.Next = null;
            _last = _first is null ? null : _last;
            queues = !_isQueued && (_first is not null || _isLeadershipDeferred);
            _isQueued |= queues;
        }

        if (queues)
        {
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
        }

        return true;
    }
}
