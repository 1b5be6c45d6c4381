using Raven.Documents.Queries;
using Raven.Documents.Queries.Results;

namespace Raven.Server.Http.Queries;

/// <summary>Sends a stream of results, and renews its snapshots between two results if that takes
/// long (PACE-1).</summary>
internal sealed class StreamBackpressure(RequestContext request, QuerySession session, QueryResults results)
{
    /// <summary>Sends what is buffered, and waits until the client has taken most of it.</summary>
    internal ValueTask SendAsync() => ClientBackpressure.SendAsync(
        request,
        session.Age > ClientBackpressure.SnapshotAgeMax,
        results.Release,
        session.Renew);
}
