using System.Runtime.CompilerServices;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Commands;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes that write one document.</summary>
internal static class DocumentWriteHandler
{
    [Route("PUT", "/databases/*/docs", Access.ReadWrite, Place = Place.Primary, Summary = "Writes a document",
        Query = "id!")]
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    internal static async ValueTask PutAsync(RequestContext request)
    {
        NativeSlice id = request.RequiredUtf8("id");
        BlittableObject document =
            await BodyReader.ReadObjectAsync(request, BlittableMode.ToDisk).ConfigureAwait(false);
        BatchCommand batch = request.Batch;
        if (batch.TryAddPut(id.Span, document, EntityTag.Expected(request)))
        {
            await request.Database.SubmitAsync(batch).ConfigureAwait(false);
        }

        if (batch.Failure.IsNone)
        {
            request.Response.Status = 201;
            WritePut(request, in batch[0]);
        }
        else
        {
            CommandFailures.Answer(request, batch.Failure);
        }
    }

    [Route("DELETE", "/databases/*/docs", Access.ReadWrite, Place = Place.Primary, Summary = "Deletes a document",
        Query = "id!")]
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    internal static async ValueTask DeleteAsync(RequestContext request)
    {
        NativeSlice id = request.RequiredUtf8("id");
        BatchCommand batch = request.Batch;
        if (batch.TryAddDelete(id.Span, EntityTag.Expected(request)))
        {
            await request.Database.SubmitAsync(batch).ConfigureAwait(false);
        }

        if (batch.Failure.IsNone)
        {
            request.Response.Status = 204;
        }
        else
        {
            CommandFailures.Answer(request, batch.Failure);
        }
    }

    private static void WritePut(RequestContext request, in DocumentOperation operation)
    {
        request.Response.Headers.ContentType = ContentType.Json;
        var json = new JsonOutput(request.Response);
        json.StartObject();
        json.Name("Id"u8);
        json.String(operation.Id.Span);
        json.Name("ChangeVector"u8);
        json.String(operation.ChangeVector.Span);
        json.EndObject();
        json.Flush();
    }
}
