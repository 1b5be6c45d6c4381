namespace Raven.Storage.Errors;

/// <summary>Remembers the first failure after which nothing may be acknowledged. Never resets. Any thread.</summary>
internal sealed class FaultLatch
{
    private Exception? _first;

    internal Exception? First => Volatile.Read(ref _first);

    internal bool IsTripped => First is not null;

    internal void Trip(Exception cause) => Interlocked.CompareExchange(ref _first, cause, null);

    internal void ThrowIfTripped()
    {
        if (First is { } cause)
        {
            throw new StoragePoisonedException(cause);
        }
    }
}
