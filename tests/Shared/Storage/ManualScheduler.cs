using Raven.Storage.Transactions;

namespace Shared.Storage;

/// <summary>Keeps background work until the test runs it, so that a run is a function of its seed.</summary>
internal sealed class ManualScheduler : IBackgroundScheduler
{
    private readonly Queue<Action> _work = [];

    /// <summary>How much is waiting.</summary>
    internal int Count => _work.Count;

    public void Schedule(Action work) => _work.Enqueue(work);

    /// <summary>Runs all that is waiting now.</summary>
    internal void RunAll()
    {
        for (int i = _work.Count; i > 0; i--)
        {
            _work.Dequeue()();
        }
    }
}
