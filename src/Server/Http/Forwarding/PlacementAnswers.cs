using Raven.Server.Http.Cluster;

namespace Raven.Server.Http.Forwarding;

/// <summary>What is answered to a request for which there is no place, or of which it is not known what became of it.
/// </summary>
internal sealed class PlacementAnswers(ServerState server, IClusterNode cluster)
{
    internal void Gone(RequestContext request, GroupView group)
    {
        request.Response.Headers["Refresh-Topology"] = "true";
        ErrorResponse.Write(
            request, 410, ErrorType.DatabaseNotRelevant,
            $"Node {cluster.Tag} does not have the database '{group.Database}': its nodes are {TagsOf(group)}.");
    }

    internal void NotPrimary(RequestContext request)
    {
        request.Response.Clear();
        request.Response.Headers[ForwardHeaders.NotPrimary] = "true";
        ErrorResponse.Write(
            request, 503, ErrorType.NoLeader, $"Nothing was done: node {cluster.Tag} is not the primary now.");
    }

    internal void NotJoined(RequestContext request, bool isOfNode)
    {
        if (isOfNode)
        {
            NotPrimary(request);
            return;
        }

        request.Response.Headers.RetryAfter = "1";
        ErrorResponse.Write(
            request, 503, ErrorType.NoLeader,
            $"Nothing was done: for {Placement.HoldMax.TotalSeconds:0} seconds node {cluster.Tag}, which has started, "
            + "has not reached the store of its cluster. GET /admin/cluster/health tells more.");
    }

    internal void Nobody(RequestContext request, GroupView group)
    {
        if (request.IsForwarded)
        {
            NotPrimary(request);
            return;
        }

        string why = group.Hindrance ?? (group.Primary is { } primary
            ? $"node {primary.Tag}, the last primary, was not reached, or has not taken over yet"
            : "it has no primary yet");
        request.Response.Headers.RetryAfter = "1";
        ErrorResponse.Write(
            request, 503, ErrorType.NoLeader,
            (server.Stopping.IsCancellationRequested
                ? "Nothing was done: this node stops, and no other one could serve the database "
                : $"Nothing was done: for {Placement.HoldMax.TotalSeconds:0} seconds no node could serve the database ")
            + $"'{group.Database}' ({why}). Its nodes are {TagsOf(group)}. GET /admin/cluster/health tells more.");
    }

    internal static void Spent(RequestContext request, NodeView node)
    {
        request.Response.Headers.RetryAfter = "1";
        ErrorResponse.Write(
            request, 503, ErrorType.NoLeader,
            $"Nothing was done: node {node.Tag} had to refuse the request when it had read its body. Send it again.");
    }

    internal static void Perhaps(RequestContext request, GroupView? group, NodeView node) =>
        ErrorResponse.Write(
            request, 500, ErrorType.WaitTimeout,
            $"Perhaps it was done: the request was sent to node {node.Tag}, and the connection ended without an answer"
            + (group == null ? ". " : $" (database '{group.Database}', epoch {group.Epoch}). ")
            + "Read what it was to change before it is sent again.");

    internal void Part(RequestContext request)
    {
        request.Response.Clear();
        ErrorResponse.Write(
            request, 500, ErrorType.WaitTimeout,
            $"A part of it was done: node {cluster.Tag} has stopped being the primary meanwhile. Read what it was to "
            + "change before it is sent again.");
    }

    private static string TagsOf(GroupView group) =>
        string.Join(", ", group.Nodes.Select(node => $"{node.Node.Tag} ({node.Role})"));
}
