using System.Text;
using System.Text.Json;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Attachments;
using Raven.Documents.Rows;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Attachments;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>
/// Several attachments in one answer: a JSON object that describes them, right behind it their bytes, in that order.
/// </summary>
internal static class AttachmentsBulkHandler
{
    private const int AttachmentsMax = 1024;

    [Route("POST", "/databases/*/attachments/bulk", Access.Read, Place = Place.Any,
        IsStream = true, Summary = "Reads several attachments at once")]
    internal static async ValueTask PostAsync(RequestContext request)
    {
        BlittableObject body = await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
        if (!body.TryGet("Attachments"u8, out BlittableValue value) || !value.TryGetArray(out BlittableArray list))
        {
            throw new BadRequestException(
                400, ErrorType.Argument, "The body needs Attachments, a list of {\"DocumentId\",\"Name\"}.");
        }

        if (list.Count > AttachmentsMax)
        {
            throw new BadRequestException(413, ErrorType.Argument, $"More than {AttachmentsMax} attachments at once.");
        }

        List<(NativeSlice Hash, long Size)> found = [];
        using (DocumentSnapshot snapshot = request.BeginRead())
        {
            Describe(request, snapshot, list, found);
        }

        foreach ((NativeSlice hash, long size) in found)
        {
            if (!await AttachmentsHandler.CopyAsync(request, hash, 0, size, mustFlush: true).ConfigureAwait(false))
            {
                return;
            }
        }
    }

    private static void Describe(
        RequestContext request, DocumentSnapshot snapshot, BlittableArray list,
        List<(NativeSlice Hash, long Size)> found)
    {
        Arena arena = request.Operation.Arena;
        var reader = new AttachmentReader(snapshot.Transaction);
        Utf8JsonWriter json = request.Response.BeginJson();
        request.Response.Headers.ContentType = "application/octet-stream";
        StoredContent.SetHeaders(request.Response.Headers, name: default);
        json.WriteStartObject();
        json.WriteStartArray("AttachmentsMetadata"u8);
        for (int i = 0; i < list.Count; i++)
        {
            if (list[i].IsNull)
            {
                continue;
            }

            if (!list[i].TryGetObject(out BlittableObject one)
                || !one.TryGet("DocumentId"u8, out BlittableValue id) || id.Kind != ValueKind.String
                || !one.TryGet("Name"u8, out BlittableValue name) || name.Kind != ValueKind.String)
            {
                throw new BadRequestException(
                    400, ErrorType.Argument, $"Attachments[{i}] needs DocumentId and Name, two texts.");
            }

            if (reader.TryGet(id.GetUtf8(arena).Span, name.GetUtf8(arena).Span, out StoredAttachment attachment))
            {
                NativeSlice hash = arena.Allocate(AttachmentHash.SizeBytes);
                attachment.Hash.Span.CopyTo(hash.WritableSpan);
                found.Add((hash, attachment.Size));
                Write(json, in attachment, i);
            }
        }

        json.WriteEndArray();
        json.WriteEndObject();
        json.Flush();
    }

    private static void Write(Utf8JsonWriter json, in StoredAttachment attachment, int index)
    {
        Span<byte> hash = stackalloc byte[AttachmentHash.TextSizeBytes];
        AttachmentHash.Format(attachment.Hash.Span, hash);
        json.WriteStartObject();
        json.WriteNumber("Index"u8, index);
        json.WriteString("DocumentId"u8, attachment.DocumentId.Span);
        json.WriteString("Name"u8, attachment.Name.Span);
        json.WriteString("ContentType"u8, attachment.ContentType.Span);
        json.WriteString("Hash"u8, hash);
        json.WriteString("ChangeVector"u8, Encoding.ASCII.GetString(attachment.ChangeVector.Span));
        json.WriteNumber("Size"u8, attachment.Size);
        json.WriteEndObject();
    }
}
