using System.Buffers;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Documents.Attachments;
using Raven.Documents.Json;
using Raven.Documents.Rows;

namespace Raven.Documents.Smuggler;

/// <summary>
/// Writes the bytes of attachments before the first document or revision that has them: an object with their hash and
/// size, a comma, the bytes as they are.
/// </summary>
internal sealed class DumpExportAttachments(DumpWriter writer, DumpResult result)
{
    /// <summary>How many of the last hashes are known: the bytes of others are written again.</summary>
    internal const int KnownMax = 100_000;

    private readonly HashSet<UInt128> _known = [];
    private readonly Queue<UInt128> _order = new();
    private readonly List<(byte[] Hash, long Size)> _pending = [];

    /// <summary>Notes the attachments of a document or revision whose bytes were not written.</summary>
    /// <returns>True if there are some: <see cref="WriteAsync"/> must come before the document.</returns>
    internal bool Collect(in StoredDocument document)
    {
        Span<byte> room = stackalloc byte[AttachmentKey.SizeBytesMax];
        AttachmentCursor cursor = LinkedMetadata.AttachmentsOf(in document, room);
        while (cursor.MoveNext(out StoredAttachment attachment))
        {
            result.Attachments.Read++;
            result.Attachments.SizeBytes += attachment.Size;
            if (Note(attachment.Hash.Span))
            {
                _pending.Add((attachment.Hash.Span.ToArray(), attachment.Size));
            }
        }

        return _pending.Count > 0;
    }

    /// <summary>Writes the bytes that were noted.</summary>
    internal async ValueTask WriteAsync(DocumentSnapshot snapshot, CancellationToken cancellation)
    {
        foreach ((byte[] hash, long size) in _pending)
        {
            WriteHead(hash, size);
            for (long offset = 0; offset < size;)
            {
                offset += WriteChunk(snapshot, hash, offset);
                await writer.PassAsync(cancellation).ConfigureAwait(false);
            }
        }

        _pending.Clear();
    }

    private void WriteHead(byte[] hash, long size)
    {
        writer.BeginItem();
        var json = new JsonOutput(writer.Buffer);
        json.StartObject();
        json.Name("@metadata"u8);
        json.StartObject();
        json.Name("@export-type"u8);
        json.String("Attachment"u8);
        json.EndObject();
        json.Name("Hash"u8);
        AttachmentJson.WriteHash(ref json, hash);
        json.Name("Size"u8);
        json.Number(size);
        json.EndObject();
        json.Flush();

        // The bytes stand in the place of an item.
        writer.BeginItem();
    }

    private int WriteChunk(DocumentSnapshot snapshot, byte[] hash, long offset)
    {
        const int chunkMax = 256 * 1024;
        var reader = new AttachmentReader(snapshot.Transaction);
        if (!reader.TryGetBytes(hash, offset, out NativeSlice bytes) || bytes.Length == 0)
        {
            throw new InvalidOperationException(
                $"Attachment '{Convert.ToBase64String(hash)}' has no bytes at {offset}.");
        }

        int length = Math.Min(bytes.Length, chunkMax);
        writer.Buffer.Write(bytes.Span[..length]);
        return length;
    }

    private bool Note(ReadOnlySpan<byte> hash)
    {
        UInt128 name = System.Buffers.Binary.BinaryPrimitives.ReadUInt128LittleEndian(hash);
        if (!_known.Add(name))
        {
            return false;
        }

        _order.Enqueue(name);
        if (_order.Count > KnownMax)
        {
            _known.Remove(_order.Dequeue());
        }

        return true;
    }
}
