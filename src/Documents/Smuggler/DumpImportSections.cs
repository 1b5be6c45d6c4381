using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Blittable.Writing;
using Raven.Documents.Attachments;
using Raven.Documents.Commands;
using Raven.Documents.CompareExchange;
using Raven.Documents.Counters;
using Raven.Documents.Ids;
using Raven.Documents.Rows;
using Raven.Documents.Sweeps;

namespace Raven.Documents.Smuggler;

/// <summary>The sections of a dump beside documents and revisions, for one import.</summary>
internal sealed class DumpImportSections(
    Database database, DumpOptions options, DumpResult result, DumpReader reader, DumpImportDefinitions definitions,
    TimeProvider clock)
{
    private DumpBatch _batch = null!;

    /// <summary>Whether the caller is an administrator of the database.</summary>
    internal required bool IsAdministrator { get; init; }

    /// <summary>Reads the value of a section.</summary>
    /// <param name="section">Its name.</param>
    /// <param name="batch">Takes the writes.</param>
    /// <param name="cancellation">Ends the reading.</param>
    internal async ValueTask ReadAsync(string section, DumpBatch batch, CancellationToken cancellation)
    {
        _batch = batch;
        switch (section)
        {
            case "DatabaseRecord":
                await ReadRecordAsync(cancellation).ConfigureAwait(false);
                break;
            case "Indexes":
                await ReadIndexesAsync(cancellation).ConfigureAwait(false);
                break;
            case "Subscriptions":
                await ReadSubscriptionsAsync(cancellation).ConfigureAwait(false);
                break;
            case "Identities":
                await ReadItemsAsync(DumpSections.Identities, result.Identities, AddIdentityAsync, cancellation)
                    .ConfigureAwait(false);
                break;
            case "CompareExchange" or "CmpXchg":
                await ReadItemsAsync(DumpSections.CompareExchange, result.CompareExchange, AddValue, cancellation)
                    .ConfigureAwait(false);
                break;
            case "CompareExchangeTombstones" or "CmpXchgTombstones":
                await ReadItemsAsync(
                    DumpSections.CompareExchangeTombstones, result.CompareExchangeTombstones, AddRemoval, cancellation)
                    .ConfigureAwait(false);
                break;
            case "CounterGroups" or "Counters":
                await ReadItemsAsync(DumpSections.CounterGroups, result.Counters, AddCounters, cancellation)
                    .ConfigureAwait(false);
                break;
            case "TimeSeries":
                await ReadItemsAsync(DumpSections.TimeSeries, result.TimeSeries, AddSeries, cancellation)
                    .ConfigureAwait(false);
                break;
            case "Tombstones":
                await ReadItemsAsync(DumpSections.Tombstones, result.Tombstones, AddTombstone, cancellation)
                    .ConfigureAwait(false);
                break;
            default:
                await PassAsync(section, cancellation).ConfigureAwait(false);
                break;
        }
    }

    private async ValueTask ReadRecordAsync(CancellationToken cancellation)
    {
        BlittableValue value = await reader.ReadAsync(
            _batch.Context.Parser, BlittableMode.ToMemory, cancellation).ConfigureAwait(false);
        if (!value.TryGetObject(out BlittableObject record))
        {
            throw reader.Broken("it must be an object");
        }

        if (!options.Has(DumpSections.DatabaseRecord))
        {
            result.DatabaseRecord.Skipped++;
        }
        else if (!IsAdministrator)
        {
            result.DatabaseRecord.Skipped++;
            result.Say("DatabaseRecord is left out: only an administrator of the database may change it.");
        }
        else
        {
            await definitions.TakeRecordAsync(record).ConfigureAwait(false);
        }

        result.DatabaseRecord.IsDone = true;
    }

    private async ValueTask ReadIndexesAsync(CancellationToken cancellation)
    {
        bool isTaken = options.Has(DumpSections.Indexes) && IsAdministrator;
        if (options.Has(DumpSections.Indexes) && !IsAdministrator)
        {
            result.Say("Indexes are left out: only an administrator of the database may change them.");
        }

        await ReadItemsAsync(
            isTaken ? DumpSections.Indexes : DumpSections.None, result.Indexes, definitions.TakeIndexAsync,
            cancellation).ConfigureAwait(false);
    }

    private async ValueTask ReadSubscriptionsAsync(CancellationToken cancellation)
    {
        bool isTaken = options.Has(DumpSections.Subscriptions) && IsAdministrator;
        if (options.Has(DumpSections.Subscriptions) && !IsAdministrator)
        {
            result.Say("Subscriptions are left out: only an administrator of the database may change them.");
        }

        await ReadItemsAsync(
            isTaken ? DumpSections.Subscriptions : DumpSections.None, result.Subscriptions,
            definitions.TakeSubscriptionAsync, cancellation).ConfigureAwait(false);
    }

    private ValueTask ReadItemsAsync(
        DumpSections section, DumpCounts counts, Action<BlittableObject> take, CancellationToken cancellation) =>
        ReadItemsAsync(
            section, counts,
            item =>
            {
                take(item);
                return ValueTask.CompletedTask;
            },
            cancellation);

    private async ValueTask ReadItemsAsync(
        DumpSections section, DumpCounts counts, Func<BlittableObject, ValueTask> take, CancellationToken cancellation)
    {
        if (!await reader.TryBeginListAsync(cancellation).ConfigureAwait(false))
        {
            throw reader.Broken("it must be a list");
        }

        while (await reader.NextItemAsync(cancellation).ConfigureAwait(false))
        {
            if (!options.Has(section))
            {
                await reader.SkipAsync(cancellation).ConfigureAwait(false);
                counts.Skipped++;
                continue;
            }

            BlittableValue value = await reader.ReadAsync(
                _batch.Context.Parser, BlittableMode.ToMemory, cancellation).ConfigureAwait(false);
            if (!value.TryGetObject(out BlittableObject item))
            {
                throw reader.Broken("it must be an object");
            }

            await take(item).ConfigureAwait(false);
            await _batch.CommitIfFullAsync(cancellation).ConfigureAwait(false);
        }

        counts.IsDone = true;
    }

    /// <summary>Passes a section over that this server has no feature for, and counts its items.</summary>
    private async ValueTask PassAsync(string section, CancellationToken cancellation)
    {
        long count = 0;
        if (await reader.TryBeginListAsync(cancellation).ConfigureAwait(false))
        {
            for (; await reader.NextItemAsync(cancellation).ConfigureAwait(false); count++)
            {
                await reader.SkipAsync(cancellation).ConfigureAwait(false);
            }
        }
        else
        {
            await reader.SkipAsync(cancellation).ConfigureAwait(false);
            count = 1;
        }

        if (count > 0)
        {
            result.CountUnknown(section, count);
        }
    }

    private async ValueTask AddIdentityAsync(BlittableObject item)
    {
        var command = new IdentitySeedCommand();
        if (!TryGetText(item, "Key"u8, out NativeSlice key) || !item.TryGet("Value"u8, out BlittableValue value)
            || !value.TryGetInt64(out long last))
        {
            Fail(result.Identities, "needs a Key, a text, and a Value, a whole number of 64 bits.");
        }
        else if (!command.TryReset(_batch.Context, key.Span, last, isForced: false))
        {
            Fail(result.Identities, command.Failure.Describe());
        }
        else
        {
            await database.SubmitAsync(command).ConfigureAwait(false);
            result.Identities.Read++;
        }
    }

    private void AddValue(BlittableObject item)
    {
        if (!TryGetText(item, "Key"u8, out NativeSlice key) || !TryGetText(item, "Value"u8, out NativeSlice text)
            || !DocumentId.TryValidate(key.Span, out _))
        {
            Fail(result.CompareExchange, "needs a Key and a Value, both texts.");
            return;
        }

        if (!_batch.Context.Parser.TryParse(
                text.Span, BlittableMode.ToMemory, out BlittableObject source, out Blittable.Json.JsonError error))
        {
            Fail(result.CompareExchange, $"has a Value that is no JSON object: {error}");
            return;
        }

        BlittableObject metadata = default;
        bool hasMetadata = source.TryGet("@metadata"u8, out BlittableValue value) && value.TryGetObject(out metadata);
        if (!DueTimes.TryRead(metadata, SweepKind.CompareExchange, out long expires))
        {
            Fail(result.CompareExchange, "has an @expires that is no time.");
            return;
        }

        if (!options.IncludesExpired && expires != 0 && expires <= clock.GetUtcNow().Ticks)
        {
            result.CompareExchange.Skipped++;
            return;
        }

        BlittableWriter writer = _batch.Context.Writer;
        writer.Begin(BlittableMode.ToDisk);
        writer.StartObject();
        writer.Name("Object"u8);
        if (source.TryGet("Object"u8, out value))
        {
            writer.Value(value);
        }
        else
        {
            writer.Null();
        }

        if (hasMetadata)
        {
            writer.Name("@metadata"u8);
            writer.Value(metadata.AsValue());
        }

        writer.EndObject();
        NativeSlice stored = writer.Finish().Memory;
        var action = new CompareExchangeAction(
            isPut: true, expected: null, stored, isLenient: false, _batch.Context.Arena);
        _batch.Command.TryAddAction(key.Span, action, ExpectedVersion.Any);
        _batch.Added(result.CompareExchange, stored.Length);
    }

    private void AddRemoval(BlittableObject item)
    {
        if (!TryGetText(item, "Key"u8, out NativeSlice key) || !DocumentId.TryValidate(key.Span, out _))
        {
            Fail(result.CompareExchangeTombstones, "needs a Key, a text.");
            return;
        }

        var action = new CompareExchangeAction(
            isPut: false, expected: null, default, isLenient: true, _batch.Context.Arena);
        _batch.Command.TryAddAction(key.Span, action, ExpectedVersion.Any);
        _batch.Added(result.CompareExchangeTombstones);
    }

    /// <summary>Adds the counters of a document: all of them, or one in the form of RavenDB 4.</summary>
    private void AddCounters(BlittableObject item)
    {
        Span<byte> documentKey = stackalloc byte[DocumentId.SizeBytesMax];
        if (!TryGetText(item, "DocId"u8, out NativeSlice id)
            || !DocumentId.TryFold(id.Span, documentKey, out int length, out _))
        {
            Fail(result.Counters, "needs a DocId, the id of a document.");
            return;
        }

        if (item.TryGet("Values"u8, out BlittableValue list) && list.TryGetObject(out BlittableObject values))
        {
            for (int i = 0; i < values.Count; i++)
            {
                BlittableProperty property = values.GetProperty(i);
                NativeSlice name = OperationIds.Copy(_batch.Context.Arena, property.Name);
                AddCounter(id, documentKey[..length], name, property.Value);
            }
        }
        else if (TryGetText(item, "Name"u8, out NativeSlice single) && item.TryGet("Value"u8, out BlittableValue value))
        {
            AddCounter(id, documentKey[..length], single, value);
        }
        else
        {
            Fail(result.Counters, "needs Values, an object of numbers, or a Name and a Value.");
        }
    }

    private void AddCounter(NativeSlice id, ReadOnlySpan<byte> documentKey, NativeSlice name, BlittableValue value)
    {
        if (!value.TryGetInt64(out long number))
        {
            Fail(result.Counters, $"has a counter '{Text(name)}' whose value is no whole number.");
            return;
        }

        if (!IsOfWantedCollection(documentKey))
        {
            result.Counters.Skipped++;
            return;
        }

        var action = new CountersAction(_batch.Context.Arena);
        var change = new CounterOperation { Kind = CounterOperationKind.Put, Name = name, Delta = number };
        if (!action.TryAdd(documentKey, change, out DocumentIdError error))
        {
            Fail(result.Counters, $"has a counter whose name is not valid: {error.Describe()}");
            return;
        }

        _batch.Command.TryAddAction(id.Span, action, ExpectedVersion.Any);
        _batch.Added(result.Counters);
    }

    /// <summary>Adds entries of a time series. What RavenDB writes instead, segments in its own form, is passed over.
    /// </summary>
    private void AddSeries(BlittableObject item)
    {
        Span<byte> documentKey = stackalloc byte[DocumentId.SizeBytesMax];
        if (!item.TryGet("Entries"u8, out _))
        {
            result.CountUnknown("TimeSeries", 1);
            return;
        }

        if (!TryGetText(item, "DocId"u8, out NativeSlice id) || !TryGetText(item, "Name"u8, out NativeSlice name)
            || !DocumentId.TryFold(id.Span, documentKey, out int length, out _))
        {
            Fail(result.TimeSeries, "needs a DocId, the id of a document, and the Name of a series.");
            return;
        }

        if (!IsOfWantedCollection(documentKey[..length]))
        {
            result.TimeSeries.Skipped++;
            return;
        }

        if (DumpSeries.Add(_batch.Command, _batch.Context.Arena, item, id, name) is { } problem)
        {
            Fail(result.TimeSeries, problem);
            return;
        }

        _batch.Added(result.TimeSeries);
    }

    private bool IsOfWantedCollection(ReadOnlySpan<byte> documentKey)
    {
        if (options.Collections is null)
        {
            return true;
        }

        using DocumentSnapshot snapshot = database.BeginRead();
        return snapshot.TryGetByKey(documentKey, out StoredDocument document)
            && options.HasCollection(document.Collection);
    }

    private void AddTombstone(BlittableObject item)
    {
        Arena arena = _batch.Context.Arena;
        bool isAttachment = item.TryGet("Type"u8, out BlittableValue type) && type.StringEquals("Attachment"u8);
        bool isDocument = !isAttachment && (type.IsNull || type.StringEquals("Document"u8));
        if (!TryGetText(item, "Key"u8, out NativeSlice id) || !DocumentId.TryValidate(id.Span, out _))
        {
            Fail(result.Tombstones, "needs a Key, the id of a document.");
            return;
        }

        bool isWanted = options.Collections is null || (TryGetText(item, "Collection"u8, out NativeSlice collection)
            && options.HasCollection(collection.Span));
        if (!isWanted || (!isAttachment && !isDocument))
        {
            result.Tombstones.Skipped++;
            return;
        }

        if (isDocument)
        {
            _batch.Command.TryAddDelete(id.Span, ExpectedVersion.Any);
            _batch.Added(result.Tombstones);
            return;
        }

        Span<byte> documentKey = stackalloc byte[DocumentId.SizeBytesMax];
        DocumentId.TryFold(id.Span, documentKey, out int length, out _);
        if (!TryGetText(item, "Name"u8, out NativeSlice name)
            || !AttachmentKey.TryMake(arena, documentKey[..length], name.Span, out NativeSlice key, out _))
        {
            Fail(result.Tombstones, "needs the Name of an attachment.");
            return;
        }

        _batch.Command.TryAddAction(id.Span, new AttachmentDeleteAction(arena, key, name), ExpectedVersion.Any);
        _batch.Added(result.Tombstones);
    }

    private bool TryGetText(BlittableObject item, ReadOnlySpan<byte> name, out NativeSlice text)
    {
        bool isText = item.TryGet(name, out BlittableValue value) && value.Kind == ValueKind.String;
        text = isText ? value.GetUtf8(_batch.Context.Arena) : default;
        return isText;
    }

    private void Fail(DumpCounts counts, string problem) =>
        result.Fail(counts, $"Item {reader.Item} of {reader.Section} {problem}");

    private static string Text(NativeSlice utf8) => Encoding.UTF8.GetString(utf8.Span);
}
