using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Commands;
using Raven.Documents.Counters;
using Raven.Documents.Ids;
using Raven.Documents.Rows;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Commands.Types;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes of counters: numbers of a document that clients add to at once, without a
/// lost increment.</summary>
internal static class CountersHandler
{
    [Route("GET", "/databases/*/counters", Access.Read, Place = Place.Any,
        Summary = "Reads counters of a document", Query = "docId!, counter*, full:bool")]
    internal static ValueTask GetAsync(RequestContext request)
    {
        NativeSlice id = request.RequiredUtf8("docId");
        DocumentReadHandler.CheckId(id);
        bool isFull = request.Query.GetBool("full");
        List<NativeSlice> names = request.Slices;
        foreach (QueryParameters.Parameter parameter in request.Query)
        {
            if (parameter.Is("counter"))
            {
                names.Add(request.Decode(parameter.Encoded, "counter"));
            }
        }

        using DocumentSnapshot snapshot = request.BeginRead();
        JsonOutput json = Begin(request);
        Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
        DocumentId.TryFold(id.Span, key, out int length, out _);
        if (names.Count == 0)
        {
            var watch = new ScanCancellation(request.Aborted);
            CounterCursor counters = snapshot.CountersOf(key[..length]);
            while (counters.MoveNext(out StoredCounter counter))
            {
                watch.Step();
                Write(ref json, in counter, counter.Name.Span, isFull);
            }
        }
        else
        {
            WriteNamed(ref json, snapshot, key[..length], names, isFull);
        }

        End(ref json);
        return ValueTask.CompletedTask;
    }

    [Route("POST", "/databases/*/counters", Access.Read, Place = Place.Primary,
        Summary = "Adds to counters of documents, reads and deletes them")]
    internal static async ValueTask PostAsync(RequestContext request)
    {
        BlittableObject body =
            await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
        UnknownMembers.Warn(request, body, UnknownMembers.OfCounters);
        if (!body.TryGet("Documents"u8, out BlittableValue documents)
            || !documents.TryGetArray(out BlittableArray list))
        {
            throw new BadRequestException(400, ErrorType.Argument, "The body needs Documents, a list.");
        }

        bool isFull = body.TryGet("ReplyWithAllNodesValues"u8, out BlittableValue full)
            && full.TryGetBoolean(out bool yes) && yes;
        BatchCommand batch = request.Batch;
        for (int i = 0; i < list.Count && batch.Failure.IsNone; i++)
        {
            if (list[i].IsNull)
            {
                continue;
            }

            if (!list[i].TryGetObject(out BlittableObject one))
            {
                throw new BadRequestException(400, ErrorType.Argument, $"Documents[{i}] must be an object.");
            }

            NativeSlice id = CountersType.IdOf(one, request.Operation.Arena, i);
            CountersType.TryAdd(batch, id, one, i);
        }

        if (IsChange(batch))
        {
            request.Require(Access.ReadWrite);
        }

        if (batch.Failure.IsNone && batch.Count > 0)
        {
            await request.Database.SubmitAsync(batch).ConfigureAwait(false);
        }

        if (!batch.Failure.IsNone)
        {
            CommandFailures.Answer(request, batch.Failure);
            return;
        }

        JsonOutput json = Begin(request);
        for (int i = 0; i < batch.Count; i++)
        {
            CounterJson.WriteResults(
                ref json, batch[i].Id, (CountersAction)batch[i].Action!, isFull, request.Database.Id.Utf8);
        }

        End(ref json);
    }

    /// <summary>Whether anything but reading is asked for: clients read many counters by a POST, too.</summary>
    private static bool IsChange(BatchCommand batch)
    {
        for (int i = 0; i < batch.Count; i++)
        {
            foreach (ref readonly CounterOperation operation in ((CountersAction)batch[i].Action!).Operations)
            {
                if (operation.Kind != CounterOperationKind.Get)
                {
                    return true;
                }
            }
        }

        return false;
    }

    private static JsonOutput Begin(RequestContext request)
    {
        request.Response.Headers.ContentType = ContentType.Json;
        var json = new JsonOutput(request.Response);
        json.StartObject();
        json.Name("Counters"u8);
        json.StartArray();
        return json;
    }

    private static void End(ref JsonOutput json)
    {
        json.EndArray();
        json.EndObject();
        json.Flush();
    }

    private static void WriteNamed(
        ref JsonOutput json, DocumentSnapshot snapshot, scoped ReadOnlySpan<byte> documentKey, List<NativeSlice> names,
        bool isFull)
    {
        Span<byte> key = stackalloc byte[CounterKey.SizeBytesMax];
        foreach (NativeSlice name in names)
        {
            if (CounterKey.TryWrite(key, documentKey, name.Span, out int length, out _)
                && snapshot.TryGetCounter(key[..length], out StoredCounter counter))
            {
                Write(ref json, in counter, name.Span, isFull);
            }
            else
            {
                json.Null();
            }
        }
    }

    /// <summary>Writes a counter under the name of the request, under which the client looks for it.</summary>
    private static void Write(ref JsonOutput json, in StoredCounter counter, ReadOnlySpan<byte> name, bool isFull)
    {
        ReadOnlySpan<byte> id = counter.DocumentId.Span;
        ReadOnlySpan<byte> vector = counter.ChangeVector.Span;
        if (!isFull)
        {
            CounterJson.Write(ref json, id, name, counter.Value, vector);
            return;
        }

        CounterJson.WriteFull(
            ref json, id, name, counter.Value, vector, vector[(vector.IndexOf((byte)'-') + 1)..]);
    }
}
