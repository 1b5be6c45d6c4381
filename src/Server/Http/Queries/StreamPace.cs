using Raven.Documents.Queries;

namespace Raven.Server.Http.Queries;

/// <summary>Sends a stream of results, and renews its snapshots between two results if that takes
/// long (PACE-1).</summary>
internal sealed class StreamPace(RequestContext request, QuerySession session)
{
    /// <summary>Sends what is buffered, and waits until the client has taken most of it.</summary>
    /// <param name="hits">The remaining results.</param>
    internal ValueTask SendAsync(QueryHits hits) => ClientPace.SendAsync(
        request,
        session.Age > ClientPace.SnapshotAgeMax,
        () =>
        {
            hits.Detach();
            session.Release();
        },
        session.Renew);
}
