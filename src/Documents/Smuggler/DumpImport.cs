using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Commands;
using Raven.Documents.Ids;
using Raven.Documents.Operations;
using Raven.Documents.Queries;
using Raven.Documents.Sweeps;

namespace Raven.Documents.Smuggler;

//   DUMP-1  What a dump says of ids, flags, versions and hashes is input: ids are checked as those of a put, versions
//           and flags are made anew, and a document is linked to bytes that came with this dump alone.
//   DUMP-2  A document, with its attachments, is in whole or not at all. An import that ends early leaves what was
//           committed before, and its failure says how much.

/// <summary>
/// Reads a dump into a database, in batches, in bounded memory. Documents that are there are replaced; a document that
/// is the same stays as it is. One import, one operation at a time.
/// </summary>
public sealed class DumpImport
{
    private readonly Database _database;
    private readonly QueryServices _services;
    private readonly DumpOptions _options;
    private readonly DumpResult _result;
    private readonly RunningOperation? _operation;
    private DumpReader _reader = null!;
    private DumpBatch _batch = null!;
    private DumpAttachments _attachments = null!;
    private DumpTransform? _transform;

    /// <summary>Prepares an import.</summary>
    /// <param name="database">The database that takes it.</param>
    /// <param name="services">Memory and scripts.</param>
    /// <param name="options">What is taken.</param>
    /// <param name="result">Counts what is in.</param>
    /// <param name="operation">Reports the progress; null for none.</param>
    public DumpImport(
        Database database, QueryServices services, DumpOptions options, DumpResult result,
        RunningOperation? operation = null)
    {
        _database = database;
        _services = services;
        _options = options;
        _result = result;
        _operation = operation;
    }

    /// <summary>The longest attachment that is taken.</summary>
    public long AttachmentSizeBytesMax { get; init; } = long.MaxValue / 2;

    /// <summary>Whether the caller is an administrator of the database: others get neither its record nor its indexes
    /// and subscriptions changed.</summary>
    public required bool IsAdministrator { get; init; }

    /// <summary>Reads a dump to its end.</summary>
    /// <param name="dump">The bytes, inflated.</param>
    /// <param name="cancellation">Ends the import between two batches.</param>
    /// <exception cref="RefusedException">The dump is broken; what is before is in.</exception>
    public async ValueTask RunAsync(Stream dump, CancellationToken cancellation)
    {
        _transform = _options.TransformScript is { } script
            ? new DumpTransform(_services, script, _options.ScriptStepsMax)
            : null;
        using var reader = new DumpReader(dump);
        _reader = reader;
        var attachments = new DumpAttachments(_database, reader, _result, AttachmentSizeBytesMax);
        await using (attachments.ConfigureAwait(false))
        {
            _attachments = attachments;
            var batch = new DumpBatch(_database, _services, _result, Committed);
            await using (batch.ConfigureAwait(false))
            {
                _batch = batch;
                await RunSectionsAsync(cancellation).ConfigureAwait(false);
                await batch.FlushAsync(cancellation).ConfigureAwait(false);
            }
        }
    }

    private void Committed(BatchCommand batch)
    {
        _attachments.Committed(batch);
        if (_operation is not null)
        {
            _operation.Processed = _result.Processed;
        }
    }

    private async ValueTask RunSectionsAsync(CancellationToken cancellation)
    {
        await _reader.BeginAsync(cancellation).ConfigureAwait(false);
        var definitions = new DumpImportDefinitions(_database, _services, _options, _result);
        var others = new DumpImportSections(_database, _options, _result, _reader, definitions, _services.Clock)
        {
            IsAdministrator = IsAdministrator,
        };
        while (await _reader.NextSectionAsync(cancellation).ConfigureAwait(false) is { } section)
        {
            switch (section)
            {
                case "BuildVersion":
                    await _reader.SkipAsync(cancellation).ConfigureAwait(false);
                    break;
                case "Docs":
                    await ReadDocumentsAsync(cancellation).ConfigureAwait(false);
                    break;
                case "RevisionDocuments":
                    await ReadRevisionsAsync(cancellation).ConfigureAwait(false);
                    break;
                default:
                    // Sections see what those before them have written.
                    await others.ReadAsync(section, _batch, cancellation).ConfigureAwait(false);
                    break;
            }

            await _batch.FlushAsync(cancellation).ConfigureAwait(false);
        }

        await definitions.EndAsync().ConfigureAwait(false);
    }

    /// <summary>Whether bytes are kept: a revision may name those that came with a document.</summary>
    private bool TakesAttachments => _options.Has(DumpSections.Attachments)
        && _options.Has(DumpSections.Documents | DumpSections.RevisionDocuments);

    private async ValueTask ReadDocumentsAsync(CancellationToken cancellation)
    {
        await BeginListAsync(cancellation).ConfigureAwait(false);
        bool isTaken = _options.Has(DumpSections.Documents);
        while (await _reader.NextItemAsync(cancellation).ConfigureAwait(false))
        {
            BlittableObject item = await ReadItemAsync(cancellation).ConfigureAwait(false);
            BlittableObject metadata = MetadataOf(item);
            if (IsAttachment(metadata))
            {
                await _attachments.ReadAsync(item, TakesAttachments, cancellation).ConfigureAwait(false);
            }
            else if (!isTaken || !IsWanted(metadata))
            {
                _result.Documents.Skipped++;
            }
            else
            {
                AddDocument(item, metadata, cancellation);
            }

            await _batch.CommitIfFullAsync(cancellation).ConfigureAwait(false);
        }

        _result.Documents.IsDone = true;
        _result.Attachments.IsDone = true;
    }

    private void AddDocument(BlittableObject item, BlittableObject metadata, CancellationToken cancellation)
    {
        if (!TryReadId(metadata, out NativeSlice id))
        {
            _result.Fail(_result.Documents, $"Item {_reader.Item} of {_reader.Section} has no valid @metadata.@id.");
            return;
        }

        // The script may change neither the id nor what is linked: these are read from what the dump says.
        BlittableObject transformed = item;
        if (_transform is not null
            && !_transform.TryRun(item, _batch.Context, out transformed, out string? error, cancellation))
        {
            LeaveOut(id, error);
            return;
        }

        BatchCommand command = _batch.Command;
        BlittableObject document = LegacyMetadata.Rewrite(_batch.Context, transformed, MetadataOf(transformed));
        if (!command.TryAddPut(id.Span, document, ExpectedVersion.Any, skipIfUnchanged: true))
        {
            _result.Fail(_result.Documents, command.Failure.Describe());
            return;
        }

        ref DocumentOperation put = ref command.Added(command.Count - 1);
        put.GivenTicks = ReadTicks(metadata);
        _batch.Added(_result.Documents, put.Document.Length);
        if (_options.Has(DumpSections.Attachments))
        {
            _attachments.Link(metadata, put.Id, _batch);
        }
    }

    private void LeaveOut(NativeSlice id, string? error)
    {
        if (error is null)
        {
            _result.Documents.Skipped++;
        }
        else
        {
            _result.Fail(
                _result.Documents, $"Document '{System.Text.Encoding.UTF8.GetString(id.Span)}' is left out: {error}");
        }
    }

    private async ValueTask ReadRevisionsAsync(CancellationToken cancellation)
    {
        await BeginListAsync(cancellation).ConfigureAwait(false);
        bool isTaken = _options.Has(DumpSections.RevisionDocuments);
        while (await _reader.NextItemAsync(cancellation).ConfigureAwait(false))
        {
            BlittableObject item = await ReadItemAsync(cancellation).ConfigureAwait(false);
            BlittableObject metadata = MetadataOf(item);
            if (IsAttachment(metadata))
            {
                await _attachments.ReadAsync(item, TakesAttachments, cancellation).ConfigureAwait(false);
            }
            else if (!isTaken || !IsOfWantedCollection(metadata))
            {
                _result.Revisions.Skipped++;
            }
            else
            {
                AddRevision(item, metadata);
            }

            await _batch.CommitIfFullAsync(cancellation).ConfigureAwait(false);
        }

        _result.Revisions.IsDone = true;
    }

    private void AddRevision(BlittableObject item, BlittableObject metadata)
    {
        Arena arena = _batch.Context.Arena;
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        if (!TryReadId(metadata, out NativeSlice id)
            || !StoredMetadata.TryPrepare(_batch.Context, item, out StoredMetadata prepared)
            || !DocumentId.TryFold(prepared.Collection.Span, folded, out int length, out _)
            || prepared.Document.Length > _services.DocumentSizeBytesMax)
        {
            _result.Fail(
                _result.Revisions,
                $"Item {_reader.Item} of {_reader.Section} has no valid @id, @collection or times, or is too long.");
            return;
        }

        List<DumpRevisionAttachment> attachments = _options.Has(DumpSections.Attachments)
            ? _attachments.OfRevision(metadata, id, arena)
            : [];
        long ticks = ReadTicks(metadata);
        var action = new DumpRevisionAction(arena)
        {
            Body = prepared.Document,
            Collection = prepared.Collection,
            CollectionKey = OperationIds.Copy(arena, folded[..length]),
            Ticks = ticks == 0 ? _services.Clock.GetUtcNow().Ticks : ticks,
            IsDeletion = HasFlag(metadata, "DeleteRevision"),
            HasCounters = HasFlag(metadata, "HasCounters"),
            Attachments = attachments,
        };
        _batch.Command.TryAddAction(id.Span, action, ExpectedVersion.Any);
        _batch.Added(_result.Revisions, prepared.Document.Length);
        _result.Attachments.Read += attachments.Count;
    }

    private async ValueTask BeginListAsync(CancellationToken cancellation)
    {
        if (!await _reader.TryBeginListAsync(cancellation).ConfigureAwait(false))
        {
            throw _reader.Broken("it must be a list");
        }
    }

    private async ValueTask<BlittableObject> ReadItemAsync(CancellationToken cancellation)
    {
        BlittableValue value = await _reader.ReadAsync(
            _batch.Context.Parser, BlittableMode.ToDisk, cancellation).ConfigureAwait(false);
        return value.TryGetObject(out BlittableObject item) ? item : throw _reader.Broken("it must be an object");
    }

    private static BlittableObject MetadataOf(BlittableObject item) =>
        item.TryGet("@metadata"u8, out BlittableValue value) && value.TryGetObject(out BlittableObject metadata)
            ? metadata
            : default;

    private static bool IsAttachment(BlittableObject metadata) =>
        metadata.IsValid && metadata.TryGet("@export-type"u8, out BlittableValue type)
        && type.StringEquals("Attachment"u8);

    private bool IsWanted(BlittableObject metadata)
    {
        if (!metadata.IsValid)
        {
            return true;
        }

        return IsOfWantedCollection(metadata)
            && (_options.IncludesArtificial || !HasFlag(metadata, "Artificial"))
            && (_options.IncludesArchived
                || !metadata.TryGet("@archived"u8, out BlittableValue archived)
                || !archived.TryGetBoolean(out bool isArchived) || !isArchived)
            && (_options.IncludesExpired
                || !DueTimes.TryRead(metadata, SweepKind.Expiration, out long expires) || expires == 0
                || expires > _services.Clock.GetUtcNow().Ticks);
    }

    private bool IsOfWantedCollection(BlittableObject metadata)
    {
        if (_options.Collections is null)
        {
            return true;
        }

        BlittableValue name = default;
        bool hasName = metadata.IsValid && (metadata.TryGet("@collection"u8, out name)
            || metadata.TryGet(LegacyMetadata.CollectionName, out name));
        return _options.Collections.Contains(hasName && name.TryGetString(out string text) ? text : "@empty");
    }

    private bool TryReadId(BlittableObject metadata, out NativeSlice id)
    {
        id = default;
        if (!metadata.IsValid || !metadata.TryGet("@id"u8, out BlittableValue value)
            || value.Kind != ValueKind.String)
        {
            return false;
        }

        id = value.GetUtf8(_batch.Context.Arena);
        return ServerMadeId.KindOf(id.Span) == IdRequestKind.Exact && DocumentId.TryValidate(id.Span, out _);
    }

    /// <summary>When a version was written: not in the future. 0 if the dump does not say it.</summary>
    private long ReadTicks(BlittableObject metadata) =>
        metadata.TryGet("@last-modified"u8, out BlittableValue value) && value.TryGetString(out string text)
            && DocumentTime.TryRead(text, out long ticks)
            ? Math.Min(ticks, _services.Clock.GetUtcNow().Ticks)
            : 0;

    private static bool HasFlag(BlittableObject metadata, string flag) =>
        metadata.IsValid && metadata.TryGet("@flags"u8, out BlittableValue value) && value.TryGetString(out string text)
        && text.Split(',', StringSplitOptions.TrimEntries).Contains(flag, StringComparer.OrdinalIgnoreCase);
}
