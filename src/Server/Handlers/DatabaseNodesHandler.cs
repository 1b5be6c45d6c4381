using System.Text.Json;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Cluster;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes of administrators that say which nodes of a cluster have a database.</summary>
internal static class DatabaseNodesHandler
{
    [Route("PUT", "/admin/databases/node", Access.Operator, Place = Place.Observer, Audit = "database.node.added",
        Summary = "Gives a database one more node", Query = "name!, node")]
    internal static ValueTask PutNodeAsync(RequestContext request) => OfGroupAsync(request, AddAsync);

    private static async ValueTask AddAsync(RequestContext request, GroupView group)
    {
        string? tag = request.Query.GetText("node") is { Length: > 0 } text ? ClusterAnswers.TagOf(text) : null;
        request.Announce(database: group.Database, detail: DatabaseEvents.Of("node", tag ?? "any"));
        Finish(
            request, group,
            await request.Server.Cluster.AddMemberAsync(group.Database, tag, request.Aborted).ConfigureAwait(false));
    }

    [Route("POST", "/admin/databases/promote", Access.Operator, Place = Place.Node,
        Audit = "database.node.promoted", Summary = "Makes a node of a database count at once",
        Query = "name!, node!, acceptDataLoss:bool")]
    internal static ValueTask PromoteAsync(RequestContext request) => OfGroupAsync(request, PromoteAsync);

    private static async ValueTask PromoteAsync(RequestContext request, GroupView group)
    {
        string tag = ClusterAnswers.TagOf(ClusterAnswers.Required(request.Query.GetText("node"), "node"));
        bool acceptsLoss = request.Query.GetBool("acceptDataLoss");
        if (acceptsLoss && await IsSentAsync(request, group, tag).ConfigureAwait(false))
        {
            return;
        }

        request.Announce(
            database: group.Database,
            detail: DatabaseEvents.Of("node", acceptsLoss ? tag + " although data may be lost" : tag));
        Finish(
            request, group,
            await request.Server.Cluster.PromoteMemberAsync(group.Database, tag, acceptsLoss, request.Aborted)
                .ConfigureAwait(false));
    }

    [Route("POST", "/admin/databases/primary", Access.Operator, Place = Place.Node,
        Audit = "database.primary.set", Summary = "Makes another node the primary of a database, without a loss",
        Query = "name!, node!")]
    internal static ValueTask PostPrimaryAsync(RequestContext request) => OfGroupAsync(request, HandOverAsync);

    private static async ValueTask HandOverAsync(RequestContext request, GroupView group)
    {
        string tag = ClusterAnswers.TagOf(ClusterAnswers.Required(request.Query.GetText("node"), "node"));
        if (group.Primary is { } primary && primary.Tag != tag
            && await IsSentAsync(request, group, primary.Tag).ConfigureAwait(false))
        {
            return;
        }

        request.Announce(database: group.Database, detail: DatabaseEvents.Of("node", tag));
        Finish(
            request, group,
            await request.Server.Cluster.HandOverAsync(group.Database, tag, request.Aborted).ConfigureAwait(false));
    }

    [Route("POST", "/admin/databases/reorder", Access.Operator, Place = Place.Observer,
        Audit = "database.nodes.ordered", Summary = "Orders the nodes of a database for clients", Query = "name!")]
    internal static ValueTask ReorderAsync(RequestContext request) => OfGroupAsync(request, ReorderAsync);

    private static async ValueTask ReorderAsync(RequestContext request, GroupView group)
    {
        BlittableObject body = await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
        List<string> order = TagsIn(body, "MembersOrder"u8, "MembersOrder")
            ?? throw new BadRequestException(400, ErrorType.Argument, "MembersOrder must be a list of tags.");
        CheckAll(group, order);
        request.Announce(database: group.Database, detail: DatabaseEvents.Of("order", string.Join(',', order)));
        ClusterOutcome outcome =
            await request.Server.Cluster.ReorderAsync(group.Database, order, request.Aborted).ConfigureAwait(false);
        if (ClusterAnswers.IsDone(request, outcome))
        {
            request.Response.Status = 204;
        }
    }

    [Route("POST", "/admin/databases/topology/modify", Access.Operator, Place = Place.Observer,
        Audit = "database.nodes.changed", Summary = "Sets which nodes have a database", Query = "name!")]
    internal static ValueTask ModifyAsync(RequestContext request) => OfGroupAsync(request, ModifyAsync);

    private static async ValueTask ModifyAsync(RequestContext request, GroupView group)
    {
        BlittableObject body = await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
        List<string> members = TagsIn(body, "Members"u8, "Members")
            ?? throw new BadRequestException(400, ErrorType.Argument, "Members must be a list of tags.");
        List<string> wanted =
        [
            .. members.Concat(TagsIn(body, "Rehabs"u8, "Rehabs") ?? [])
                .Concat(TagsIn(body, "Promotables"u8, "Promotables") ?? []).Distinct(),
        ];
        if (wanted.Count == 0)
        {
            throw new BadRequestException(
                400, ErrorType.InvalidOperation, $"Database '{group.Database}' must have a node.");
        }

        request.Announce(database: group.Database, detail: DatabaseEvents.Of("nodes", string.Join(',', wanted)));
        List<string> order = TagsIn(body, "PriorityOrder"u8, "PriorityOrder") is { Count: > 0 } given ? given : wanted;
        ClusterOutcome outcome = await ChangeAsync(request, group, wanted, order).ConfigureAwait(false);
        if (!ClusterAnswers.IsDone(request, outcome))
        {
            return;
        }

        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        DatabaseRecordJson.WriteTopology(json, request.Server, group.Database);
        json.WriteNumber("RaftCommandIndex"u8, outcome.Index);
        json.WriteEndObject();
    }

    /// <summary>Adds what is missing, then takes what is too much, so that there are never fewer than before or after.
    /// </summary>
    private static async ValueTask<ClusterOutcome> ChangeAsync(
        RequestContext request, GroupView group, List<string> wanted, List<string> order)
    {
        IClusterNode cluster = request.Server.Cluster;
        List<string> present = [.. group.Nodes.Select(node => node.Node.Tag)];
        var last = new ClusterOutcome(ClusterOutcomeStatus.Unchanged, cluster.SeenIndex);
        foreach (string tag in wanted.Except(present))
        {
            last = await cluster.AddMemberAsync(group.Database, tag, request.Aborted).ConfigureAwait(false);
            if (!IsGood(last))
            {
                return last;
            }
        }

        List<string> gone = [.. present.Except(wanted)];
        if (gone.Count > 0)
        {
            last = await cluster.RemoveMembersAsync(group.Database, gone, isHard: false, request.Aborted)
                .ConfigureAwait(false);
            if (!IsGood(last))
            {
                return last;
            }
        }

        List<string> ordered = [.. order.Intersect(wanted), .. wanted.Except(order)];
        ClusterOutcome done = present.Except(gone).Concat(wanted.Except(present)).SequenceEqual(ordered)
            ? last
            : await cluster.ReorderAsync(group.Database, ordered, request.Aborted).ConfigureAwait(false);
        return done.Index >= last.Index ? done : done with { Index = last.Index };
    }

    private static bool IsGood(ClusterOutcome outcome) =>
        outcome.Status is ClusterOutcomeStatus.Done or ClusterOutcomeStatus.Unchanged;

    /// <summary>Does something with the group that the request names, if there is a cluster and it has such a one.
    /// </summary>
    private static ValueTask OfGroupAsync(RequestContext request, Func<RequestContext, GroupView, ValueTask> action)
    {
        if (!request.Server.Cluster.IsClustered)
        {
            return NotServedHandler.AnswerAsync(request);
        }

        string name = ClusterAnswers.Required(request.Query.GetText("name"), "name");
        return ClusterAnswers.GroupOf(request, name) is { } group ? action(request, group) : default;
    }

    /// <summary>Lets the node do it whose it is; false if that is this one.</summary>
    private static async ValueTask<bool> IsSentAsync(RequestContext request, GroupView group, string tag)
    {
        if (request.IsForwarded || tag == request.Server.Cluster.Tag)
        {
            return false;
        }

        NodeView node = request.Server.Cluster.Cluster.Find(tag)
            ?? throw new BadRequestException(400, ErrorType.Argument, $"There is no node {tag} in the cluster.");
        await request.Server.Placement!.SendToAsync(request, node, group).ConfigureAwait(false);
        return true;
    }

    private static void Finish(RequestContext request, GroupView group, ClusterOutcome outcome)
    {
        if (ClusterAnswers.IsDone(request, outcome))
        {
            ClusterAnswers.WriteDatabase(request, group.Database, outcome.Index, outcome.Tags);
        }
    }

    private static void CheckAll(GroupView group, List<string> order)
    {
        string[] present = [.. group.Nodes.Select(node => node.Node.Tag)];
        if (order.Count != present.Length || present.Except(order).Any())
        {
            throw new BadRequestException(
                400, ErrorType.Argument,
                $"The order must have each node of database '{group.Database}' once: {string.Join(", ", present)}.");
        }
    }

    /// <summary>The tags of a list; null if there is none.</summary>
    /// <exception cref="BadRequestException">It is no list of tags, or has one twice.</exception>
    internal static List<string>? TagsIn(BlittableObject body, ReadOnlySpan<byte> member, string name)
    {
        if (!body.TryGet(member, out BlittableValue value) || value.IsNull)
        {
            return null;
        }

        if (!value.TryGetArray(out BlittableArray list))
        {
            throw new BadRequestException(400, ErrorType.Argument, $"{name} must be a list of tags.");
        }

        List<string> tags = [];
        for (int i = 0; i < list.Count; i++)
        {
            string tag = list[i].TryGetString(out string text)
                ? ClusterAnswers.TagOf(text)
                : throw new BadRequestException(400, ErrorType.Argument, $"{name}[{i}] is not a text.");
            if (tags.Contains(tag))
            {
                throw new BadRequestException(400, ErrorType.Argument, $"{name} has {tag} twice.");
            }

            tags.Add(tag);
        }

        return tags;
    }
}
