using System.Buffers;
using System.Buffers.Binary;
using System.Buffers.Text;
using System.Text.Json;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Extensions;
using Raven.Documents.Indexing.Storage;
using Raven.Documents.Json;
using Raven.Documents.Rows;
using Raven.Documents.Settings;
using Raven.Documents.Subscriptions;
using Raven.Documents.Sweeps;
using Raven.Storage.Tables;
using Raven.Storage.Trees;

namespace Raven.Documents.Smuggler;

/// <summary>The sections of a dump beside documents and revisions, for one export.</summary>
internal sealed class DumpExportSections(
    Database database, DocumentSnapshot snapshot, DumpOptions options, DumpResult result, DumpWriter writer,
    TimeProvider clock)
{
    /// <summary>How many counters are in one item.</summary>
    private const int CountersInItemMax = 1_000;

    private byte[] _counterDocument = [];
    private int _countersInItem;

    /// <summary>Writes the record: what of a database is neither its data nor its indexes.</summary>
    internal void WriteRecord()
    {
        if (!options.Has(DumpSections.DatabaseRecord))
        {
            return;
        }

        writer.BeginSection("DatabaseRecord");
        using (var json = new Utf8JsonWriter(writer.Buffer))
        {
            json.WriteStartObject();
            json.WriteString("DatabaseName"u8, database.Name);
            json.WriteBoolean("Encrypted"u8, value: false);
            json.WriteStartArray("Settings"u8);
            json.WriteEndArray();
            foreach (string name in RecordSettings.Names)
            {
                if (options.HasMember(name) && RecordSettings.Read(snapshot, name) is { } stored)
                {
                    json.WritePropertyName(name);
                    WriteSetting(json, name, stored);
                    result.DatabaseRecord.Read++;
                }
            }

            IndexExtensions extensions = database.Indexes.Extensions;
            WriteSources(json, "Sorters", extensions.All(ExtensionKind.Sorter));
            WriteSources(json, "Analyzers", extensions.All(ExtensionKind.Analyzer));
            json.WriteEndObject();
        }

        result.DatabaseRecord.IsDone = true;
    }

    /// <summary>Writes all others, in the order of RavenDB.</summary>
    internal async ValueTask WriteAllAsync(CancellationToken cancellation)
    {
        if (options.Has(DumpSections.Tombstones))
        {
            await WriteTombstonesAsync(cancellation).ConfigureAwait(false);
        }

        if (options.Has(DumpSections.Indexes))
        {
            WriteIndexes();
        }

        await WriteAsync(
            DumpSections.Identities, "Identities", result.Identities, DocumentSchema.Identities.ToArray(),
            WriteIdentity, cancellation).ConfigureAwait(false);
        RowHeap? values = snapshot.Transaction.TryOpenRowHeap(CompareExchangeTables.Rows);
        await WriteAsync(
            DumpSections.CompareExchange, "CompareExchange", result.CompareExchange,
            CompareExchangeTables.ByKey.ToArray(),
            (_, row) => WriteValue(new CompareExchangeValue(Read(values, row))), cancellation).ConfigureAwait(false);
        await WriteAsync(
            DumpSections.CompareExchangeTombstones, "CompareExchangeTombstones", result.CompareExchangeTombstones,
            CompareExchangeTables.Removed.ToArray(), (key, _) => WriteRemoval(key), cancellation).ConfigureAwait(false);
        await WriteCountersAsync(cancellation).ConfigureAwait(false);
        if (options.Has(DumpSections.TimeSeries))
        {
            writer.BeginList("TimeSeries");
            var series = new DumpSeries(snapshot, options, result, writer);
            await WalkAsync(DumpSeries.Tree.ToArray(), (_, row) => series.Write(row), cancellation)
                .ConfigureAwait(false);
            writer.EndList();
            result.TimeSeries.IsDone = true;
        }

        await WriteAsync(
            DumpSections.Subscriptions, "Subscriptions", result.Subscriptions,
            SubscriptionTables.Definitions.ToArray(), (_, value) => WriteSubscription(value), cancellation)
            .ConfigureAwait(false);
    }

    private static void WriteSetting(Utf8JsonWriter json, string name, byte[] stored)
    {
        if (name == RecordSettings.Client)
        {
            json.WriteRawValue(ClientConfiguration.Parse(stored).Json.AsSpan(), skipInputValidation: true);
        }
        else
        {
            json.WriteRawValue(stored, skipInputValidation: true);
        }
    }

    private void WriteSources(Utf8JsonWriter json, string member, List<ExtensionSource> sources)
    {
        if (sources.Count == 0 || !options.HasMember(member))
        {
            return;
        }

        json.WriteStartObject(member);
        foreach (ExtensionSource source in sources)
        {
            json.WriteStartObject(source.Name);
            json.WriteString("Name"u8, source.Name);
            json.WriteString("Code"u8, source.Code);
            json.WriteEndObject();
        }

        json.WriteEndObject();
        result.DatabaseRecord.Read++;
    }

    private void WriteIndexes()
    {
        writer.BeginList("Indexes");
        foreach (DatabaseIndex index in database.Indexes.All)
        {
            if (index.Name.StartsWith(IndexRecord.ReplacementPrefix, StringComparison.OrdinalIgnoreCase))
            {
                // A new definition that is still being built: the one in use is written.
                continue;
            }

            IndexDefinition definition = index.Definition with { State = index.State };
            if (options.RemovesAnalyzers)
            {
                definition = definition with
                {
                    Fields = definition.Fields.ToDictionary(
                        pair => pair.Key, pair => pair.Value with { Analyzer = null }),
                };
            }

            writer.BeginItem();
            using var json = new Utf8JsonWriter(writer.Buffer);
            json.WriteStartObject();
            json.WriteString("Type"u8, definition.Type.ToString());
            json.WritePropertyName("IndexDefinition"u8);
            IndexDefinitionJson.Write(json, definition);
            json.WriteEndObject();
            json.Flush();
            result.Indexes.Read++;
        }

        writer.EndList();
        result.Indexes.IsDone = true;
    }

    /// <summary>Writes a list of what a tree holds.</summary>
    private async ValueTask WriteAsync(
        DumpSections section, string name, DumpCounts counts, ReadOnlyMemory<byte> treeName,
        Action<NativeSlice, NativeSlice> write, CancellationToken cancellation)
    {
        if (!options.Has(section))
        {
            return;
        }

        writer.BeginList(name);
        await WalkAsync(treeName, write, cancellation).ConfigureAwait(false);
        writer.EndList();
        counts.IsDone = true;
    }

    /// <summary>Goes through a tree, if there is one, and passes the bytes on meanwhile.</summary>
    private async ValueTask WalkAsync(
        ReadOnlyMemory<byte> treeName, Action<NativeSlice, NativeSlice> write, CancellationToken cancellation)
    {
        byte[]? last = null;
        while (snapshot.Transaction.TryOpenTree(treeName.Span) is { } tree && Fill(tree, ref last, write))
        {
            await writer.PassAsync(cancellation).ConfigureAwait(false);
        }
    }

    private bool Fill(Tree tree, ref byte[]? last, Action<NativeSlice, NativeSlice> write)
    {
        TreeCursor cursor = tree.GetCursor();
        bool isThere = last is null
            ? cursor.SeekFirst()
            : cursor.Seek(last) && (!cursor.Key.SequenceEqual(last) || cursor.MoveNext());
        for (; isThere; isThere = cursor.MoveNext())
        {
            write(cursor.KeySlice, cursor.Value);
            if (writer.IsFull)
            {
                last = cursor.Key.ToArray();
                return true;
            }
        }

        return false;
    }

    private async ValueTask WriteTombstonesAsync(CancellationToken cancellation)
    {
        writer.BeginList("Tombstones");
        await WalkAsync(
            DocumentSchema.TombstonesByKey.ToArray(),
            (key, rowId) => WriteTombstone(
                key, snapshot.ReadTombstone(BinaryPrimitives.ReadInt64LittleEndian(rowId.Span))),
            cancellation).ConfigureAwait(false);
        writer.EndList();
        result.Tombstones.IsDone = true;
    }

    /// <summary>Writes a deletion, unless what was deleted exists again.</summary>
    private void WriteTombstone(NativeSlice fullKey, StoredTombstone tombstone)
    {
        // Behind the kind of what was deleted.
        ReadOnlySpan<byte> key = fullKey.Span[1..];
        bool isDocument = tombstone.Kind == RowKind.Document && !snapshot.TryGetByKey(key, out _);
        bool isAttachment = tombstone.Kind == RowKind.Attachment
            && snapshot.Transaction.TryOpenTree(AttachmentSchema.ByKey)?.TryGet(key, out _) != true;
        if ((!isDocument && !isAttachment) || !options.HasCollection(tombstone.Collection))
        {
            result.Tombstones.Skipped++;
            return;
        }

        writer.BeginItem();
        var json = new JsonOutput(writer.Buffer);
        json.StartObject();
        json.Name("Key"u8);
        json.String(tombstone.Id.Span);
        json.Name("Type"u8);
        json.String(isDocument ? "Document"u8 : "Attachment"u8);
        if (isAttachment)
        {
            json.Name("Name"u8);
            json.String(key[(key.IndexOf(TombstoneKey.Separator) + 1)..]);
        }

        json.Name("Collection"u8);
        json.String(tombstone.Collection);
        json.Name("ChangeVector"u8);
        json.String(tombstone.ChangeVector.Span);
        json.Name("LastModified"u8);
        DocumentJson.WriteDate(ref json, tombstone.LastModifiedTicks);
        json.EndObject();
        json.Flush();
        result.Tombstones.Read++;
    }

    private void WriteIdentity(NativeSlice key, NativeSlice value)
    {
        writer.BeginItem();
        var json = new JsonOutput(writer.Buffer);
        json.StartObject();
        json.Name("Key"u8);
        json.String(key.Span);
        json.Name("Value"u8);
        json.Number(BinaryPrimitives.ReadInt64LittleEndian(value.Span));
        json.EndObject();
        json.Flush();
        result.Identities.Read++;
    }

    private void WriteValue(CompareExchangeValue value)
    {
        if (!options.IncludesExpired && value.Value.TryGet("@metadata"u8, out BlittableValue metadata)
            && metadata.TryGetObject(out BlittableObject details)
            && DueTimes.TryRead(details, SweepKind.CompareExchange, out long expires) && expires != 0
            && expires <= clock.GetUtcNow().Ticks)
        {
            result.CompareExchange.Skipped++;
            return;
        }

        var text = new ArrayBufferWriter<byte>();
        BlittableToJson.Write(value.Value, text, JsonOutputOptions.Original);
        writer.BeginItem();
        var json = new JsonOutput(writer.Buffer);
        json.StartObject();
        json.Name("Key"u8);
        json.String(value.Key.Span);
        json.Name("Value"u8);
        json.String(text.WrittenSpan);
        json.EndObject();
        json.Flush();
        result.CompareExchange.Read++;
        result.CompareExchange.SizeBytes += text.WrittenCount;
    }

    /// <summary>Writes a definition without its position, which is one of changes of this database.</summary>
    private void WriteSubscription(NativeSlice value)
    {
        SubscriptionDefinition definition = SubscriptionDefinition.Parse(value.Span);
        writer.BeginItem();
        using var json = new Utf8JsonWriter(writer.Buffer);
        json.WriteStartObject();
        json.WriteString("SubscriptionName"u8, definition.Name);
        json.WriteString("Query"u8, definition.Query);
        json.WriteBoolean("Disabled"u8, definition.IsDisabled);
        json.WriteString("ArchivedDataProcessingBehavior"u8, definition.Archived.ToString());
        json.WriteString("MentorNode"u8, definition.MentorNode);
        json.WriteBoolean("PinToMentorNode"u8, definition.PinToMentorNode);
        json.WriteEndObject();
        json.Flush();
        result.Subscriptions.Read++;
    }

    private void WriteRemoval(NativeSlice key)
    {
        writer.BeginItem();
        var json = new JsonOutput(writer.Buffer);
        json.StartObject();
        json.Name("Key"u8);
        json.String(key.Span);
        json.EndObject();
        json.Flush();
        result.CompareExchangeTombstones.Read++;
    }

    private async ValueTask WriteCountersAsync(CancellationToken cancellation)
    {
        if (!options.Has(DumpSections.CounterGroups))
        {
            return;
        }

        RowHeap? rows = snapshot.Transaction.TryOpenRowHeap(CounterTables.Rows);
        writer.BeginList("CounterGroups");
        await WalkAsync(
            CounterTables.ByKey.ToArray(), (_, row) => WriteCounter(Read(rows, row)), cancellation)
            .ConfigureAwait(false);
        EndCounters();
        writer.EndList();
        result.Counters.IsDone = true;
    }

    private void WriteCounter(NativeSlice row)
    {
        if (!options.HasCollection(snapshot.CollectionName(RowLayout.ReadHeader(row.Span).CollectionId)))
        {
            result.Counters.Skipped++;
            return;
        }

        var counter = new StoredCounter(row);
        ReadOnlySpan<byte> document = counter.DocumentId.Span;
        if (_countersInItem == CountersInItemMax || !document.SequenceEqual(_counterDocument))
        {
            EndCounters();
            BeginCounters(document);
        }

        var json = new ArrayBufferWriter<byte>();
        var output = new JsonOutput(json);
        output.String(counter.Name.Span);
        output.Flush();
        writer.Buffer.Write(_countersInItem == 0 ? ""u8 : ","u8);
        writer.Buffer.Write(json.WrittenSpan);
        writer.Buffer.Write(":"u8);
        Span<byte> digits = stackalloc byte[20];
        Utf8Formatter.TryFormat(counter.Value, digits, out int length);
        writer.Buffer.Write(digits[..length]);
        _countersInItem++;
        result.Counters.Read++;
    }

    private void BeginCounters(ReadOnlySpan<byte> document)
    {
        _counterDocument = document.ToArray();
        _countersInItem = 0;
        writer.BeginItem();
        var json = new JsonOutput(writer.Buffer);
        json.StartObject();
        json.Name("DocId"u8);
        json.String(document);
        json.Flush();
        writer.Buffer.Write(",\"Values\":{"u8);
    }

    private void EndCounters()
    {
        if (_counterDocument.Length > 0)
        {
            writer.Buffer.Write("}}"u8);
            _counterDocument = [];
        }
    }

    private static NativeSlice Read(RowHeap? rows, NativeSlice rowId) =>
        rows!.Read(BinaryPrimitives.ReadInt64LittleEndian(rowId.Span));
}
