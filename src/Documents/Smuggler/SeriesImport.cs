using System.Buffers;
using Raven.Blittable.Contexts;
using Raven.Documents.Commands;
using Raven.Documents.Ids;
using Raven.Documents.Queries;
using Raven.Documents.TimeSeries;

namespace Raven.Documents.Smuggler;

/// <summary>
/// Reads the entries of one time series from a file, CSV or JSON lines, in batches, in bounded memory. One import, one
/// operation at a time.
/// </summary>
public sealed class SeriesImport
{
    private const int BufferSizeBytes = 64 * 1024;
    private const int MarkSizeMax = 3;
    private const int BatchEntriesMax = 16 * 1024;

    private readonly Database _database;
    private readonly QueryServices _services;
    private readonly byte[] _documentId;
    private readonly byte[] _name;
    private readonly ISeriesRows _rows;
    private BatchCommand _batch = null!;
    private TimeSeriesAction? _action;

    /// <summary>Prepares an import.</summary>
    /// <param name="database">The database that takes it.</param>
    /// <param name="services">Memory.</param>
    /// <param name="documentId">The document, UTF-8.</param>
    /// <param name="name">The name of the series, UTF-8.</param>
    /// <param name="isCsv">Whether the file is CSV; JSON lines otherwise.</param>
    public SeriesImport(
        Database database, QueryServices services, ReadOnlySpan<byte> documentId, ReadOnlySpan<byte> name, bool isCsv)
    {
        _database = database;
        _services = services;
        _documentId = documentId.ToArray();
        _name = name.ToArray();
        _rows = isCsv ? new SeriesCsvRows() : new SeriesJsonRows();
    }

    /// <summary>How many entries are in.</summary>
    public long Entries { get; private set; }

    /// <summary>Reads a file to its end.</summary>
    /// <param name="file">The bytes, inflated.</param>
    /// <param name="cancellation">Ends the import between two batches.</param>
    /// <exception cref="RefusedException">The file is broken; the rows before are in.</exception>
    /// <exception cref="CommandFailedException">A batch was refused: the document is not there.</exception>
    public async ValueTask RunAsync(Stream file, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(file);
        byte[] buffer = ArrayPool<byte>.Shared.Rent(BufferSizeBytes);
        OperationContext context = _services.RentContext();
        try
        {
            _batch = new BatchCommand(_services.HashSeed);
            Begin(context);
            try
            {
                await ReadAsync(file, buffer, context, cancellation).ConfigureAwait(false);
            }
            catch (RefusedException)
            {
                // The rows before the one that is broken are good.
                await CommitAsync(context, cancellation).ConfigureAwait(false);
                throw;
            }

            await CommitAsync(context, cancellation).ConfigureAwait(false);
        }
        finally
        {
            _services.ReturnContext(context);
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    private async ValueTask ReadAsync(
        Stream file, byte[] buffer, OperationContext context, CancellationToken cancellation)
    {
        // All of the mark, which may come in pieces.
        int length = await file.ReadAtLeastAsync(buffer, MarkSizeMax, throwOnEndOfStream: false, cancellation)
            .ConfigureAwait(false);
        int at = SkipMark(buffer.AsSpan(0, length));
        while (length > 0)
        {
            while (at < length)
            {
                bool isWhole = _rows.TryRead(buffer.AsSpan(at, length - at), out int consumed);
                at += consumed;
                if (isWhole && Take(context) >= BatchEntriesMax)
                {
                    await CommitAsync(context, cancellation).ConfigureAwait(false);
                }
            }

            at = 0;
            length = await file.ReadAsync(buffer, cancellation).ConfigureAwait(false);
        }

        if (_rows.TryEnd())
        {
            Take(context);
        }
    }

    private static int SkipMark(ReadOnlySpan<byte> start)
    {
        if (start is [0xFE, 0xFF, ..] or [0xFF, 0xFE, ..])
        {
            throw new RefusedException(RefusalReason.Argument, "The file is UTF-16, and must be UTF-8.");
        }

        return start is [0xEF, 0xBB, 0xBF, ..] ? 3 : 0;
    }

    /// <summary>Takes the row that is there.</summary>
    /// <returns>How many entries wait.</returns>
    private int Take(OperationContext context)
    {
        TimeSeriesAction action = _action ??= NewAction(context);
        _rows.AddTo(action.Appends);
        return action.EntryCount;
    }

    private TimeSeriesAction NewAction(OperationContext context)
    {
        var action = new TimeSeriesAction(context.Arena);
        if (!_batch.TryAddAction(_documentId, action, ExpectedVersion.Any))
        {
            throw new CommandFailedException(_batch.Failure.Kind, _batch.Failure.Describe());
        }

        return action.TrySetName(
            _batch.Added(_batch.Count - 1).Key.Span, OperationIds.Copy(context.Arena, _name),
            out DocumentIdError error)
            ? action
            : throw new RefusedException(RefusalReason.Argument, $"Bad name: {error.Describe()}");
    }

    private async ValueTask CommitAsync(OperationContext context, CancellationToken cancellation)
    {
        cancellation.ThrowIfCancellationRequested();
        int entries = _action?.EntryCount ?? 0;
        if (entries > 0)
        {
            await _database.SubmitAsync(_batch).ConfigureAwait(false);
            if (!_batch.Failure.IsNone)
            {
                throw new CommandFailedException(_batch.Failure.Kind, _batch.Failure.Describe());
            }

            Entries += entries;
        }

        Begin(context);
    }

    private void Begin(OperationContext context)
    {
        context.Reset();
        _action = null;
        _batch.Reset(context);
        _batch.DocumentSizeBytesMax = _services.DocumentSizeBytesMax;
    }
}
