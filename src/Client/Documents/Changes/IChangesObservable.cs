namespace Raven.Client.Documents.Changes;

/// <summary>A watch. Its first subscriber begins it on the server, its last one ends it.</summary>
/// <typeparam name="T">What it tells.</typeparam>
public interface IChangesObservable<out T> : IObservable<T>
{
    /// <summary>Waits until the server has confirmed the watch: what is committed after that is told.</summary>
    /// <exception cref="Exceptions.RavenTimeoutException">It has not within the request timeout.</exception>
    /// <exception cref="Exceptions.RavenException">It has refused it; the observers are told so too.</exception>
    /// <exception cref="InvalidOperationException">Nobody has subscribed.</exception>
    /// <exception cref="ObjectDisposedException">The store was disposed.</exception>
    Task EnsureSubscribedNow(CancellationToken cancellationToken = default);
}
