using System.Text.Json;

namespace Raven.Client.Documents.Changes;

/// <summary>A watch and its observers, which change under the lock of <see cref="DatabaseChanges"/>.</summary>
internal sealed class ObservedWatch<T>(
    string command, string[] parameters, string messageType, Func<JsonElement, T> parse, Func<T, bool> concerns)
    : ChangesWatch(command, parameters)
{
    private volatile IObserver<T>[] _observers = [];

    internal void Add(IObserver<T> observer) => _observers = [.. _observers, observer];

    /// <summary>Removes an observer once, even if it has subscribed several times.</summary>
    /// <returns>Whether it was the last one.</returns>
    internal bool Remove(IObserver<T> observer)
    {
        int index = Array.FindIndex(_observers, known => ReferenceEquals(known, observer));
        if (index < 0)
        {
            return false;
        }

        _observers = [.. _observers[..index], .. _observers[(index + 1)..]];
        return _observers.Length == 0;
    }

    internal override void Notify(string type, JsonElement value)
    {
        IObserver<T>[] observers = _observers;
        if (type != messageType || observers.Length == 0)
        {
            return;
        }

        T change = parse(value);
        if (!concerns(change))
        {
            return;
        }

        foreach (IObserver<T> observer in observers)
        {
            observer.OnNext(change);
        }
    }

    internal override void End(Exception? cause)
    {
        IObserver<T>[] observers = _observers;
        _observers = [];
        foreach (IObserver<T> observer in observers)
        {
            if (cause is null)
            {
                observer.OnCompleted();
            }
            else
            {
                observer.OnError(cause);
            }
        }
    }
}
