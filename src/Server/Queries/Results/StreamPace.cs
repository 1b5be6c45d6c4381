using Raven.Server.Http;

namespace Raven.Server.Queries.Results;

/// <summary>Sends a stream of results, and has its snapshots renewed between two of them where it takes long (PACE-1).
/// </summary>
internal sealed class StreamPace(RequestContext request, QuerySession session)
{
    /// <summary>Sends what is buffered, and waits until the client has taken most of it.</summary>
    /// <param name="hits">The results to come.</param>
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
