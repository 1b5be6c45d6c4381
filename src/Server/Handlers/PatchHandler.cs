using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Commands;
using Raven.Documents.Json;
using Raven.Documents.Patching;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Commands;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes that change one document by a script.</summary>
internal static class PatchHandler
{
    [Route("PATCH", "/databases/*/docs", Access.ReadWrite, Place = Place.Primary,
        Summary = "Changes a document by a script",
        Query = "id!, skipPatchIfChangeVectorMismatch:bool, debug:bool, test:bool")]
    internal static async ValueTask PatchAsync(RequestContext request)
    {
        NativeSlice id = request.RequiredUtf8("id");
        bool isTest = request.Query.GetBool("test");
        bool isDebug = isTest || request.Query.GetBool("debug");
        BlittableObject body =
            await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
        UnknownMembers.Warn(request, body, UnknownMembers.OfPatches);
        if (!body.TryGet("Patch"u8, out BlittableValue value) || !value.TryGetObject(out BlittableObject script))
        {
            throw new BadRequestException(400, ErrorType.Argument, "The body needs a Patch with a Script.");
        }

        PatchRequest patch = Parse(request, id, script, body, isDebug);
        request.Detail = patch.Script.Text;
        var action = new PatchAction("PATCH", returnsDocument: true);
        BatchCommand batch = request.Batch;
        if (action.TryAddTo(batch, in patch))
        {
            if (isTest)
            {
                await request.Server.Queries.TryPlanAsync(request.Database, batch, request.Aborted)
                    .ConfigureAwait(false);
            }
            else
            {
                await request.Server.Queries.SubmitAsync(request.Database, batch, request.Aborted)
                    .ConfigureAwait(false);
            }
        }

        if (batch.Failure.IsNone)
        {
            Answer(request, in ResultOf(batch, action), action, isDebug);
        }
        else
        {
            CommandFailures.Answer(request, batch.Failure);
        }
    }

    private static PatchRequest Parse(
        RequestContext request, NativeSlice id, BlittableObject script, BlittableObject body, bool isDebug)
    {
        ExpectedVersion expected = EntityTag.Expected(request);
        NativeSlice vector = request.Operation.Arena.Allocate(Math.Max(1, expected.ChangeVector.Length));
        expected.ChangeVector.CopyTo(vector.WritableSpan);
        bool hasIfMissing = body.TryGet("PatchIfMissing"u8, out BlittableValue missing) && !missing.IsNull;
        BlittableObject ifMissing = default;
        if (hasIfMissing && !missing.TryGetObject(out ifMissing))
        {
            throw new BadRequestException(400, ErrorType.Argument, "PatchIfMissing must be an object.");
        }

        return new PatchRequest
        {
            Id = id,
            Script = PatchScript.Parse(script, "Patch"),
            IfMissing = hasIfMissing ? PatchScript.Parse(ifMissing, "PatchIfMissing") : null,
            Check = expected.Check,
            Expected = vector.Slice(0, expected.ChangeVector.Length),
            IsSkippedOnMismatch = request.Query.GetBool("skipPatchIfChangeVectorMismatch"),
            IsDebug = isDebug,
        };
    }

    /// <summary>The operation on the document itself, among those of its script.</summary>
    private static ref readonly DocumentOperation ResultOf(BatchCommand batch, PatchAction action)
    {
        int index = batch.Count - 1;
        while (!ReferenceEquals(batch[index].Action, action))
        {
            index--;
        }

        return ref batch[index];
    }

    private static void Answer(RequestContext request, in DocumentOperation operation, PatchAction action, bool isDebug)
    {
        // Clients take these two from the status alone; with debugging the body is read.
        if (!isDebug && action.Status is PatchStatus.Skipped or PatchStatus.DocumentDoesNotExist)
        {
            request.Response.Status = action.Status == PatchStatus.Skipped ? 304 : 404;
            return;
        }

        request.Response.Headers.ContentType = ContentType.Json;
        var json = new JsonOutput(request.Response);
        json.StartObject();
        json.Name("Status"u8);
        json.String(action.Status.ToString());
        json.Name("ModifiedDocument"u8);
        BatchResultJson.WriteModified(ref json, in operation, action);
        if (isDebug)
        {
            json.Name("OriginalDocument"u8);
            WriteOriginal(ref json, action.Original);
        }

        json.Name("ChangeVector"u8);
        json.String(operation.ChangeVector.Span);
        json.Name("Collection"u8);
        json.String(operation.Collection.Span);
        if (operation.LastModifiedTicks != 0)
        {
            json.Name("LastModified"u8);
            DocumentJson.WriteDate(ref json, operation.LastModifiedTicks);
        }

        if (action.Debug is { } debug)
        {
            json.Name("Debug"u8);
            debug.Write(ref json);
        }

        json.EndObject();
        json.Flush();
    }

    private static void WriteOriginal(ref JsonOutput json, in PlannedDocument original)
    {
        if (!original.Exists)
        {
            json.Null();
            return;
        }

        DocumentJson.Write(ref json, BlittableObject.Open(original.Data), new DocumentSystemFields
        {
            Id = original.Id.Span,
            ChangeVector = original.ChangeVector.Span,
            Collection = "@empty"u8,
            LastModifiedTicks = original.LastModifiedTicks,
            Flags = original.Flags,
        });
    }
}
