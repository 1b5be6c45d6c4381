namespace Raven.Search;

/// <summary>
/// Lets one thread at a time have a write transaction of an index, from before it begins until after it is dropped: a
/// batch, or a step of a merge beside it. The environment's transaction is one object that is used again, so that who
/// drops what he has committed must not meet the next one's. Any thread may leave.
/// </summary>
internal sealed class WriterGate : IDisposable
{
    private readonly SemaphoreSlim _free = new(1, 1);

    /// <summary>Waits for its turn. Dispose the scope behind the transaction.</summary>
    internal Scope Enter()
    {
        _free.Wait();
        return new Scope(_free);
    }

    public void Dispose() => _free.Dispose();

    /// <summary>The turn.</summary>
    internal readonly struct Scope(SemaphoreSlim? free) : IDisposable
    {
        public void Dispose() => free?.Release();
    }
}
