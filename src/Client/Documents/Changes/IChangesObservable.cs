namespace Raven.Client.Documents.Changes;

/// <summary>A watch. Its first subscriber begins it on the server, its last one ends it.</summary>
/// <typeparam name="T">What it tells.</typeparam>
public interface IChangesObservable<out T> : IObservable<T>
{
    /// <summary>Waits until the server has confirmed the watch: what is committed after that is told.</summary>
    Task EnsureSubscribedNow(CancellationToken cancellationToken = default);
}
