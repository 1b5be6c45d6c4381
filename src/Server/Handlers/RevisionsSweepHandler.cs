using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Commands;
using Raven.Documents.Ids;
using Raven.Documents.Operations;
using Raven.Documents.Revisions;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Security;

namespace Raven.Server.Handlers;

/// <summary>The routes of work on the revisions of a whole database, as operations that clients poll.</summary>
internal static class RevisionsSweepHandler
{
    [Route("POST", "/databases/*/admin/revisions/config/enforce", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "revisions.enforced", Summary = "Deletes the earlier versions that need not be kept")]
    internal static async ValueTask EnforceAsync(RequestContext request)
    {
        BlittableObject body = await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
        Start(request, RevisionSweepKind.Enforce, Collections(body, request.Operation.Arena), ticks: 0);
    }

    [Route("POST", "/databases/*/revisions/revert", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "revisions.reverted", Summary = "Gives documents the version back that they had at a time")]
    internal static async ValueTask RevertAsync(RequestContext request)
    {
        BlittableObject body = await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
        if (!body.TryGet("Time"u8, out BlittableValue time) || !time.TryGetString(out string text))
        {
            throw new BadRequestException(400, ErrorType.Argument, "Time must say when.");
        }

        Start(
            request, RevisionSweepKind.Revert, Collections(body, request.Operation.Arena),
            TimeParser.Read(text, "Time"));
    }

    private static HashSet<string> Collections(BlittableObject body, Arena arena)
    {
        HashSet<string> collections = [];
        if (body.TryGet("Collections"u8, out BlittableValue value) && value.TryGetArray(out BlittableArray list))
        {
            for (int i = 0; i < list.Count; i++)
            {
                collections.Add(list[i].Kind == ValueKind.String
                    ? DocumentId.FoldedText(list[i].GetUtf8(arena).Span)
                    : throw new BadRequestException(400, ErrorType.Argument, $"Collections[{i}] is not a text."));
            }
        }

        return collections;
    }

    private static void Start(
        RequestContext request, RevisionSweepKind kind, HashSet<string> collections, long ticks)
    {
        request.Announce(detail: DatabaseEvents.Of(
            "collections", collections.Count == 0 ? "all" : string.Join(", ", collections)));
        ServerState server = request.Server;
        Database database = request.Database;
        RunningOperation operation = server.Operations.Begin(database.Name, OperationStarter.Of(request));
        _ = Task.Run(() => RunAsync(server, database, operation, kind, collections, ticks));
        OperationJson.WriteStarted(request, operation);
    }

    private static async Task RunAsync(
        ServerState server, Database database, RunningOperation operation, RevisionSweepKind kind,
        HashSet<string> collections, long ticks)
    {
        OperationContext? context = null;
        try
        {
            context = server.RentContext();
            var command = new RevisionSweepCommand(kind, context) { Collections = collections, RevertToTicks = ticks };
            do
            {
                operation.Killed.ThrowIfCancellationRequested();
                server.Stopping.ThrowIfCancellationRequested();
                await database.SubmitAsync(command).ConfigureAwait(false);
                if (!command.Failure.IsNone)
                {
                    throw new CommandFailedException(command.Failure.Kind, command.Failure.Describe());
                }

                operation.Processed += command.Count;
                command.MoveOn();
            }
            while (!command.IsDone);
            operation.Complete();
        }
#pragma warning disable CA1031 // Any exception ends the operation, and its state reports it.
        catch (Exception e)
#pragma warning restore CA1031
        {
            operation.Fail(FailureMapping.Describe(server, e));
        }
        finally
        {
            if (context is not null)
            {
                server.Contexts.Return(context);
            }

            server.Operations.Ended(operation);
        }
    }
}
