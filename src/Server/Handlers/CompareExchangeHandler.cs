using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Commands;
using Raven.Documents.CompareExchange;
using Raven.Documents.Ids;
using Raven.Documents.Queries;
using Raven.Documents.Rows;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Commands.Types;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes of compare-exchange values, which are changed by compare-and-set alone.</summary>
internal static class CompareExchangeHandler
{
    [Route("GET", "/databases/*/cmpxchg", Access.Read, Place = Place.Any,
        Summary = "Reads compare-exchange values by keys or by a prefix",
        Query = "key*, startsWith, start:int, pageSize:int")]
    internal static async ValueTask GetAsync(RequestContext request)
    {
        List<NativeSlice> keys = Keys(request);
        using var snapshot = new RenewedSnapshot(request);
        if (keys.Count > 0)
        {
            await WriteByKeysAsync(request, snapshot, keys).ConfigureAwait(false);
            return;
        }

        List<CompareExchangeValue> found = FindByPrefix(snapshot.Current, request);
        request.Response.Headers.ContentType = ContentType.Json;
        request.Response.Write("{\"Results\":["u8);
        var kept = new BufferedResults(request.Server.RequestMemoryBytesMax);
        bool isFirst = true;
        for (int i = 0; i < found.Count; i++)
        {
            // After a wait for the client each value is read anew; removed ones are left out.
            CompareExchangeValue value = found[i];
            if (snapshot.IsRenewed && !TryTake(snapshot.Current, kept, out value))
            {
                continue;
            }

            Write(request, in value, isFirst);
            isFirst = false;
            if (snapshot.IsFull)
            {
                int next = i + 1;
                await snapshot.SendAsync(() => Keep(found, next, kept)).ConfigureAwait(false);
            }
        }

        request.Response.Write("]}"u8);
    }

    [Route("PUT", "/databases/*/cmpxchg", Access.ReadWrite, Place = Place.Primary,
        Summary = "Sets a compare-exchange value where its index is the expected", Query = "key!, index:int")]
    internal static async ValueTask PutAsync(RequestContext request)
    {
        NativeSlice key = request.RequiredUtf8("key");
        long index = request.Query.GetInt64("index", 0);
        BlittableObject body =
            await BodyReader.ReadObjectAsync(request, BlittableMode.ToDisk).ConfigureAwait(false);
        NativeSlice value = CompareExchangePutType.ToStored(request.Operation.Writer, body);
        var action = new CompareExchangeAction(isPut: true, index, value, isLenient: true, request.Operation.Arena);
        await DoAsync(request, key, action).ConfigureAwait(false);
    }

    [Route("DELETE", "/databases/*/cmpxchg", Access.ReadWrite, Place = Place.Primary,
        Summary = "Removes a compare-exchange value with the expected index", Query = "key!, index:int")]
    internal static ValueTask DeleteAsync(RequestContext request)
    {
        NativeSlice key = request.RequiredUtf8("key");
        long? index = request.Query.Has("index") ? request.Query.GetInt64("index", 0) : null;
        return DoAsync(
            request, key,
            new CompareExchangeAction(isPut: false, index, default, isLenient: true, request.Operation.Arena));
    }

    private static async ValueTask DoAsync(RequestContext request, NativeSlice key, CompareExchangeAction action)
    {
        CheckKey(key);
        BatchCommand batch = request.Batch;
        if (batch.TryAddAction(key.Span, action, ExpectedVersion.Any))
        {
            await request.Database.SubmitAsync(batch).ConfigureAwait(false);
        }

        if (!batch.Failure.IsNone)
        {
            CommandFailures.Answer(request, batch.Failure);
            return;
        }

        request.Response.Headers.ContentType = ContentType.Json;
        var json = new JsonOutput(request.Response);
        json.StartObject();
        json.Name("Index"u8);

        // Clients want a number above 0, even if there is no value.
        json.Number(action.Index > 0 ? action.Index : Math.Max(1, batch.LastEtag));
        json.Name("Value"u8);
        CompareExchangeJson.WriteCurrent(ref json, action);
        json.Name("Successful"u8);
        json.Boolean(action.IsDone);
        json.EndObject();
        json.Flush();
    }

    private static List<NativeSlice> Keys(RequestContext request)
    {
        List<NativeSlice> keys = request.Slices;
        foreach (QueryParameters.Parameter parameter in request.Query)
        {
            if (parameter.Is("key"))
            {
                NativeSlice key = request.Decode(parameter.Encoded, "key");
                CheckKey(key);
                keys.Add(key);
            }
        }

        return keys;
    }

    private static void Write(RequestContext request, in CompareExchangeValue value, bool isFirst)
    {
        if (!isFirst)
        {
            request.Response.Write(","u8);
        }

        var json = new JsonOutput(request.Response);
        CompareExchangeJson.Write(ref json, in value, request.Database);
        json.Flush();
    }

    private static void Keep(List<CompareExchangeValue> found, int first, BufferedResults kept)
    {
        for (int i = first; i < found.Count; i++)
        {
            kept.Add(found[i].Key.Span, score: null, entry: -1);
        }
    }

    private static bool TryTake(DocumentSnapshot snapshot, BufferedResults kept, out CompareExchangeValue value)
    {
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        value = default;
        return kept.TryTake(out ReadOnlySpan<byte> key, out _, out _)
            && DocumentId.TryFold(key, folded, out int length, out _)
            && snapshot.TryGetCompareExchange(folded[..length], out value);
    }

    /// <summary>Writes an entry for each key, in their order. A single key that is missing is a 404.</summary>
    private static async ValueTask WriteByKeysAsync(
        RequestContext request, RenewedSnapshot snapshot, List<NativeSlice> keys)
    {
        if (keys.Count == 1 && !TryFind(snapshot.Current, keys[0], out _))
        {
            ErrorResponse.Write(
                request, 404, ErrorType.BadRequest,
                $"There is no compare-exchange value '{Encoding.UTF8.GetString(keys[0].Span)}'.");
            return;
        }

        request.Response.Headers.ContentType = ContentType.Json;
        request.Response.Write("{\"Results\":["u8);
        for (int i = 0; i < keys.Count; i++)
        {
            if (TryFind(snapshot.Current, keys[i], out CompareExchangeValue value))
            {
                Write(request, in value, isFirst: i == 0);
            }
            else
            {
                request.Response.Write(i == 0 ? default : ","u8);
                var json = new JsonOutput(request.Response);
                CompareExchangeJson.WriteMissing(ref json, keys[i].Span);
                json.Flush();
            }

            if (snapshot.IsFull)
            {
                await snapshot.SendAsync(static () => { }).ConfigureAwait(false);
            }
        }

        request.Response.Write("]}"u8);
    }

    private static bool TryFind(DocumentSnapshot snapshot, NativeSlice key, out CompareExchangeValue value)
    {
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        value = default;
        return DocumentId.TryFold(key.Span, folded, out int length, out _)
            && snapshot.TryGetCompareExchange(folded[..length], out value);
    }

    private static List<CompareExchangeValue> FindByPrefix(DocumentSnapshot snapshot, RequestContext request)
    {
        NativeSlice prefix = request.QueryUtf8("startsWith");
        NativeSlice folded = default;
        if (!prefix.IsEmpty)
        {
            CheckKey(prefix);
            folded = request.Operation.Arena.Allocate(DocumentId.SizeBytesMax);
            DocumentId.TryFold(prefix.Span, folded.WritableSpan, out int length, out _);
            folded = folded.Slice(0, length);
        }

        List<CompareExchangeValue> found = [];
        long start = request.Query.GetInt64("start", 0);
        int pageSize = request.Query.GetInt32("pageSize", int.MaxValue);
        var watch = new ScanCancellation(request.Aborted);
        CompareExchangeCursor values = snapshot.CompareExchangeByPrefix(folded);
        while (found.Count < pageSize && values.MoveNext(out CompareExchangeValue value))
        {
            watch.Step();
            if (start-- <= 0)
            {
                found.Add(value);
            }
        }

        return found;
    }

    private static void CheckKey(NativeSlice key) => CompareExchangeKeys.Check(key.Span);
}
