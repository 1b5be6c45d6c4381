using System.Collections.Concurrent;

namespace Raven.Client.Http;

/// <summary>
/// What the executors of one store share: identity, connections, conventions, cache, scopes and events.
/// </summary>
internal sealed class ExecutorContext(
    IRequestConventions conventions, ClientSecurity security, HttpMessageInvoker http, HttpMessageInvoker sockets,
    object sender, CancellationToken end)
{
    internal const string ClientVersion = "7.2.0";

    private readonly ConcurrentDictionary<string, bool> _tracked = new(StringComparer.OrdinalIgnoreCase);
    private long _generation;

    internal IRequestConventions Conventions => conventions;

    internal ClientSecurity Security => security;

    internal HttpMessageInvoker Http => http;

    /// <summary>Opens WebSockets. The handler of the conventions need not be able to.</summary>
    internal HttpMessageInvoker Sockets => sockets;

    /// <summary>Cancelled when the store is disposed; for requests without a timeout.</summary>
    internal CancellationToken End => end;

    internal TimeLimits Limits { get; } = new();

    internal HttpCache Cache { get; } = new(conventions.MaxHttpCacheSizeBytes);

    internal AsyncLocal<AggressiveCacheScope?> AggressiveCache { get; } = new();

    internal AsyncLocal<TimeSpan?> RequestTimeout { get; } = new();

    /// <summary>
    /// The number of changes reported so far: answers cached before the last of them must be requested again.
    /// </summary>
    internal long Generation => Interlocked.Read(ref _generation);

    internal event EventHandler<BeforeRequestEventArgs>? BeforeRequest;

    internal event EventHandler<SucceedRequestEventArgs>? SucceedRequest;

    internal event EventHandler<FailedRequestEventArgs>? FailedRequest;

    internal event EventHandler<TopologyUpdatedEventArgs>? TopologyUpdated;

    /// <summary>
    /// Whether the server reports the changes of a database now: then the absence of a report means that
    /// nothing has changed.
    /// </summary>
    internal bool IsTracking(string? database) => database != null && _tracked.ContainsKey(database);

    /// <summary>Sets whether changes are reported from now on; answers cached before must be requested again.</summary>
    internal void SetTracking(string database, bool isTracking)
    {
        Invalidate();
        if (isTracking)
        {
            _tracked[database] = true;
        }
        else
        {
            _tracked.TryRemove(database, out _);
        }
    }

    internal void Invalidate() => Interlocked.Increment(ref _generation);

    internal void OnBefore(string? database, HttpRequestMessage request, int attempt) =>
        BeforeRequest?.Invoke(sender, new BeforeRequestEventArgs(database, request, attempt));

    internal void OnSuccess(string? database, HttpRequestMessage request, HttpResponseMessage response) =>
        SucceedRequest?.Invoke(sender, new SucceedRequestEventArgs(database, request, response));

    internal void OnFailure(string? database, string url, Exception exception) =>
        FailedRequest?.Invoke(sender, new FailedRequestEventArgs(database, url, exception));

    internal void OnTopology(Topology topology) =>
        TopologyUpdated?.Invoke(sender, new TopologyUpdatedEventArgs(topology));
}
