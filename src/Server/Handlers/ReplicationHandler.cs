using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Cluster;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The log of a database, between the nodes of its group.</summary>
internal static class ReplicationHandler
{
    /// <summary>No identity has a right to it: who is no node of the cluster by certificate, or by the key of nodes
    /// without any, is refused here.</summary>
    [Route("GET", "/replication/log", Access.Anyone, Place = Place.Node, IsStream = true, HoldsSecrets = true,
        Summary = "The log of a database, for other nodes of the cluster (Upgrade: raven-log/1)", Query = "db!")]
    internal static async ValueTask GetAsync(RequestContext request)
    {
        if (request.Server.Cluster is not ClusterService cluster)
        {
            throw new BadRequestException(400, ErrorType.InvalidOperation, "This server is in no cluster.");
        }

        string tag = request.Headers[NodeNetwork.TagHeader].ToString();
        string? digest = request.Scheme == "https" ? (request.Caller ??= new(request.Features)).Digest : null;
        string key = request.Headers[NodeNetwork.KeyHeader].ToString();
        if (!cluster.IsNode(tag, digest, key.Length == 0 ? null : key))
        {
            throw new BadRequestException(
                403, ErrorType.Authorization, $"'{tag}' has not proven to be a node of this cluster.");
        }

        string database = request.Query.GetText("db")
            ?? throw new BadRequestException(400, ErrorType.Argument, "The parameter 'db' is missing.");
        IHttpUpgradeFeature? upgrade = request.Features.Get<IHttpUpgradeFeature>();
        if (upgrade is not { IsUpgradableRequest: true }
            || !request.Headers.Upgrade.ToString().Equals(NodeNetwork.Protocol, StringComparison.OrdinalIgnoreCase))
        {
            request.Response.Headers.Upgrade = NodeNetwork.Protocol;
            throw new BadRequestException(
                426, ErrorType.BadRequest, $"This is the log of a database: ask for it with {NodeNetwork.Protocol}.");
        }

        IHeaderDictionary answer = request.Response.Headers;
        answer.Upgrade = NodeNetwork.Protocol;
        answer.Connection = "Upgrade";
        Stream stream = await upgrade.UpgradeAsync().ConfigureAwait(false);
        await using (stream.ConfigureAwait(false))
        {
            using var ended = CancellationTokenSource.CreateLinkedTokenSource(
                request.Aborted, request.Server.Stopping);
            await cluster.AcceptAsync(database, stream, tag, ended.Token).ConfigureAwait(false);
        }
    }
}
