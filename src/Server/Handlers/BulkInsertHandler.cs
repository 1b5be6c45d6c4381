using Raven.Documents;
using Raven.Documents.Operations;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The route of bulk inserts: documents as one long stream, committed in batches while it
/// is received.</summary>
internal static class BulkInsertHandler
{
    [Route("POST", "/databases/*/bulk_insert", Access.ReadWrite,
        IsStream = true, Summary = "Writes a stream of documents, in batches",
        Query = "id:int, skipOverwriteIfUnchanged:bool")]
    internal static async ValueTask PostAsync(RequestContext request)
    {
        QueryParameters query = request.Query;
        bool skipUnchanged = query.GetBool("skipOverwriteIfUnchanged");
        OperationRegistry operations = request.Server.Operations;
        RunningOperation operation = query.Has("id")
            ? Begin(request, query.GetInt64("id", 0))
            : operations.Begin(request.Database.Name);

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
            string message = $"The bulk insert was killed. {operation.Processed} documents are in.";
            operation.Fail(new FailureAnswer(400, ErrorType.BulkInsertAborted, message));
            ErrorResponse.Write(request, 400, ErrorType.BulkInsertAborted, message);
            await request.Response.FlushAsync(CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            operation.Fail(FailureMapping.Describe(request.Server, e));
            throw;
        }
        finally
        {
            operations.Ended(operation);
        }
    }

    private static RunningOperation Begin(RequestContext request, long id) =>
        request.Server.Operations.TryBegin(request.Database.Name, id)
        ?? throw new BadRequestException(400, ErrorType.Argument, $"The operation {id} was begun or killed before.");
}
