using Raven.Documents.Indexing;

namespace FastTests.Queries;

/// <summary>Keeps an index from running, although it is not paused.</summary>
internal sealed class IndexBlocker : IDisposable
{
    private readonly ManualResetEventSlim _release = new();
    private readonly Task _holding;

    internal IndexBlocker(DatabaseIndex index)
    {
        using ManualResetEventSlim held = new();
        _holding = Task.Run(() => index.BetweenBatches(() =>
        {
            held.Set();
            _release.Wait();
        }));
        held.Wait();
    }

    public void Dispose()
    {
        // Once more does nothing.
        _release.Set();
        _holding.Wait();
    }
}
