namespace Raven.Storage.GroupCommit;

// RESUME-1  Writers that await are resumed on the thread pool, never on the thread that commits: a group is one item of
//           the pool's queue, not one for each writer.
// RESUME-2  While writers wait to be resumed, an item of this is in the pool's queue. So a writer that blocks its
//           thread, on another of them or on its own next write, holds up none: the next thread continues behind it.
// RESUME-3  A resumed writer that finds no leader for its next write defers the lead to the end of the list, when the
//           next writes of all are in the queue. The lead is deferred then, and RESUME-2 holds for it too.

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

    /// <param name="lead">Leads once, for a deferred lead.</param>
    internal WriterResumption(Action lead) => _lead = lead;

    /// <summary>Has writes resumed, in their order.</summary>
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
    /// True if this thread resumes writers and more wait for that: after the last of them the lead is taken. The caller
    /// has the lead and gives it away.
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

    /// <summary>The next write to resume, or null for the lead that was deferred; false if there is neither.</summary>
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
