using System.Text.Json;

namespace Raven.Client.Documents.Changes;

/// <summary>
/// Something that can be watched. It holds no observers itself: those of equal observables share one watch of the
/// connection. So it can be subscribed to at any time, also after its last subscription has ended.
/// </summary>
internal sealed class ChangesObservable<T>(
    DatabaseChanges changes, string command, string[] parameters, string messageType, Func<JsonElement, T> parse,
    Func<T, bool> concerns) : IChangesObservable<T>
{
    private volatile ObservedWatch<T>? _last;

    internal string Key { get; } = ChangesWatch.KeyOf(command, parameters);

    public Task EnsureSubscribedNow(CancellationToken cancellationToken = default)
    {
        ChangesWatch? watch = changes.Find(Key) ?? (_last is { Confirmed.IsFaulted: true } failed ? failed : null);
        return watch is null
            ? throw new InvalidOperationException("Nobody has subscribed: the server is told of a watch by its first.")
            : changes.WaitAsync(watch, cancellationToken);
    }

    public IDisposable Subscribe(IObserver<T> observer)
    {
        ArgumentNullException.ThrowIfNull(observer);
        ObservedWatch<T> watch = changes.Begin(this, observer);
        _last = watch;
        return new Subscription(changes, watch, observer);
    }

    internal ObservedWatch<T> NewWatch() => new(command, parameters, messageType, parse, concerns);

    private sealed class Subscription(DatabaseChanges changes, ObservedWatch<T> watch, IObserver<T> observer)
        : IDisposable
    {
        private int _isDisposed;

        public void Dispose()
        {
            if (Interlocked.Exchange(ref _isDisposed, 1) == 0)
            {
                changes.End(watch, observer);
            }
        }
    }
}
