using System.Buffers;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Documents.Commands;
using Raven.Documents.Json;
using Raven.Documents.Operations;
using Raven.Documents.Queries;
using Raven.Documents.Rows;
using Raven.Documents.Sweeps;
using Raven.Storage.Errors;
using Raven.Storage.Tables;
using Raven.Storage.Trees;

namespace Raven.Documents.Smuggler;

//   DUMP-3  A dump is what one snapshot holds: what is written while it is made is not in it.

/// <summary>
/// Writes a database as a dump, in bounded memory. While it runs its snapshot keeps the pages that it sees. One export,
/// one operation at a time.
/// </summary>
public sealed class DumpExport
{
    /// <summary>The version of the builds whose dumps have these sections.</summary>
    private const long BuildVersion = 72000;

    private readonly Database _database;
    private readonly QueryServices _services;
    private readonly DumpOptions _options;
    private readonly DumpResult _result;
    private readonly RunningOperation? _operation;
    private DumpWriter _writer = null!;
    private DumpExportAttachments _attachments = null!;
    private DumpTransform? _transform;
    private CancellationToken _cancellation;
    private OperationContext _scripts = null!;
    private long _lastEtag;
    private long _readyEtag;

    /// <summary>Prepares an export.</summary>
    /// <param name="database">The database.</param>
    /// <param name="services">Memory and scripts.</param>
    /// <param name="options">What is written.</param>
    /// <param name="result">Counts what is written.</param>
    /// <param name="operation">Reports the progress; null for none.</param>
    public DumpExport(
        Database database, QueryServices services, DumpOptions options, DumpResult result,
        RunningOperation? operation = null)
    {
        _database = database;
        _services = services;
        _options = options;
        _result = result;
        _operation = operation;
    }

    /// <summary>Writes the dump.</summary>
    /// <param name="target">Takes the bytes, not compressed yet; stays the caller's.</param>
    /// <param name="cancellation">Ends the export.</param>
    public async ValueTask RunAsync(Stream target, CancellationToken cancellation)
    {
        _transform = _options.TransformScript is { } script
            ? new DumpTransform(_services, script, _options.ScriptStepsMax)
            : null;
        _scripts = _services.RentContext();
        _cancellation = cancellation;
        try
        {
            await WriteAsync(target, cancellation).ConfigureAwait(false);
        }
        finally
        {
            _services.ReturnContext(_scripts);
        }
    }

    private async ValueTask WriteAsync(Stream target, CancellationToken cancellation)
    {
        _writer = new DumpWriter(target);
        _attachments = new DumpExportAttachments(_writer, _result);
        using DocumentSnapshot snapshot = _database.BeginRead("export");
        var others = new DumpExportSections(_database, snapshot, _options, _result, _writer, _services.Clock);
        _writer.Begin(BuildVersion);
        others.WriteRecord();
        _result.LastEtag = snapshot.LastEtag;
        if (_operation is not null)
        {
            _operation.Total = snapshot.DocumentCount;
        }

        if (_options.Has(DumpSections.Documents))
        {
            await WriteAllAsync("Docs", snapshot, FillDocuments, cancellation).ConfigureAwait(false);
            _result.Documents.IsDone = true;
        }

        if (_options.Has(DumpSections.RevisionDocuments))
        {
            await WriteAllAsync("RevisionDocuments", snapshot, FillRevisions, cancellation).ConfigureAwait(false);
            _result.Revisions.IsDone = true;
        }

        _result.Attachments.IsDone = true;
        await others.WriteAllAsync(cancellation).ConfigureAwait(false);
        await _writer.EndAsync(cancellation).ConfigureAwait(false);
        Report();
    }

    private async ValueTask WriteAllAsync(
        string section, DocumentSnapshot snapshot, Func<DocumentSnapshot, bool> fill, CancellationToken cancellation)
    {
        _lastEtag = 0;
        _readyEtag = 0;
        _writer.BeginList(section);
        long began = _services.Clock.GetTimestamp();
        long readBefore = _result.Processed;
        while (fill(snapshot))
        {
            await _attachments.WriteAsync(snapshot, cancellation).ConfigureAwait(false);
            await _writer.PassAsync(cancellation).ConfigureAwait(false);
            Report();
            await SlowDownAsync(began, _result.Processed - readBefore, cancellation).ConfigureAwait(false);
        }

        _writer.EndList();
        await _writer.PassAsync(cancellation).ConfigureAwait(false);
    }

    private void Report()
    {
        if (_operation is not null)
        {
            _operation.Processed = _result.Processed;
        }
    }

    /// <summary>Waits until so many reads are as old as the options allow.</summary>
    private async ValueTask SlowDownAsync(long began, long reads, CancellationToken cancellation)
    {
        if (_options.ReadsPerSecondMax == 0)
        {
            return;
        }

        TimeSpan early = TimeSpan.FromSeconds((double)reads / _options.ReadsPerSecondMax)
            - _services.Clock.GetElapsedTime(began);
        if (early > TimeSpan.Zero)
        {
            await Task.Delay(early, _services.Clock, cancellation).ConfigureAwait(false);
        }
    }

    /// <summary>Writes documents until it is time to pass them on (true) or there are no more (false).</summary>
    private bool FillDocuments(DocumentSnapshot snapshot)
    {
        int inTurn = 0;
        while (true)
        {
            try
            {
                DocumentCursor cursor = snapshot.DocumentsByEtag(_lastEtag + 1);
                while (cursor.MoveNext(out StoredDocument document))
                {
                    if (!TryWrite(in document, _result.Documents) || ++inTurn == TurnMax || _writer.IsFull)
                    {
                        return true;
                    }
                }

                return false;
            }
            catch (StorageCorruptedException e) when (_options.SkipsDamaged && _lastEtag < snapshot.LastEtag)
            {
                _lastEtag++;
                _result.Fail(_result.Documents, $"What change {_lastEtag} has written cannot be read: {e.Message}");
            }
        }
    }

    private bool FillRevisions(DocumentSnapshot snapshot)
    {
        if (snapshot.Transaction.TryOpenFixedTree(RevisionSchema.ByEtag) is not { } byEtag
            || snapshot.Transaction.TryOpenRowHeap(RevisionSchema.Revisions) is not { } rows)
        {
            return false;
        }

        return FillRevisions(snapshot, byEtag, rows);
    }

    private bool FillRevisions(DocumentSnapshot snapshot, FixedTree byEtag, RowHeap rows)
    {
        int inTurn = 0;
        FixedTreeCursor cursor = byEtag.GetCursor();
        for (bool more = cursor.Seek(_lastEtag + 1); more; more = cursor.MoveNext())
        {
            var revision = new StoredDocument(rows.Read(cursor.Int64Value), snapshot);
            if (!TryWrite(in revision, _result.Revisions) || ++inTurn == TurnMax || _writer.IsFull)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>How many documents are written in one turn if reads are counted.</summary>
    private int TurnMax =>
        _options.ReadsPerSecondMax == 0 ? int.MaxValue : Math.Max(1, _options.ReadsPerSecondMax / 10);

    /// <summary>Writes a document or a revision, or leaves it out; false if its attachments must be written
    /// before.</summary>
    private bool TryWrite(in StoredDocument document, DumpCounts counts)
    {
        if (!IsWanted(in document))
        {
            counts.Skipped++;
            _lastEtag = document.Etag;
            return true;
        }

        if ((document.Flags & DocumentFlags.HasAttachments) != 0 && _options.Has(DumpSections.Attachments)
            && _readyEtag != document.Etag)
        {
            _readyEtag = document.Etag;
            if (_attachments.Collect(in document))
            {
                return false;
            }
        }

        long before = _writer.Position;
        bool isScripted = _transform is not null && counts == _result.Documents;
        if (isScripted || _options.SkipsDamaged)
        {
            // What cannot be read to its end must not be in the dump in part.
            var whole = new ArrayBufferWriter<byte>();
            Write(whole, in document);
            if (isScripted && !TryTransform(ref whole))
            {
                _lastEtag = document.Etag;
                return true;
            }

            _writer.BeginItem();
            _writer.Buffer.Write(whole.WrittenSpan);
        }
        else
        {
            _writer.BeginItem();
            Write(_writer.Buffer, in document);
        }

        counts.Read++;
        counts.SizeBytes += _writer.Position - before;
        _lastEtag = document.Etag;
        return true;
    }

    /// <summary>Runs the script on the JSON of a document.</summary>
    /// <returns>False if it is left out.</returns>
    private bool TryTransform(ref ArrayBufferWriter<byte> json)
    {
        _scripts.Reset();
        string? error = null;
        BlittableObject result = default;
        bool isJson = _scripts.Parser.TryParse(
            json.WrittenSpan, BlittableMode.ToMemory, out BlittableObject source, out JsonError _);
        if (!isJson
            || !_transform!.TryRun(source, _scripts, out result, out error, _cancellation))
        {
            if (error is null)
            {
                _result.Documents.Skipped++;
            }
            else
            {
                _result.Fail(_result.Documents, error);
            }

            return false;
        }

        json = new ArrayBufferWriter<byte>();
        BlittableToJson.Write(result, json, JsonOutputOptions.Original);
        return true;
    }

    private static void Write(IBufferWriter<byte> target, in StoredDocument document)
    {
        var json = new JsonOutput(target);
        DocumentJson.Write(ref json, in document, isMetadataOnly: false);
        json.Flush();
    }

    private bool IsWanted(in StoredDocument document)
    {
        if (!_options.HasCollection(document.Collection))
        {
            return false;
        }

        if (_options is { IncludesExpired: true, IncludesArchived: true }
            || !document.Data.TryGet(StoredMetadata.PropertyName, out BlittableValue value)
            || !value.TryGetObject(out BlittableObject metadata))
        {
            return true;
        }

        bool isArchived = metadata.TryGet("@archived"u8, out BlittableValue archived)
            && archived.TryGetBoolean(out bool isSet) && isSet;
        bool isExpired = DueTimes.TryRead(metadata, SweepKind.Expiration, out long expires) && expires != 0
            && expires <= _services.Clock.GetUtcNow().Ticks;
        return (_options.IncludesArchived || !isArchived) && (_options.IncludesExpired || !isExpired);
    }
}
