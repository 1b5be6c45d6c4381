using System.Globalization;
using System.Text;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Attachments;
using Raven.Documents.Commands;
using Raven.Documents.Rows;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Attachments;
using Raven.Server.Http.Commands.Types;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes for attachments: bytes of any size that belong to a document.</summary>
internal static class AttachmentsHandler
{
    private const int FlushSizeBytes = 256 * 1024;

    [Route("GET", "/databases/*/attachments", Access.Read, Place = Place.Any,
        IsStream = true, Summary = "Reads an attachment, or a range of it", Query = "id!, name!")]
    internal static ValueTask GetAsync(RequestContext request) => AnswerAsync(request, revision: default);

    [Route("HEAD", "/databases/*/attachments", Access.Read, Place = Place.Any,
        Summary = "The version and size of an attachment", Query = "id!, name!")]
    internal static ValueTask HeadAsync(RequestContext request) => AnswerAsync(request, revision: default);

    [Route("POST", "/databases/*/attachments", Access.Read, Place = Place.Any,
        IsStream = true, Summary = "Reads an attachment of a revision", Query = "id!, name!")]
    internal static async ValueTask PostAsync(RequestContext request)
    {
        BlittableObject body = await BodyReader.ReadObjectAsync(request, BlittableMode.ToMemory).ConfigureAwait(false);
        bool isOfRevision = body.TryGet("Type"u8, out BlittableValue type) && type.StringEquals("Revision"u8);
        if (!isOfRevision && !type.StringEquals("Document"u8))
        {
            throw new BadRequestException(400, ErrorType.Argument, "Type must be Revision or Document.");
        }

        NativeSlice revision = default;
        if (isOfRevision)
        {
            revision = body.TryGet("ChangeVector"u8, out BlittableValue vector) && vector.Kind == ValueKind.String
                ? vector.GetUtf8(request.Operation.Arena)
                : throw new BadRequestException(400, ErrorType.Argument, "ChangeVector must name the revision.");
        }

        await AnswerAsync(request, revision).ConfigureAwait(false);
    }

    [Route("PUT", "/databases/*/attachments", Access.ReadWrite, Place = Place.Primary,
        IsStream = true, Summary = "Writes an attachment of a document", Query = "id!, name!, contentType")]
    internal static async ValueTask PutAsync(RequestContext request)
    {
        NativeSlice id = request.RequiredUtf8("id");
        NativeSlice name = request.RequiredUtf8("name");
        NativeSlice contentType = request.QueryUtf8("contentType");
        AttachmentFields.CheckContentType(contentType.Span);
        Arena arena = request.Operation.Arena;
        NativeSlice key = AttachmentFields.Key(arena, id.Span, name.Span);
        long sizeMax = request.Server.Options.AttachmentSizeBytesMax;
        LiftBodyLimit(request, sizeMax);
        AttachmentUpload upload = new(request);
        await using (upload.ConfigureAwait(false))
        {
            BodySource body = request.BeginBody(sizeMax);
            await upload.TakeAsync(body, -1, request.Aborted).ConfigureAwait(false);
            AttachmentContent content = await upload.FinishAsync(
                new AttachmentContent { Name = name, ContentType = contentType }, arena).ConfigureAwait(false);
            var action = new AttachmentPutAction(arena, key, content);
            BatchCommand batch = request.Batch;
            if (batch.TryAddAction(id.Span, action, EntityTag.Expected(request)))
            {
                await request.Database.SubmitAsync(batch).ConfigureAwait(false);
            }

            if (!batch.Failure.IsNone)
            {
                CommandFailures.Answer(request, batch.Failure);
                return;
            }

            upload.SetTaken();
            WritePut(request, action, in batch[0]);
        }
    }

    [Route("DELETE", "/databases/*/attachments", Access.ReadWrite, Place = Place.Primary,
        Summary = "Deletes an attachment of a document", Query = "id!, name!")]
    internal static async ValueTask DeleteAsync(RequestContext request)
    {
        NativeSlice id = request.RequiredUtf8("id");
        NativeSlice name = request.RequiredUtf8("name");
        Arena arena = request.Operation.Arena;
        BatchCommand batch = request.Batch;
        BatchAction action = new AttachmentDeleteAction(arena, AttachmentFields.Key(arena, id.Span, name.Span), name);
        if (batch.TryAddAction(id.Span, action, EntityTag.Expected(request)))
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

    /// <summary>
    /// Lets a request have a longer body than others, if it has not been read yet; null for any length.
    /// </summary>
    internal static void LiftBodyLimit(RequestContext request, long? sizeBytesMax)
    {
        IHttpMaxRequestBodySizeFeature? size = request.Features.Get<IHttpMaxRequestBodySizeFeature>();
        if (size is { IsReadOnly: false })
        {
            size.MaxRequestBodySize = sizeBytesMax;
        }
    }

    private static void WritePut(RequestContext request, AttachmentPutAction action, in DocumentOperation operation)
    {
        request.Response.Status = 201;
        request.Response.Headers.ContentType = ContentType.Json;
        AttachmentContent content = action.Content;
        var json = new JsonOutput(request.Response);
        json.StartObject();
        json.Name("DocumentId"u8);
        json.String(operation.Id.Span);
        json.Name("ChangeVector"u8);
        json.String(action.ChangeVector.Span);
        AttachmentJson.WriteDetails(
            ref json, content.Name.Span, content.Hash.Span, content.ContentType.Span, content.Size);
        json.EndObject();
        json.Flush();
    }

    private static async ValueTask AnswerAsync(RequestContext request, NativeSlice revision)
    {
        StoredContent.RefuseAsCode(request);
        NativeSlice id = request.RequiredUtf8("id");
        NativeSlice name = request.RequiredUtf8("name");
        NativeSlice hash = request.Operation.Arena.Allocate(AttachmentHash.SizeBytes);
        if (!TryBegin(request, id, name, revision, hash, out ByteRange range))
        {
            return;
        }

        await CopyAsync(request, hash, range.Start, range.Length, range.Length > FlushSizeBytes).ConfigureAwait(false);
    }

    /// <summary>Writes bytes of a content.</summary>
    /// <param name="request">The request that is answered.</param>
    /// <param name="hash">The content.</param>
    /// <param name="start">The first byte.</param>
    /// <param name="length">How many.</param>
    /// <param name="mustFlush">Sends what was written, piece by piece.</param>
    /// <returns>False if it was deleted while it was read; the connection is closed then.</returns>
    internal static async ValueTask<bool> CopyAsync(
        RequestContext request, NativeSlice hash, long start, long length, bool mustFlush)
    {
        // The content of a hash never changes, so that each piece may come from a snapshot of its own: none is held
        // while the client reads.
        long offset = start;
        long end = start + length;
        while (offset < end)
        {
            int copied = CopyPiece(request, hash, offset, (int)Math.Min(FlushSizeBytes, end - offset));
            if (copied == 0)
            {
                request.Abort();
                return false;
            }

            offset += copied;
            if (mustFlush)
            {
                await request.Response.FlushAsync(request.Aborted).ConfigureAwait(false);
            }
        }

        return true;
    }

    /// <summary>Writes the headers of the answer.</summary>
    /// <returns>True if the bytes must follow.</returns>
    private static bool TryBegin(
        RequestContext request, NativeSlice id, NativeSlice name, NativeSlice revision, NativeSlice hash,
        out ByteRange range)
    {
        range = default;
        using DocumentSnapshot snapshot = request.BeginRead();
        if (!TryFind(snapshot, id, name, revision, out StoredAttachment attachment))
        {
            ErrorResponse.Write(
                request, 404, ErrorType.AttachmentMissing, $"Document '{Text(id)}' has no attachment '{Text(name)}'.");
            return false;
        }

        attachment.Hash.Span.CopyTo(hash.WritableSpan);
        Span<byte> hashText = stackalloc byte[AttachmentHash.TextSizeBytes];
        AttachmentHash.Format(hash.Span, hashText);
        string tag = EntityTag.OfChangeVector(attachment.ChangeVector.Span);
        IHeaderDictionary headers = request.Response.Headers;
        headers.ETag = tag;
        headers["Attachment-Hash"] = Encoding.ASCII.GetString(hashText);
        headers["Attachment-Size"] = attachment.Size.ToString(CultureInfo.InvariantCulture);
        headers.AcceptRanges = "bytes";
        StoredContent.SetHeaders(headers, name.Span);
        string contentType = Text(attachment.ContentType);
        headers.ContentType = contentType.Length == 0 ? "application/octet-stream" : contentType;
        if (EntityTag.IsKnown(request, tag))
        {
            request.Response.Status = 304;
            return false;
        }

        if (!ByteRange.TryRead(request, attachment.Size, tag, out range))
        {
            headers.ContentRange = $"bytes */{attachment.Size}";
            ErrorResponse.Write(
                request, 416, ErrorType.Argument, $"The attachment has {attachment.Size} bytes, none in that range.");
            return false;
        }

        if (range.Length < attachment.Size)
        {
            request.Response.Status = 206;
            headers.ContentRange = $"bytes {range.Start}-{range.Start + range.Length - 1}/{attachment.Size}";
        }

        headers.ContentLength = range.Length;
        return request.Verb != HttpVerb.Head;
    }

    private static bool TryFind(
        DocumentSnapshot snapshot, NativeSlice id, NativeSlice name, NativeSlice revision,
        out StoredAttachment attachment)
    {
        var reader = new AttachmentReader(snapshot.Transaction);
        if (revision.IsEmpty)
        {
            return reader.TryGet(id.Span, name.Span, out attachment);
        }

        attachment = default;
        return ChangeVector.TryReadLocalEtag(revision.Span, out long etag)
            && reader.TryGetOfRevision(etag, name.Span, out attachment)
            && attachment.DocumentId.Span.SequenceEqual(id.Span);
    }

    private static int CopyPiece(RequestContext request, NativeSlice hash, long offset, int count)
    {
        using DocumentSnapshot snapshot = request.BeginRead();
        var reader = new AttachmentReader(snapshot.Transaction);
        int copied = 0;
        while (copied < count && reader.TryGetBytes(hash.Span, offset + copied, out NativeSlice bytes))
        {
            int length = Math.Min(bytes.Length, count - copied);
            request.Response.Write(bytes.Span[..length]);
            copied += length;
        }

        return copied;
    }

    private static string Text(NativeSlice utf8) => Encoding.UTF8.GetString(utf8.Span);
}
