using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Server.Documents;
using Raven.Server.Http;
using Raven.Server.Operations;
using Raven.Server.Routing;

namespace Raven.Server.Handlers;

/// <summary>Gives the disk back what a database does not need any more.</summary>
internal static class CompactHandler
{
    private const double BytesPerMegabyte = 1024 * 1024;

    [Route("POST", "/admin/compact", Access = Access.Operator, Summary = "Compacts the storage of a database")]
    internal static async ValueTask PostAsync(RequestContext request)
    {
        BlittableObject body = await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
        if (!body.TryGet("DatabaseName"u8, out BlittableValue value) || !value.TryGetString(out string name))
        {
            throw new BadRequestException(400, ErrorType.Argument, "DatabaseName must name the database.");
        }

        if (body.TryGet("Indexes"u8, out BlittableValue indexes) && indexes.TryGetArray(out BlittableArray list)
            && list.Count > 0)
        {
            throw new BadRequestException(501, ErrorType.NotSupported, "Compacting indexes is not served.");
        }

        if (!body.TryGet("Documents"u8, out BlittableValue documents) || !documents.TryGetBoolean(out bool yes) || !yes)
        {
            throw new BadRequestException(
                400, ErrorType.Argument, "There is nothing to compact: Documents must be true.");
        }

        if (!request.Server.Databases.TryGet(name, out Database? database))
        {
            DatabaseGate.AnswerMissing(request, name);
            return;
        }

        if (database.IsCompacting)
        {
            throw new BadRequestException(409, ErrorType.Concurrency, $"'{database.Name}' is being compacted already.");
        }

        ServerState server = request.Server;
        RunningOperation operation = server.Operations.TryBegin(database.Name, null)!;
        _ = Task.Run(() => RunAsync(server, database, operation));
        OperationJson.WriteStarted(request.Response.BeginJson(), operation);
    }

    private static async Task RunAsync(ServerState server, Database database, RunningOperation operation)
    {
        try
        {
            using var ended = CancellationTokenSource.CreateLinkedTokenSource(operation.Killed, server.Stopping);
            (long before, long after) = await server.Databases.CompactAsync(
                database, bytes => operation.Processed = bytes, ended.Token).ConfigureAwait(false);
            operation.Complete(
            [
                new("SizeBeforeCompactionInMb", before / BytesPerMegabyte),
                new("SizeAfterCompactionInMb", after / BytesPerMegabyte),
            ]);
        }
#pragma warning disable CA1031 // Whatever went wrong is the end of the operation, and told to who asks after it.
        catch (Exception e)
#pragma warning restore CA1031
        {
            operation.Fail(FailureMapping.Describe(server, e));
        }
        finally
        {
            server.Operations.Ended(operation);
        }
    }
}
