namespace Raven.Client.Documents.Changes;

/// <summary>A watch. Its first subscriber begins it on the server, its last one ends it.</summary>
/// <typeparam name="T">The type of its changes.</typeparam>
public interface IChangesObservable<out T> : IObservable<T>
{
    /// <summary>Waits until the server has confirmed the watch: what is committed after that is reported.</summary>
    /// <exception cref="Exceptions.RavenTimeoutException">It was not confirmed within the request timeout.</exception>
    /// <exception cref="Exceptions.RavenException">The server refused it; the observers get the same error.</exception>
    /// <exception cref="InvalidOperationException">It has no subscriber.</exception>
    /// <exception cref="ObjectDisposedException">The store was disposed.</exception>
    Task EnsureSubscribedNow(CancellationToken cancellationToken = default);
}
