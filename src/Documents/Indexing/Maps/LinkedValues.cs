using System.Text;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Attachments;
using Raven.Documents.Counters;
using Raven.Documents.Ids;
using Raven.Documents.Rows;

namespace Raven.Documents.Indexing.Maps;

/// <summary>
/// What maps read of attachments, counters and compare-exchange values. A document gets a new version, and so is
/// mapped again, when an attachment or a counter is added or removed; the value of a counter matters only to maps
/// over counters.
/// </summary>
internal static class LinkedValues
{
    /// <summary>The size of the largest content that is read as a text.</summary>
    internal const int TextSizeBytesMax = 16 << 20;

    /// <summary>Reads a compare-exchange value; the current document is mapped again when it changes or
    /// is created.</summary>
    internal static bool TryReadValue(DocumentSnapshot snapshot, MapSink sink, string key, out BlittableValue value)
    {
        value = default;
        byte[] utf8 = Encoding.UTF8.GetBytes(key);
        sink.AddValueReference(utf8);
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        return DocumentId.TryFold(utf8, folded, out int length, out _)
            && snapshot.TryGetCompareExchange(folded[..length], out CompareExchangeValue stored)
            && stored.Value.TryGet("Object"u8, out value);
    }

    /// <summary>The names of a document's counters.</summary>
    internal static List<string> CounterNames(in StoredDocument document) =>
        [.. Counters(in document).Select(counter => counter.Name)];

    /// <summary>A document's counters.</summary>
    internal static List<CounterInfo> Counters(in StoredDocument document)
    {
        List<CounterInfo> found = [];
        if ((document.Flags & DocumentFlags.HasCounters) != 0)
        {
            Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
            DocumentId.TryFold(document.Id.Span, key, out int length, out _);
            CounterCursor counters = document.Snapshot.CountersOf(key[..length]);
            string id = Encoding.UTF8.GetString(document.Id.Span);
            while (counters.MoveNext(out StoredCounter counter))
            {
                found.Add(new CounterInfo(id, Encoding.UTF8.GetString(counter.Name.Span), counter.Value));
            }
        }

        return found;
    }

    internal static List<AttachmentInfo> Attachments(in StoredDocument document)
    {
        List<AttachmentInfo> found = [];
        if ((document.Flags & DocumentFlags.HasAttachments) != 0)
        {
            Span<byte> prefix = stackalloc byte[AttachmentKey.SizeBytesMax];
            Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
            DocumentId.TryFold(document.Id.Span, key, out int length, out _);
            int prefixLength = AttachmentKey.WritePrefix(prefix, key[..length]);
            AttachmentCursor attachments =
                new AttachmentReader(document.Snapshot.Transaction).OfDocument(prefix[..prefixLength]);
            while (attachments.MoveNext(out StoredAttachment attachment))
            {
                found.Add(new AttachmentInfo(
                    Encoding.UTF8.GetString(attachment.Name.Span), HashOf(attachment.Hash.Span),
                    Encoding.UTF8.GetString(attachment.ContentType.Span), attachment.Size));
            }
        }

        return found;
    }

    /// <summary>One attachment of a document; null if there is none with the name.</summary>
    internal static AttachmentInfo? Attachment(in StoredDocument document, string name) =>
        Attachments(in document).Find(one => one.Name.Equals(name, StringComparison.OrdinalIgnoreCase));

    private static string HashOf(ReadOnlySpan<byte> hash)
    {
        Span<byte> text = stackalloc byte[AttachmentHash.TextSizeBytes];
        AttachmentHash.Format(hash, text);
        return Encoding.ASCII.GetString(text);
    }

    /// <summary>The content of an attachment as a text.</summary>
    /// <exception cref="InvalidOperationException">The content is too long for a text.</exception>
    internal static string ContentOf(in StoredDocument document, string name, Encoding? encoding = null)
    {
        var reader = new AttachmentReader(document.Snapshot.Transaction);
        if (!reader.TryGet(document.Id.Span, Encoding.UTF8.GetBytes(name), out StoredAttachment attachment))
        {
            return "";
        }

        if (attachment.Size > TextSizeBytesMax)
        {
            throw new InvalidOperationException(
                $"The attachment '{name}' has {attachment.Size} bytes; up to {TextSizeBytesMax} are read as a text.");
        }

        byte[] bytes = new byte[attachment.Size];
        for (int read = 0; read < bytes.Length;)
        {
            if (!reader.TryGetBytes(attachment.Hash.Span, read, out NativeSlice piece) || piece.IsEmpty)
            {
                throw new InvalidOperationException($"The content of the attachment '{name}' is not whole.");
            }

            ReadOnlySpan<byte> part = piece.Span[..Math.Min(piece.Length, bytes.Length - read)];
            part.CopyTo(bytes.AsSpan(read));
            read += part.Length;
        }

        return (encoding ?? Encoding.UTF8).GetString(bytes);
    }
}
