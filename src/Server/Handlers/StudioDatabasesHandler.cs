using System.Text.Json;
using Raven.Documents;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Monitoring;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Cluster;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The route of the Studio's list of databases.</summary>
internal static class StudioDatabasesHandler
{
    private const int PageSizeDefault = 128;
    private const int PageSizeMax = 256;

    [Route("GET", "/studio/databases", Access.ValidUser, Place = Place.Node,
        Summary = "The databases that the caller may read, and the state of each; none is opened for it",
        Query = "start:int, pageSize:int, filter")]
    internal static ValueTask GetAsync(RequestContext request)
    {
        int start = request.Query.GetInt32("start", 0);
        int size = Math.Min(PageSizeMax, request.Query.GetInt32("pageSize", PageSizeDefault, min: 1));
        string filter = request.Query.GetText("filter") ?? "";
        IEnumerable<string> all = request.Server.Databases.Names();
        if (request.Server.Cluster.IsClustered)
        {
            all = all.Union(request.Server.Cluster.DatabaseNames, StringComparer.OrdinalIgnoreCase)
                .Order(StringComparer.OrdinalIgnoreCase);
        }

        string[] names = [.. all.Where(name =>
            name.Contains(filter, StringComparison.OrdinalIgnoreCase) && request.Identity.May(Access.Read, name))];
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("TotalResults"u8, names.Length);
        json.WriteNumber("Start"u8, start);
        json.WriteStartArray("Databases"u8);
        foreach (string name in names.Skip(start).Take(size))
        {
            request.Aborted.ThrowIfCancellationRequested();
            if (request.Server.Databases.TryGet(name, out Database? database))
            {
                Write(request, json, database);
            }
            else
            {
                WriteElsewhere(request, json, name);
            }
        }

        json.WriteEndArray();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    private static void Write(RequestContext request, Utf8JsonWriter json, Database database)
    {
        string? fault = database.Fault ?? database.OpenStorage?.Environment.Damage?.Message;
        DatabaseFigures? figures = database.IsDisabled ? null : DatabaseFigures.ReadIfOpen(database);
        json.WriteStartObject();
        json.WriteString("Name"u8, database.Name);
        json.WriteString(
            "State"u8,
            fault is not null ? "Faulted"u8 : database.IsDisabled ? "Disabled"u8
            : figures is null ? "Closed"u8 : "Open"u8);
        json.WriteBoolean("IsDisabled"u8, database.IsDisabled);
        json.WriteString("Fault"u8, fault);
        json.WriteNumber("SizeBytes"u8, request.Server.Sizes.Of(database));
        WriteCount(json, "Documents"u8, figures?.Counts.DocumentCount);
        WriteCount(json, "Indexes"u8, figures?.Indexes.Count);
        WriteCount(json, "StaleIndexes"u8, figures?.Indexes.Count(one => one.IsStale));
        WriteCount(
            json, "FaultyIndexes"u8, figures?.Indexes.Count(one => one.Index.State == IndexState.Error));
        WriteNodes(json, request.Server.Cluster, database.Name);
        json.WriteEndObject();
    }

    /// <summary>The nodes of a database, the primary first; null where there is no cluster.</summary>
    private static void WriteNodes(Utf8JsonWriter json, IClusterNode cluster, string database)
    {
        if (!cluster.TryGetGroup(database, out GroupView? group))
        {
            json.WriteNull("Nodes"u8);
            return;
        }

        json.WriteStartArray("Nodes"u8);
        foreach (GroupNode node in group.Nodes)
        {
            json.WriteStartObject();
            json.WriteString("NodeTag"u8, node.Node.Tag);
            json.WriteString("Role"u8, node.Role.ToString());
            json.WriteBoolean("IsAlive"u8, node.Node.IsAlive);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    /// <summary>A database that other nodes have, and this one lets them serve.</summary>
    private static void WriteElsewhere(RequestContext request, Utf8JsonWriter json, string name)
    {
        if (!request.Server.Cluster.TryGetGroup(name, out GroupView? group))
        {
            return;
        }

        json.WriteStartObject();
        json.WriteString("Name"u8, group.Database);
        json.WriteString("State"u8, "Elsewhere"u8);
        json.WriteBoolean("IsDisabled"u8, false);
        foreach (string figure in (string[])
            ["Fault", "SizeBytes", "Documents", "Indexes", "StaleIndexes", "FaultyIndexes"])
        {
            json.WriteNull(figure);
        }

        WriteNodes(json, request.Server.Cluster, name);
        json.WriteEndObject();
    }

    private static void WriteCount(Utf8JsonWriter json, ReadOnlySpan<byte> name, long? count)
    {
        if (count is { } known)
        {
            json.WriteNumber(name, known);
        }
        else
        {
            json.WriteNull(name);
        }
    }
}
