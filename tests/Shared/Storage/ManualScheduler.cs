using System.Collections.Concurrent;
using Raven.Storage.Options;

namespace Shared.Storage;

/// <summary>
/// Keeps background work until the test runs it, so that a run is a function of its seed. Any thread may schedule some:
/// the end of a reader does, if a flush waits for it.
/// </summary>
internal sealed class ManualScheduler : IBackgroundScheduler
{
    private readonly ConcurrentQueue<Action> _work = [];

    /// <summary>How much is waiting.</summary>
    internal int Count => _work.Count;

    public void Schedule(Action work) => _work.Enqueue(work);

    /// <summary>Runs all that is waiting now.</summary>
    internal void RunAll()
    {
        for (int i = _work.Count; i > 0 && _work.TryDequeue(out Action? work); i--)
        {
            work();
        }
    }
}
