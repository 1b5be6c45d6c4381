using System.Globalization;
using System.Text.Json;
using Raven.Documents.Operations;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Security;

namespace Raven.Server.Handlers;

/// <summary>The routes of operations: their ids, their progress, and their end.</summary>
internal static class OperationsHandler
{
    private const int PageSizeMax = 1024;

    private static readonly TimeSpan EndMax = TimeSpan.FromSeconds(5);

    [Route("GET", "/databases/*/operations/next-operation-id", Access.Read, Place = Place.Primary,
        Summary = "An id for an operation to come")]
    internal static ValueTask NextIdAsync(RequestContext request)
    {
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("Id"u8, request.Server.Operations.NextId());
        json.WriteString("NodeTag"u8, request.Server.Cluster.Tag);
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/databases/*/operations/state", Access.Read, Place = Place.Primary,
        Summary = "How far an operation of a database is", Query = "id:int")]
    internal static ValueTask GetStateAsync(RequestContext request) =>
        WriteState(request, request.Database.Name, Access.DatabaseAdmin);

    [Route("GET", "/operations/state", Access.ValidUser, Place = Place.Node,
        Summary = "How far an operation of the server is", Query = "id:int")]
    internal static ValueTask GetServerStateAsync(RequestContext request) =>
        WriteState(request, null, Access.Operator);

    [Route("GET", "/databases/*/operations", Access.Read, Place = Place.Primary,
        Summary = "The operations of a database that run, or ended of late: one's own, or all for an administrator",
        Query = "id:int, start:int, pageSize:int")]
    internal static ValueTask GetAllAsync(RequestContext request) => WriteAll(request, request.Database.Name);

    [Route("GET", "/operations", Access.ValidUser, Place = Place.Node,
        Summary = "The operations that run, or ended of late: one's own, and those of databases that one manages",
        Query = "id:int, start:int, pageSize:int")]
    internal static ValueTask GetAllOfServerAsync(RequestContext request) => WriteAll(request, null);

    [Route("POST", "/databases/*/operations/kill", Access.Read, Place = Place.Primary,
        Audit = "operation.killed", IsAuditNote = true, Summary = "Ends an operation of a database", Query = "id:int")]
    internal static ValueTask KillAsync(RequestContext request) =>
        EndAsync(request, request.Database.Name, Access.DatabaseAdmin);

    [Route("POST", "/admin/operations/kill", Access.Operator, Place = Place.Node,
        Audit = "operation.killed", IsAuditNote = true, Summary = "Ends an operation of the server", Query = "id:int")]
    internal static ValueTask KillServerAsync(RequestContext request) => EndAsync(request, null, Access.Operator);

    /// <summary>Lists what the caller may ask for: no more are known than that have ended of late.</summary>
    private static ValueTask WriteAll(RequestContext request, string? database)
    {
        long id = request.Query.GetInt64("id", -1);
        int start = request.Query.GetInt32("start", 0);
        int size = Math.Min(PageSizeMax, request.Query.GetInt32("pageSize", PageSizeMax, min: 1));
        RunningOperation[] found = [.. request.Server.Operations.All
            .Where(one => (id < 0 || one.Id == id)
                && (database == null || one.Database.Equals(database, StringComparison.OrdinalIgnoreCase))
                && (OperationStarter.IsOwn(request, one) || request.Identity.May(Access.DatabaseAdmin, one.Database)))
            .OrderBy(one => one.Id)];
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("TotalResults"u8, found.Length);
        json.WriteStartArray("Results"u8);
        foreach (RunningOperation operation in found.Skip(start).Take(size))
        {
            json.WriteStartObject();
            json.WriteNumber("Id"u8, operation.Id);
            json.WriteString("Database"u8, operation.Database);
            json.WriteTime("StartTime"u8, operation.StartedAt);
            json.WritePropertyName("State"u8);
            OperationJson.WriteState(json, operation);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    /// <summary>Answers who started the operation, and others who have a right.</summary>
    private static ValueTask WriteState(RequestContext request, string? database, Access ofOthers)
    {
        RunningOperation? operation = Find(request, database);
        if (operation == null)
        {
            return ValueTask.CompletedTask;
        }

        OperationStarter.RequireOwn(request, operation, ofOthers);
        OperationJson.WriteState(request.Response.BeginJson(), operation);
        return ValueTask.CompletedTask;
    }

    /// <summary>Answers when the operation has ended, or soon after if that takes long.</summary>
    private static async ValueTask EndAsync(RequestContext request, string? database, Access ofOthers)
    {
        OperationRegistry operations = request.Server.Operations;
        long id = request.Query.GetInt64("id", -1);
        RunningOperation? operation = operations.Find(database, id);
        if (operation is null)
        {
            // Clients take a 404 for done, and a client that chose the id may be about to send its stream.
            string message = $"There is no operation {id}.";
            var killed = new FailureAnswer(
                400, ErrorType.BulkInsertAborted, $"The operation {id} was killed before it began.");

            // The ids of others can be guessed: who may write nothing begins nothing, and forbids nothing.
            bool isForbidden = database != null && id > 0 && request.Identity.May(Access.ReadWrite, database)
                && operations.TryForbid(database, id, killed, OperationStarter.Of(request));
            throw new BadRequestException(
                400, ErrorType.InvalidOperation, isForbidden ? $"{message} None will begin under this id." : message);
        }

        OperationStarter.RequireOwn(request, operation, ofOthers);
        request.Announce(resource: id.ToString(CultureInfo.InvariantCulture));
        operation.Kill();
        Task patience = Task.Delay(EndMax, request.Server.Time, request.Server.Stopping);
        await Task.WhenAny(operation.Ended, patience).ConfigureAwait(false);
        request.Response.Status = 204;
    }

    private static RunningOperation? Find(RequestContext request, string? database)
    {
        long id = request.Query.GetInt64("id", -1);
        RunningOperation? operation = request.Server.Operations.Find(database, id);
        if (operation == null)
        {
            ErrorResponse.Write(
                request, 404, ErrorType.BadRequest, $"There is no operation {id}; ended ones are forgotten.");
        }

        return operation;
    }
}
