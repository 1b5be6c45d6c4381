using Raven.Documents;
using Raven.Documents.Operations;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Security;

namespace Raven.Server.Handlers;

/// <summary>The route of bulk inserts: documents as one long stream, committed in batches while it
/// is received.</summary>
internal static class BulkInsertHandler
{
    [Route("POST", "/databases/*/bulk_insert", Access.ReadWrite, Place = Place.Primary,
        IsStream = true, Summary = "Writes a stream of documents, in batches",
        Query = "id:int, skipOverwriteIfUnchanged:bool")]
    internal static async ValueTask PostAsync(RequestContext request)
    {
        QueryParameters query = request.Query;
        bool skipUnchanged = query.GetBool("skipOverwriteIfUnchanged");
        OperationRegistry operations = request.Server.Operations;
        RunningOperation operation = query.Has("id")
            ? Begin(request, query.GetInt64("id", 0))
            : operations.Begin(request.Database.Name, OperationStarter.Of(request));
        request.Ending = _ => operation.Kill();

        // Clients may never end the body, so that the connection is closed after the answer.
        request.Response.Headers.Connection = "close";
        try
        {
            await new BulkInsert(request, operation, skipUnchanged).RunAsync().ConfigureAwait(false);
            operation.Complete();
        }
        catch (OperationCanceledException) when (request.Database.IsDeleted)
        {
            var deleted = new DatabaseDeletedException(request.Database.Name);
            operation.Fail(FailureMapping.Describe(request.Server, deleted));
            throw deleted;
        }
        catch (OperationCanceledException) when (operation.Killed.IsCancellationRequested)
        {
            // The client is answered now: a request that killed the insert gets its answer only when this has ended.
            string? reason = request.EndReason;
            FailureAnswer killed = new(
                reason == null ? 400 : 403, reason == null ? ErrorType.BulkInsertAborted : ErrorType.Authorization,
                $"{reason ?? "The bulk insert was killed."} {operation.Processed} documents are in.");
            operation.Fail(killed);
            ErrorResponse.Write(request, killed.StatusCode, killed.Type, killed.Message);
            await request.Response.FlushAsync(CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            request.HasWrittenPart = operation.Processed > 0;
            operation.Fail(FailureMapping.Describe(request.Server, e));
            throw;
        }
        finally
        {
            operations.Ended(operation);
        }
    }

    private static RunningOperation Begin(RequestContext request, long id) =>
        request.Server.Operations.TryBegin(request.Database.Name, id, OperationStarter.Of(request))
        ?? throw new BadRequestException(400, ErrorType.Argument, $"The operation {id} was begun or killed before.");
}
