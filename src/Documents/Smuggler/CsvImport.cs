using System.Buffers;
using System.Text;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Commands;
using Raven.Documents.Operations;
using Raven.Documents.Queries;

namespace Raven.Documents.Smuggler;

/// <summary>
/// Reads a CSV file into a database: each row becomes a document, in batches, in bounded memory. One import, one
/// operation at a time.
/// </summary>
public sealed class CsvImport
{
    private const int BufferSizeBytes = 64 * 1024;
    private const int ColumnsMax = 10_000;

    private readonly Database _database;
    private readonly QueryServices _services;
    private readonly CsvOptions _options;
    private readonly DumpResult _result;
    private readonly RunningOperation? _operation;
    private readonly ArrayBufferWriter<byte> _json = new();
    private readonly CsvParser _parser;
    private DumpBatch _batch = null!;
    private CsvHeader? _header;

    /// <summary>Prepares an import.</summary>
    /// <param name="database">The database that takes it.</param>
    /// <param name="services">Memory.</param>
    /// <param name="options">How the file is written.</param>
    /// <param name="result">Counts what is in.</param>
    /// <param name="operation">Reports the progress; null for none.</param>
    public CsvImport(
        Database database, QueryServices services, CsvOptions options, DumpResult result,
        RunningOperation? operation = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        _database = database;
        _services = services;
        _options = options;
        _result = result;
        _operation = operation;
        _parser = new CsvParser(_options, services.DocumentSizeBytesMax, ColumnsMax);
    }

    /// <summary>The collection of the documents; null for that which their rows name.</summary>
    public string? Collection { get; init; }

    /// <summary>Reads a file to its end.</summary>
    /// <param name="file">The bytes, inflated.</param>
    /// <param name="cancellation">Ends the import between two batches.</param>
    /// <exception cref="RefusedException">The file is broken; the rows before are in.</exception>
    public async ValueTask RunAsync(Stream file, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(file);
        byte[] buffer = ArrayPool<byte>.Shared.Rent(BufferSizeBytes);
        var batch = new DumpBatch(_database, _services, _result, Committed);
        await using (batch.ConfigureAwait(false))
        {
            _batch = batch;
            try
            {
                await ReadAsync(file, buffer, cancellation).ConfigureAwait(false);
            }
            catch (RefusedException)
            {
                // The rows before the one that is broken are good.
                await batch.FlushAsync(cancellation).ConfigureAwait(false);
                throw;
            }
            finally
            {
                ArrayPool<byte>.Shared.Return(buffer);
            }

            await batch.FlushAsync(cancellation).ConfigureAwait(false);
        }

        _result.Documents.IsDone = true;
    }

    private async ValueTask ReadAsync(Stream file, byte[] buffer, CancellationToken cancellation)
    {
        bool isFirst = true;
        for (int length; (length = await file.ReadAsync(buffer, cancellation).ConfigureAwait(false)) > 0;)
        {
            int at = isFirst ? SkipMark(buffer.AsSpan(0, length)) : 0;
            isFirst = false;
            while (at < length)
            {
                bool isWhole = _parser.TryRead(buffer.AsSpan(at, length - at), out int consumed);
                at += consumed;
                if (isWhole)
                {
                    TakeRow();
                    await _batch.CommitIfFullAsync(cancellation).ConfigureAwait(false);
                }
            }
        }

        if (_parser.TryEnd())
        {
            TakeRow();
        }

        if (_header is null)
        {
            throw _parser.Refuse("it has no header");
        }
    }

    private int SkipMark(ReadOnlySpan<byte> start)
    {
        if (start is [0xFE, 0xFF, ..] or [0xFF, 0xFE, ..])
        {
            throw _parser.Refuse("it is UTF-16, and must be UTF-8");
        }

        return start is [0xEF, 0xBB, 0xBF, ..] ? 3 : 0;
    }

    private void TakeRow()
    {
        if (_header is null)
        {
            _header = CsvHeader.Parse(_parser);
            return;
        }

        if (_parser.Line < _options.FirstLine)
        {
            return;
        }

        if (_parser.CellCount != _header.Count)
        {
            throw _parser.Refuse(
                $"the row that begins in line {_parser.Line} has {_parser.CellCount} cells, and the header "
                + $"{_header.Count}");
        }

        _json.ResetWrittenCount();
        _header.Write(_parser, Collection, _json);
        JsonToBlittable parser = _batch.Context.Parser;
        if (!parser.TryParse(
            _json.WrittenSpan, BlittableMode.ToDisk, out BlittableObject document, out JsonError error))
        {
            _result.Fail(_result.Documents, $"The row of line {_parser.Line} is no document: {error.Reason}");
            return;
        }

        if (!_batch.Command.TryAddPut(IdOf(document).Span, document, ExpectedVersion.Any))
        {
            _result.Fail(
                _result.Documents, $"The row of line {_parser.Line}: {_batch.Command.Failure.Describe()}");
            return;
        }

        _batch.Added(_result.Documents, _json.WrittenCount);
    }

    /// <summary>The id that a row names, or the form of one that the server completes.</summary>
    private NativeSlice IdOf(BlittableObject document)
    {
        Arena arena = _batch.Context.Arena;
        BlittableObject metadata = document["@metadata"u8].AsObject();
        if (metadata.TryGet("@id"u8, out BlittableValue value) && value.TryGetString(out string id) && id.Length > 0)
        {
            return OperationIds.Copy(arena, Encoding.UTF8.GetBytes(id));
        }

        string collection = metadata.TryGet("@collection"u8, out value) && value.TryGetString(out string name)
            ? name
            : "documents";
        return OperationIds.Copy(arena, Encoding.UTF8.GetBytes(collection + "/"));
    }

    private void Committed(BatchCommand batch)
    {
        if (_operation is not null)
        {
            _operation.Processed = _result.Processed;
        }
    }
}
