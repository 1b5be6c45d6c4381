using System.Text.Json;
using Raven.Client.Documents.Operations;
using Raven.Client.Http;

namespace Raven.Client.Documents.Smuggler;

/// <summary>Exports a database as a dump, and imports dumps: files, streams, or straight into another database.
/// </summary>
public sealed class DatabaseSmuggler
{
    private readonly DocumentStore _store;
    private readonly string? _database;

    internal DatabaseSmuggler(DocumentStore store, string? database)
    {
        _store = store;
        _database = database;
    }

    /// <summary>The smuggler of another database.</summary>
    public DatabaseSmuggler ForDatabase(string database) => new(_store, database);

    /// <summary>
    /// Exports into a file, which bears its name only when it is whole; one of the name is replaced. Nothing is left of
    /// an export that fails.
    /// </summary>
    /// <returns>The operation, which has ended.</returns>
    public async Task<Operation> ExportAsync(
        DatabaseSmugglerExportOptions options, string toFile, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(toFile);
        string unfinished = toFile + ".unfinished";
        if (Path.GetDirectoryName(Path.GetFullPath(toFile)) is { Length: > 0 } folder)
        {
            Directory.CreateDirectory(folder);
        }

        try
        {
            Operation operation;
            FileStream file = File.Create(unfinished);
            await using (file.ConfigureAwait(false))
            {
                operation = await ExportAsync(options, file, cancellationToken).ConfigureAwait(false);
            }

            File.Move(unfinished, toFile, overwrite: true);
            return operation;
        }
        catch
        {
            File.Delete(unfinished);
            throw;
        }
    }

    /// <summary>Exports into a stream, which stays open.</summary>
    /// <returns>The operation, which has ended.</returns>
    /// <exception cref="IOException">The answer broke off: the dump is not whole.</exception>
    public async Task<Operation> ExportAsync(
        DatabaseSmugglerExportOptions options, Stream toStream, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(toStream);
        (Operation operation, HttpResponseMessage answer) = await BeginExportAsync(options, cancellationToken)
            .ConfigureAwait(false);
        using (answer)
        {
            await answer.Content.CopyToAsync(toStream, cancellationToken).ConfigureAwait(false);
        }

        return operation;
    }

    /// <summary>Exports into another database, which may be another server's, without a file between them.</summary>
    /// <returns>The operation of the import, which has ended.</returns>
    public async Task<Operation> ExportAsync(
        DatabaseSmugglerExportOptions options, DatabaseSmuggler toDatabase,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(toDatabase);
        (_, HttpResponseMessage answer) = await BeginExportAsync(options, cancellationToken).ConfigureAwait(false);
        using (answer)
        {
            Stream dump = await answer.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false);
            await using (dump.ConfigureAwait(false))
            {
                var all = new DatabaseSmugglerImportOptions { OperateOnTypes = options.OperateOnTypes };
                return await toDatabase.ImportAsync(all, dump, cancellationToken).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Imports a file.</summary>
    /// <returns>The operation, which has ended.</returns>
    public async Task<Operation> ImportAsync(
        DatabaseSmugglerImportOptions options, string fromFile, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(fromFile);
        FileStream file = File.OpenRead(fromFile);
        await using (file.ConfigureAwait(false))
        {
            return await ImportAsync(options, file, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Imports a stream from its position to its end; it stays open.</summary>
    /// <returns>The operation, which has ended.</returns>
    public async Task<Operation> ImportAsync(
        DatabaseSmugglerImportOptions options, Stream stream, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(stream);
        Operation operation = await NextOperationAsync(cancellationToken).ConfigureAwait(false);
        var import = new SimpleCommand<bool>(
            node => new UrlBuilder(node, "/smuggler/import").Add("operationId", operation.Id)
                .ToRequest(HttpMethod.Post, Parts(options, stream)),
            _ => true, isRead: false)
        {
            CanSendAgain = () => false,
            Timeout = Timeout.InfiniteTimeSpan,
        };
        await Executor.ExecuteAsync(import, cancellationToken).ConfigureAwait(false);
        return operation;
    }

    private RequestExecutor Executor => _store.GetRequestExecutor(_database);

    private async Task<(Operation Operation, HttpResponseMessage Answer)> BeginExportAsync(
        DatabaseSmugglerExportOptions options, CancellationToken cancellationToken)
    {
        Operation operation = await NextOperationAsync(cancellationToken).ConfigureAwait(false);
        HttpResponseMessage? answer = await Executor.ExecuteAsync(
            new ExportCommand(options, operation.Id) { Timeout = Timeout.InfiniteTimeSpan }, cancellationToken)
            .ConfigureAwait(false);
        return (operation, answer!);
    }

    private async Task<Operation> NextOperationAsync(CancellationToken cancellationToken)
    {
        RequestExecutor executor = Executor;
        long id = await executor.ExecuteAsync(
            new GetNextOperationIdOperation().GetCommand(_store.Conventions), cancellationToken)
            .ConfigureAwait(false);
        return new Operation(executor, id);
    }

    private static MultipartFormDataContent Parts(DatabaseSmugglerImportOptions options, Stream stream) => new()
    {
        { JsonBody.Write(json => Write(json, options)), "importOptions" },
        { new BorrowedStreamContent(stream), "name", "dump" },
    };

    private static void Write(Utf8JsonWriter json, DatabaseSmugglerOptions options)
    {
        json.WriteStartObject();
        json.WriteString("OperateOnTypes"u8, options.OperateOnTypes.ToString());
        json.WriteBoolean("IncludeExpired"u8, options.IncludeExpired);
        json.WriteBoolean("IncludeArtificial"u8, options.IncludeArtificial);
        json.WriteBoolean("IncludeArchived"u8, options.IncludeArchived);
        json.WriteBoolean("RemoveAnalyzers"u8, options.RemoveAnalyzers);
        json.WriteString("TransformScript"u8, options.TransformScript);
        json.WriteNumber("MaxStepsForTransformScript"u8, options.MaxStepsForTransformScript);
        json.WriteStartArray("Collections"u8);
        foreach (string collection in options.Collections)
        {
            json.WriteStringValue(collection);
        }

        json.WriteEndArray();
        if (options is DatabaseSmugglerExportOptions export)
        {
            json.WriteString("CompressionAlgorithm"u8, export.CompressionAlgorithm.ToString());
            json.WriteBoolean("SkipCorruptedData"u8, export.SkipCorruptedData);
            if (export.MaxReadOpsPerSecond is { } rate)
            {
                json.WriteNumber("MaxReadOpsPerSecond"u8, rate);
            }
        }

        json.WriteEndObject();
    }

    /// <summary>Begins an export; the caller reads the answer as it arrives, and disposes it.</summary>
    private sealed class ExportCommand(DatabaseSmugglerExportOptions options, long operationId)
        : RavenCommand<HttpResponseMessage>
    {
        internal override bool IsStream => true;

        protected internal override HttpRequestMessage CreateRequest(ServerNode node) =>
            new UrlBuilder(node, "/smuggler/export").Add("operationId", operationId)
                .ToRequest(HttpMethod.Post, JsonBody.Write(json => Write(json, options)));

        protected internal override HttpResponseMessage? ReadResponse(RavenResponse response) => null;

        internal override HttpResponseMessage ReadStream(HttpResponseMessage response) => response;
    }
}
