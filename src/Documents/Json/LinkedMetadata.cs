using System.Buffers;
using System.Text;
using Raven.Blittable.Json;
using Raven.Blittable.Text;
using Raven.Documents.Attachments;
using Raven.Documents.Commands;
using Raven.Documents.Counters;
using Raven.Documents.Ids;
using Raven.Documents.Rows;
using Raven.Documents.Rows.Series;
using Raven.Documents.TimeSeries;
using Raven.Storage.Trees;

namespace Raven.Documents.Json;

/// <summary>The members of <c>@metadata</c> for what belongs to a document, if its flags say that there
/// is some.</summary>
internal static class LinkedMetadata
{
    /// <summary>Writes <c>@attachments</c> and its like.</summary>
    internal static void Write(ref JsonOutput json, in StoredDocument document)
    {
        if ((document.Flags & DocumentFlags.HasAttachments) != 0)
        {
            WriteAttachments(ref json, in document);
        }

        if ((document.Flags & DocumentFlags.HasCounters) != 0)
        {
            WriteCounters(ref json, in document);
        }

        if ((document.Flags & DocumentFlags.HasTimeSeries) != 0)
        {
            if ((document.Flags & DocumentFlags.Revision) != 0)
            {
                WriteTimeSeriesSnapshot(ref json, in document);
            }
            else
            {
                WriteTimeSeries(ref json, in document);
            }
        }
    }

    /// <summary>Returns the members that a document's flags require, as a JSON object when it is called; null
    /// without any.</summary>
    /// <param name="document">The document; its snapshot must be open when the function is called.</param>
    internal static Func<string>? Of(StoredDocument document) =>
        document.Flags == DocumentFlags.None ? null : () => ToJson(in document);

    private static string ToJson(in StoredDocument document)
    {
        var target = new ArrayBufferWriter<byte>();
        var json = new JsonOutput(target);
        json.StartObject();
        DocumentJson.WriteFlags(ref json, document.Flags);
        Write(ref json, in document);
        json.EndObject();
        json.Flush();
        return Encoding.UTF8.GetString(target.WrittenSpan);
    }

    private static void WriteCounters(ref JsonOutput json, in StoredDocument document)
    {
        Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
        DocumentId.TryFold(document.Id.Span, key, out int length, out _);
        json.Name(ServerMetadata.Counters);
        json.StartArray();
        CounterCursor counters = document.Snapshot.CountersOf(key[..length]);
        while (counters.MoveNext(out StoredCounter counter))
        {
            json.String(counter.Name.Span);
        }

        json.EndArray();
    }

    private static void WriteTimeSeries(ref JsonOutput json, in StoredDocument document)
    {
        Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
        DocumentId.TryFold(document.Id.Span, key, out int length, out _);
        json.Name(ServerMetadata.TimeSeries);
        json.StartArray();
        TimeSeriesCursor all = document.Snapshot.TimeSeriesOf(key[..length]);
        while (all.MoveNext(out StoredSeries series))
        {
            json.String(series.Name.Span);
        }

        json.EndArray();
    }

    private static void WriteTimeSeriesSnapshot(ref JsonOutput json, in StoredDocument document)
    {
        json.Name(ServerMetadata.TimeSeriesSnapshot);
        json.StartObject();
        if (document.Snapshot.Transaction.TryOpenTree(SeriesSnapshots.TreeName) is { } snapshots)
        {
            TreeCursor cursor = snapshots.GetCursor();
            Span<byte> date = stackalloc byte[DateText.Length];
            bool isStarted = false;
            while (SeriesSnapshots.TryMoveNext(ref cursor, document.Etag, isStarted, out StoredSeries series))
            {
                isStarted = true;
                json.Name(series.Name.Span);
                json.StartObject();
                json.Name("Count"u8);
                json.Number(series.Count);
                json.Name("Start"u8);
                DateText.TryFormat(SeriesTime.ToTicks(series.First), date);
                json.String(date);
                json.Name("End"u8);
                DateText.TryFormat(SeriesTime.ToTicks(series.Last), date);
                json.String(date);
                json.EndObject();
            }
        }

        json.EndObject();
    }

    /// <summary>The attachments of a document, or of a revision as they were then.</summary>
    /// <param name="document">The document or revision.</param>
    /// <param name="room">
    /// <see cref="AttachmentKey.SizeBytesMax"/> bytes for the prefix of their keys; must outlive the cursor.
    /// </param>
    internal static AttachmentCursor AttachmentsOf(in StoredDocument document, Span<byte> room)
    {
        var reader = new AttachmentReader(document.Snapshot.Transaction);
        if ((document.Flags & DocumentFlags.Revision) != 0)
        {
            return reader.OfRevision(document.Etag, room);
        }

        Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
        DocumentId.TryFold(document.Id.Span, key, out int length, out _);
        return reader.OfDocument(room[..AttachmentKey.WritePrefix(room, key[..length])]);
    }

    private static void WriteAttachments(ref JsonOutput json, in StoredDocument document)
    {
        Span<byte> room = stackalloc byte[AttachmentKey.SizeBytesMax];
        AttachmentCursor attachments = AttachmentsOf(in document, room);
        json.Name(ServerMetadata.Attachments);
        json.StartArray();
        while (attachments.MoveNext(out StoredAttachment attachment))
        {
            json.StartObject();
            AttachmentJson.WriteDetails(
                ref json, attachment.Name.Span, attachment.Hash.Span, attachment.ContentType.Span, attachment.Size);
            json.EndObject();
        }

        json.EndArray();
    }
}
