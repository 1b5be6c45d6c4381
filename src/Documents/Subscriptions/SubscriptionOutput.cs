using System.Buffers;
using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Documents.Counters;
using Raven.Documents.Ids;
using Raven.Documents.Json;
using Raven.Documents.Queries.Series;
using Raven.Documents.Rows;

namespace Raven.Documents.Subscriptions;

/// <summary>Writes documents and what is sent along into a batch, as JSON. One thread at a time.</summary>
internal sealed class SubscriptionOutput
{
    private readonly SubscriptionQuery _query;
    private DocumentSnapshot _snapshot = null!;
    private SubscriptionBatch _batch = null!;
    private OperationContext _context = null!;

    internal SubscriptionOutput(SubscriptionQuery query, ulong hashSeed)
    {
        _query = query;
        Ids = new DistinctIds(hashSeed);
    }

    /// <summary>The ids of the documents that are sent along.</summary>
    internal DistinctIds Ids { get; }

    internal void Begin(
        DocumentSnapshot snapshot, SubscriptionBatch batch, OperationContext context, OperationContext ids)
    {
        (_snapshot, _batch, _context) = (snapshot, batch, context);
        Ids.Reset(ids);
    }

    /// <summary>Writes what is sent along with the documents that were added.</summary>
    internal void End()
    {
        for (int i = 0; i < Ids.Count; i++)
        {
            if (!_batch.Included.Add(Encoding.UTF8.GetString(Ids.KeyOf(i).Span)))
            {
                continue;
            }

            bool isFound = _snapshot.TryGetByKey(Ids.KeyOf(i).Span, out StoredDocument document);
            WriteName(_batch.IncludesBuffer, isFound ? document.Id.Span : Ids[i].Span);
            var json = new JsonOutput(_batch.IncludesBuffer);
            if (isFound)
            {
                DocumentJson.Write(ref json, in document, isMetadataOnly: false);
            }
            else
            {
                json.Null();
            }

            json.Flush();
        }
    }

    /// <summary>Writes a document or a revision.</summary>
    internal void Add(
        in StoredDocument document, StoredDocument? previous, SubscriptionVerdict verdict, BlittableObject projected,
        string? error)
    {
        int start = _batch.DataBuffer.WrittenCount;
        var json = new JsonOutput(_batch.DataBuffer);
        if (verdict == SubscriptionVerdict.Projected)
        {
            WriteProjection(ref json, in document, projected);
        }
        else if (_query.IsOfRevisions)
        {
            WriteRevision(ref json, in document, previous, isWhole: verdict == SubscriptionVerdict.Whole);
        }
        else
        {
            DocumentJson.Write(ref json, in document, isMetadataOnly: verdict == SubscriptionVerdict.Failed);
        }

        json.Flush();
        int nameStart = _batch.NamesBuffer.WrittenCount;
        _batch.NamesBuffer.Write(document.Id.Span);
        _batch.NamesBuffer.Write(document.ChangeVector.Span);
        _batch.Items.Add(new SubscriptionItem(
            start, _batch.DataBuffer.WrittenCount - start, nameStart, document.Id.Length, document.ChangeVector.Length,
            verdict == SubscriptionVerdict.Failed ? error : null));
        if (verdict != SubscriptionVerdict.Failed)
        {
            CollectIncludes(in document, previous, verdict, projected);
            if (_query.HasCounters && !_query.IsOfRevisions)
            {
                WriteCounters(in document);
            }

            if (_query.Series.Count > 0 && !_query.IsOfRevisions)
            {
                WriteSeries(in document);
            }
        }
    }

    private static void WriteProjection(ref JsonOutput json, in StoredDocument document, BlittableObject projected)
    {
        json.StartObject();
        for (int i = 0; i < projected.Count; i++)
        {
            BlittableProperty property = projected.GetProperty(i);
            if (!property.Name.SequenceEqual("@metadata"u8))
            {
                json.Property(property);
            }
        }

        json.Name("@metadata"u8);
        json.StartObject();
        WriteSystemFields(ref json, in document);
        json.Name("@projection"u8);
        json.Boolean(true);
        json.EndObject();
        json.EndObject();
    }

    private static void WriteRevision(
        ref JsonOutput json, in StoredDocument revision, StoredDocument? previous, bool isWhole)
    {
        json.StartObject();
        if (isWhole)
        {
            json.Name("Current"u8);
            WriteVersion(ref json, revision);
            json.Name("Previous"u8);
            WriteVersion(ref json, previous);
        }

        json.Name("@metadata"u8);
        json.StartObject();
        WriteSystemFields(ref json, in revision);
        DocumentJson.WriteFlags(ref json, revision.Flags);
        json.EndObject();
        json.EndObject();
    }

    private static void WriteVersion(ref JsonOutput json, StoredDocument? version)
    {
        if (version is { } there && (there.Flags & DocumentFlags.DeleteRevision) == 0)
        {
            DocumentJson.Write(ref json, in there, isMetadataOnly: false);
        }
        else
        {
            json.Null();
        }
    }

    private static void WriteSystemFields(ref JsonOutput json, in StoredDocument document)
    {
        json.Name("@id"u8);
        json.String(document.Id.Span);
        json.Name("@change-vector"u8);
        json.String(document.ChangeVector.Span);
        json.Name("@last-modified"u8);
        DocumentJson.WriteDate(ref json, document.LastModifiedTicks);
        json.Name("@collection"u8);
        json.String(document.Collection);
    }

    private void CollectIncludes(
        in StoredDocument document, StoredDocument? previous, SubscriptionVerdict verdict, BlittableObject projected)
    {
        foreach (byte[] path in _query.Paths)
        {
            if (verdict == SubscriptionVerdict.Projected)
            {
                IncludePath.Collect(projected, path, Ids);
            }
            else if (!_query.IsOfRevisions)
            {
                IncludePath.Collect(document.Data, path, Ids);
            }
            else if (path.AsSpan().StartsWith("Current."u8) && (document.Flags & DocumentFlags.DeleteRevision) == 0)
            {
                IncludePath.Collect(document.Data, path.AsSpan("Current.".Length), Ids);
            }
            else if (path.AsSpan().StartsWith("Previous."u8) && previous is { } before)
            {
                IncludePath.Collect(before.Data, path.AsSpan("Previous.".Length), Ids);
            }
        }
    }

    private void WriteSeries(in StoredDocument document)
    {
        if (_batch.SeriesBuffer.WrittenCount > 0)
        {
            _batch.SeriesBuffer.Write(","u8);
        }

        var series = new ArrayBufferWriter<byte>();
        var json = new JsonOutput(series);
        json.StartObject();
        SeriesIncludeJson.Write(ref json, _snapshot, document.Id.Span, _query.Series, CancellationToken.None);
        json.EndObject();
        json.Flush();
        _batch.SeriesBuffer.Write(series.WrittenSpan[1..^1]);
    }

    private void WriteCounters(in StoredDocument document)
    {
        WriteName(_batch.CounterNamesBuffer, document.Id.Span);
        var names = new JsonOutput(_batch.CounterNamesBuffer);
        names.StartArray();
        foreach (byte[] name in _query.CounterNames)
        {
            names.String(name.AsSpan());
        }

        names.EndArray();
        names.Flush();
        WriteName(_batch.CountersBuffer, document.Id.Span);
        var json = new JsonOutput(_batch.CountersBuffer);
        json.StartArray();
        Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
        DocumentId.TryFold(document.Id.Span, key, out int length, out _);
        if (_query.CounterNames.Count == 0)
        {
            CounterCursor counters = _snapshot.CountersOf(key[..length]);
            while (counters.MoveNext(out StoredCounter counter))
            {
                WriteCounter(ref json, in document, in counter);
            }
        }
        else
        {
            WriteNamed(ref json, in document, key[..length]);
        }

        json.EndArray();
        json.Flush();
    }

    private void WriteNamed(
        ref JsonOutput json, in StoredDocument document, scoped ReadOnlySpan<byte> documentKey)
    {
        Span<byte> key = stackalloc byte[CounterKey.SizeBytesMax];
        foreach (byte[] name in _query.CounterNames)
        {
            if (CounterKey.TryWrite(key, documentKey, name, out int length, out _)
                && _snapshot.TryGetCounter(key[..length], out StoredCounter counter))
            {
                WriteCounter(ref json, in document, in counter);
            }
            else
            {
                json.Null();
            }
        }
    }

    private static void WriteCounter(ref JsonOutput json, in StoredDocument document, in StoredCounter counter)
    {
        json.StartObject();
        json.Name("DocumentId"u8);
        json.String(document.Id.Span);
        json.Name("CounterName"u8);
        json.String(counter.Name.Span);
        json.Name("TotalValue"u8);
        json.Number(counter.Value);
        json.Name("Etag"u8);
        json.Number(counter.Etag);
        json.Name("ChangeVector"u8);
        json.String(counter.ChangeVector.Span);
        json.Name("CounterValues"u8);
        json.Null();
        json.EndObject();
    }

    /// <summary>Writes the name of a member, after a comma if there is one before it.</summary>
    private static void WriteName(ArrayBufferWriter<byte> target, ReadOnlySpan<byte> name)
    {
        bool isFirst = target.WrittenCount == 0;
        var json = new JsonOutput(target);
        if (!isFirst)
        {
            json.Raw(","u8);
        }

        json.Flush();
        json = new JsonOutput(target);
        json.String(name);
        json.Flush();
        target.GetSpan(1)[0] = (byte)':';
        target.Advance(1);
    }
}
