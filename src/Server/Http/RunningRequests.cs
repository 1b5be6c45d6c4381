namespace Raven.Server.Http;

/// <summary>
/// The requests that run now, to be listed and ended. A request pays nothing for it: the contexts that Kestrel keeps,
/// one for each connection, are held here by weak references, and say themselves what they do. Safe for all threads.
/// </summary>
internal sealed class RunningRequests
{
    private readonly Lock _gate = new();
    private List<WeakReference<RequestContext>> _contexts = [];
    private int _pruneAt = 64;
    private long _lastNumber;

    /// <summary>Adds a context, which is held by a weak reference.</summary>
    /// <returns>Its number, from which the ids of its requests are made.</returns>
    internal long Add(RequestContext context)
    {
        lock (_gate)
        {
            if (_contexts.Count >= _pruneAt)
            {
                _contexts = [.. _contexts.Where(one => one.TryGetTarget(out _))];
                _pruneAt = Math.Max(64, 2 * _contexts.Count);
            }

            _contexts.Add(new WeakReference<RequestContext>(context));
            return ++_lastNumber;
        }
    }

    /// <summary>What runs now, the longest running first.</summary>
    internal List<RunningRequest> List()
    {
        List<RunningRequest> running = [];
        foreach (RequestContext context in Contexts())
        {
            if (context.Running is { } request)
            {
                running.Add(request);
            }
        }

        running.Sort((left, right) => left.StartedTimestamp.CompareTo(right.StartedTimestamp));
        return running;
    }

    /// <summary>Ends a request, with an answer if it is a query that has sent nothing yet, else by ending its
    /// connection; false if it does not run any more.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="isMeant">Whether it is one that may be ended; null for any.</param>
    internal bool Kill(long id, Func<RunningRequest, bool>? isMeant = null)
    {
        foreach (RequestContext context in Contexts())
        {
            if (context.Running is { } request && request.Id == id && isMeant?.Invoke(request) != false)
            {
                context.Kill();
                return true;
            }
        }

        return false;
    }

    private List<RequestContext> Contexts()
    {
        List<RequestContext> contexts = [];
        CopyTo(contexts);
        return contexts;
    }

    /// <summary>Adds all contexts to a list, also those without a request.</summary>
    internal void CopyTo(List<RequestContext> contexts)
    {
        lock (_gate)
        {
            foreach (WeakReference<RequestContext> one in _contexts)
            {
                if (one.TryGetTarget(out RequestContext? context))
                {
                    contexts.Add(context);
                }
            }
        }
    }
}
