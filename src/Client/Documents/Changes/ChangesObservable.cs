using System.Text.Json;

namespace Raven.Client.Documents.Changes;

/// <summary>A watch and its observers.</summary>
internal sealed class ChangesObservable<T>(
    DatabaseChanges changes, string command, string[] parameters, string messageType, Func<JsonElement, T> parse,
    Func<T, bool> concerns) : ChangesWatch(changes, command, parameters), IChangesObservable<T>
{
    private readonly Lock _lock = new();
    private IObserver<T>[] _observers = [];

    internal override bool HasObservers => _observers.Length > 0;

    public Task EnsureSubscribedNow(CancellationToken cancellationToken = default) => HasObservers
        ? Confirmed.WaitAsync(cancellationToken)
        : throw new InvalidOperationException("Nobody has subscribed: the server is told of a watch by its first.");

    public IDisposable Subscribe(IObserver<T> observer)
    {
        ArgumentNullException.ThrowIfNull(observer);
        lock (_lock)
        {
            _observers = [.. _observers, observer];
        }

        Changes.Begin(this);
        return new Subscription(this, observer);
    }

    internal override void Tell(string type, JsonElement value)
    {
        if (type != messageType || _observers.Length == 0)
        {
            return;
        }

        T change = parse(value);
        if (!concerns(change))
        {
            return;
        }

        foreach (IObserver<T> observer in _observers)
        {
            observer.OnNext(change);
        }
    }

    internal override void End()
    {
        foreach (IObserver<T> observer in Interlocked.Exchange(ref _observers, []))
        {
            observer.OnCompleted();
        }
    }

    private void Remove(IObserver<T> observer)
    {
        bool isLast;
        lock (_lock)
        {
            _observers = [.. _observers.Where(known => !ReferenceEquals(known, observer))];
            isLast = _observers.Length == 0;
        }

        if (isLast)
        {
            Changes.EndWatch(this);
        }
    }

    private sealed class Subscription(ChangesObservable<T> watch, IObserver<T> observer) : IDisposable
    {
        private int _isDisposed;

        public void Dispose()
        {
            if (Interlocked.Exchange(ref _isDisposed, 1) == 0)
            {
                watch.Remove(observer);
            }
        }
    }
}
