using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Server.Documents;
using Raven.Server.Documents.Commands;
using Raven.Server.Http;
using Raven.Server.Indexing.Definitions;
using Raven.Server.Options;
using Raven.Server.Routing;
using Raven.Server.Samples;

namespace Raven.Server.Handlers;

/// <summary>Fills an empty database with data to try queries on.</summary>
internal static class SampleDataHandler
{
    [Route("POST", "/databases/*/studio/sample-data", Access = Access.DatabaseAdmin,
        Summary = "Fills an empty database with sample documents and their indexes")]
    internal static async ValueTask PostAsync(RequestContext request)
    {
        Database database = request.Database;
        using (DocumentSnapshot snapshot = database.BeginRead())
        {
            if (snapshot.DocumentCount > 0)
            {
                throw new BadRequestException(
                    400, ErrorType.InvalidOperation,
                    $"The database '{database.Name}' has {snapshot.DocumentCount} documents: sample data is for an "
                    + "empty one.");
            }
        }

        await WriteAsync(request, database).ConfigureAwait(false);
        if (request.Server.Options.IndexingCSharp != CSharpUse.None)
        {
            foreach (IndexDefinition definition in SampleData.Indexes)
            {
                await database.Indexes.Changes.PutAsync(definition).ConfigureAwait(false);
            }
        }

        request.Response.Status = 201;
    }

    /// <summary>All documents, or none.</summary>
    private static async ValueTask WriteAsync(RequestContext request, Database database)
    {
        ServerState server = request.Server;
        OperationContext context = server.RentContext();
        BatchCommand batch = server.Batches.Get();
        try
        {
            batch.Reset(context);
            batch.DocumentSizeBytesMax = server.Options.DocumentSizeBytesMax;
            foreach ((string id, byte[] json) in SampleData.Documents())
            {
                if (!context.Parser.TryParse(
                    json, BlittableMode.ToDisk, out BlittableObject document, out JsonError error)
                    || !batch.TryAddPut(Encoding.UTF8.GetBytes(id), document, ExpectedVersion.Any))
                {
                    throw new InvalidOperationException($"'{id}' of the sample data is no document: {error}");
                }
            }

            await database.SubmitAsync(batch).ConfigureAwait(false);
            if (!batch.Failure.IsNone)
            {
                (int status, string type) = CommandFailures.KindOf(batch.Failure.Kind);
                throw new BadRequestException(status, type, batch.Failure.Describe());
            }
        }
        finally
        {
            server.Batches.Return(batch);
            server.Contexts.Return(context);
        }
    }
}
