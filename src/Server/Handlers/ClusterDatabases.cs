using System.Globalization;
using System.Text.Json;
using Raven.Blittable.Reading;
using Raven.Documents.Catalog;
using Raven.Server.Http;
using Raven.Server.Http.Cluster;
using Raven.Server.Http.Forwarding;

namespace Raven.Server.Handlers;

/// <summary>Creates, changes and deletes databases of a cluster.</summary>
internal static class ClusterDatabases
{
    private const int FactorMax = 99;

    /// <summary>Creates a database, or replaces its record if the request has an etag.</summary>
    /// <param name="request">The request.</param>
    /// <param name="name">The name.</param>
    /// <param name="record">The record.</param>
    /// <param name="json">The same as it was sent.</param>
    internal static async ValueTask PutAsync(
        RequestContext request, string name, BlittableObject record, ReadOnlyMemory<byte> json)
    {
        IClusterNode cluster = request.Server.Cluster;

        // What is wrong with a setting is found before anything is done.
        DatabasesHandler.TakeSettings(json, out _);
        if (long.TryParse(request.Headers.ETag.ToString().Trim('"'), CultureInfo.InvariantCulture, out long etag)
            && etag > 0)
        {
            if (ClusterAnswers.GroupOf(request, name) == null)
            {
                return;
            }

            DatabaseEvents.AnnounceChange(request, name, record);
            Finish(
                request, name, 200,
                await cluster.UpdateDatabaseAsync(name, etag, json, request.Aborted).ConfigureAwait(false));
            return;
        }

        if (!DatabaseName.IsValid(name))
        {
            throw DatabasesHandler.InvalidName(name);
        }

        DatabasePlacement placement = PlacementOf(request, record);
        DatabaseEvents.AnnounceCreation(request, name, record);
        Finish(
            request, name, 201,
            await cluster.CreateDatabaseAsync(name, json, placement, request.Aborted).ConfigureAwait(false));
    }

    /// <summary>Deletes databases, or takes nodes from them.</summary>
    /// <param name="request">The request.</param>
    /// <param name="names">The databases.</param>
    /// <param name="isHard">Whether their files go, too.</param>
    /// <param name="nodes">From which nodes; empty for all.</param>
    internal static async ValueTask DeleteAsync(
        RequestContext request, string[] names, bool isHard, IReadOnlyList<string> nodes)
    {
        IClusterNode cluster = request.Server.Cluster;
        foreach (string name in names)
        {
            if (ClusterAnswers.GroupOf(request, name) is not { } group || !MayDelete(request, name))
            {
                return;
            }

            if (nodes.Except(group.Nodes.Select(node => node.Node.Tag)).FirstOrDefault() is { } stranger)
            {
                throw new BadRequestException(
                    400, ErrorType.InvalidOperation, $"Node {stranger} does not have the database '{name}'.");
            }
        }

        long index = -1;
        foreach (string name in names.Where(name => LockModeOf(request, name).Length == 0))
        {
            request.Announce(database: name, detail: DatabaseEvents.Of("hard", isHard ? "true" : "false"));
            bool isAll = nodes.Count == 0 || (cluster.TryGetGroup(name, out GroupView? group)
                && !group.Nodes.Select(node => node.Node.Tag).Except(nodes).Any());
            ClusterOutcome outcome = isAll
                ? await cluster.DeleteDatabaseAsync(name, isHard, request.Aborted).ConfigureAwait(false)
                : await cluster.RemoveMembersAsync(name, nodes, isHard, request.Aborted).ConfigureAwait(false);
            if (!ClusterAnswers.IsDone(request, outcome))
            {
                return;
            }

            index = Math.Max(index, outcome.Index);
        }

        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("RaftCommandIndex"u8, index);
        json.WriteStartArray("PendingDeletes"u8);
        json.WriteEndArray();
        json.WriteEndObject();
    }

    /// <summary>By the parameter, which clients always send, and the topology in the record.</summary>
    private static DatabasePlacement PlacementOf(RequestContext request, BlittableObject record)
    {
        List<string> tags = [];
        long factor = 1;
        if (record.TryGet("Topology"u8, out BlittableValue value) && value.TryGetObject(out BlittableObject topology))
        {
            tags = DatabaseNodesHandler.TagsIn(topology, "Members"u8, "Topology.Members") ?? [];
            factor = topology.TryGet("ReplicationFactor"u8, out BlittableValue of) && of.TryGetInt64(out long number)
                ? number
                : 1;
        }

        factor = Math.Max(request.Query.GetInt64("replicationFactor", factor), tags.Count);
        return factor is > 0 and <= FactorMax
            ? new DatabasePlacement((int)factor, tags) { First = ForwardHeaders.SenderOf(request) }
            : throw new BadRequestException(
                400, ErrorType.Argument, $"replicationFactor must be from 1 to {FactorMax}, not {factor}.");
    }

    private static bool MayDelete(RequestContext request, string name)
    {
        if (LockModeOf(request, name) != "PreventDeletesError")
        {
            return true;
        }

        ErrorResponse.Write(
            request, 400, ErrorType.InvalidOperation,
            $"Database '{name}' cannot be deleted because of the set lock mode (PreventDeletesError).");
        return false;
    }

    private static string LockModeOf(RequestContext request, string name) =>
        request.Server.TryGetRecord(name, out DatabaseRecord? record)
        && RecordJson.LockModeOf(record.Json) is { Length: > 0 } mode && mode != "Unlock"
            ? mode
            : "";

    private static void Finish(RequestContext request, string name, int status, ClusterOutcome outcome)
    {
        if (ClusterAnswers.IsDone(request, outcome))
        {
            request.Response.Status = status;
            ClusterAnswers.WriteDatabase(request, name, outcome.Index, outcome.Tags);
        }
    }
}
