using Raven.Client.Documents.Conventions;

namespace Raven.Client.Http;

/// <summary>What the executors of one store share: connections, conventions, cache, scopes and events.</summary>
internal sealed class ExecutorContext(DocumentConventions conventions, HttpClient http, object sender)
{
    internal const string ClientVersion = "7.2.0";

    private long _generation;

    internal DocumentConventions Conventions => conventions;

    internal HttpClient Http => http;

    internal HttpCache Cache { get; } = new(conventions.MaxHttpCacheSizeBytes);

    internal AsyncLocal<AggressiveCacheScope?> AggressiveCache { get; } = new();

    internal AsyncLocal<TimeSpan?> RequestTimeout { get; } = new();

    /// <summary>Counts what was told to have changed: cached answers from before have to be asked for again.</summary>
    internal long Generation => Interlocked.Read(ref _generation);

    internal event EventHandler<BeforeRequestEventArgs>? BeforeRequest;

    internal event EventHandler<SucceedRequestEventArgs>? SucceedRequest;

    internal event EventHandler<FailedRequestEventArgs>? FailedRequest;

    internal event EventHandler<TopologyUpdatedEventArgs>? TopologyUpdated;

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
