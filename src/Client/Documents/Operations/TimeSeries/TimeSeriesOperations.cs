using System.IO.Compression;
using Raven.Client.Documents.Session;
using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Operations.TimeSeries;

/// <summary>
/// What becomes of the time series of a database: names of values, roll-ups, retention; and series as files.
/// </summary>
public sealed class TimeSeriesOperations
{
    private readonly DocumentStore _store;
    private readonly string? _database;

    internal TimeSeriesOperations(DocumentStore store, string? database)
    {
        _store = store;
        _database = database;
    }

    private MaintenanceOperationExecutor Executor =>
        _database is null ? _store.Maintenance : _store.Maintenance.ForDatabase(_database);

    /// <summary>The same of another database.</summary>
    public TimeSeriesOperations ForDatabase(string database) => new(_store, database);

    /// <summary>Gives the values of a series the names of the members of a type.</summary>
    /// <typeparam name="TCollection">The type of the documents.</typeparam>
    /// <typeparam name="TTimeSeriesEntry">A type with a <see cref="TimeSeriesValueAttribute"/> at each value.
    /// </typeparam>
    /// <param name="name">The name of the series; null takes the plural of the type's.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    public Task RegisterAsync<TCollection, TTimeSeriesEntry>(
        string? name = null, CancellationToken cancellationToken = default)
        where TTimeSeriesEntry : new() => RegisterAsync(
            CollectionOf<TCollection>(), name ?? SeriesNames.Of<TTimeSeriesEntry>(_store.Conventions),
            [.. TimeSeriesValues.MembersOf(typeof(TTimeSeriesEntry)).Select(member => member.Name)],
            cancellationToken);

    /// <summary>Gives the values of a series the names of the members of a type, blocking.</summary>
    public void Register<TCollection, TTimeSeriesEntry>(string? name = null) where TTimeSeriesEntry : new() =>
        RegisterAsync<TCollection, TTimeSeriesEntry>(name).GetAwaiter().GetResult();

    /// <summary>Gives the values of a series names.</summary>
    public Task RegisterAsync<TCollection>(
        string name, string[] valueNames, CancellationToken cancellationToken = default) =>
        RegisterAsync(CollectionOf<TCollection>(), name, valueNames, cancellationToken);

    /// <summary>Gives the values of a series names, blocking.</summary>
    public void Register<TCollection>(string name, string[] valueNames) =>
        RegisterAsync<TCollection>(name, valueNames).GetAwaiter().GetResult();

    /// <summary>Gives the values of a series names, in place of those that they have.</summary>
    /// <param name="collection">The collection.</param>
    /// <param name="name">The name of the series.</param>
    /// <param name="valueNames">The names, that of the first value first.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    public Task RegisterAsync(
        string collection, string name, string[] valueNames, CancellationToken cancellationToken = default) =>
        Executor.SendAsync(
            new ConfigureTimeSeriesValueNamesOperation(new ConfigureTimeSeriesValueNamesOperation.Parameters
            {
                Collection = collection, TimeSeries = name, ValueNames = valueNames, Update = true,
            }),
            cancellationToken);

    /// <summary>Gives the values of a series names, in place of those that they have, blocking.</summary>
    public void Register(string collection, string name, string[] valueNames) =>
        RegisterAsync(collection, name, valueNames).GetAwaiter().GetResult();

    /// <summary>Adds a policy to a collection, or replaces the one of its name.</summary>
    /// <typeparam name="TCollection">The type of the documents.</typeparam>
    /// <param name="name">The name of the policy.</param>
    /// <param name="aggregation">The stretch of time that one entry of a roll-up stands for.</param>
    /// <param name="retention">How long these entries are kept.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    public Task SetPolicyAsync<TCollection>(
        string name, TimeValue aggregation, TimeValue retention, CancellationToken cancellationToken = default) =>
        Executor.SendAsync(
            new ConfigureTimeSeriesPolicyOperation(
                CollectionOf<TCollection>(), new TimeSeriesPolicy(name, aggregation, retention)),
            cancellationToken);

    /// <summary>Adds a policy to a collection, or replaces the one of its name, blocking.</summary>
    public void SetPolicy<TCollection>(string name, TimeValue aggregation, TimeValue retention) =>
        SetPolicyAsync<TCollection>(name, aggregation, retention).GetAwaiter().GetResult();

    /// <summary>Sets how long the entries of a collection are kept as they were written.</summary>
    public Task SetRawPolicyAsync<TCollection>(TimeValue retention, CancellationToken cancellationToken = default) =>
        Executor.SendAsync(
            new ConfigureRawTimeSeriesPolicyOperation(CollectionOf<TCollection>(), new RawTimeSeriesPolicy(retention)),
            cancellationToken);

    /// <summary>Sets how long the entries of a collection are kept as they were written, blocking.</summary>
    public void SetRawPolicy<TCollection>(TimeValue retention) =>
        SetRawPolicyAsync<TCollection>(retention).GetAwaiter().GetResult();

    /// <summary>Removes a policy of a collection; what it has made stays.</summary>
    public Task RemovePolicyAsync<TCollection>(string name, CancellationToken cancellationToken = default) =>
        Executor.SendAsync(
            new RemoveTimeSeriesPolicyOperation(CollectionOf<TCollection>(), name), cancellationToken);

    /// <summary>Removes a policy of a collection, blocking.</summary>
    public void RemovePolicy<TCollection>(string name) =>
        RemovePolicyAsync<TCollection>(name).GetAwaiter().GetResult();

    /// <summary>
    /// Writes a series into a file for programs that read tables: CSV if its name ends with <c>.csv</c>, JSON lines
    /// otherwise; packed if <c>.gz</c> follows. It bears its name only when it is whole; one of the name is replaced.
    /// </summary>
    /// <param name="documentId">The document.</param>
    /// <param name="name">The name of the series.</param>
    /// <param name="toFile">The file.</param>
    /// <param name="from">The first time; null for an open end.</param>
    /// <param name="to">The last time; null for an open end.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    /// <exception cref="Exceptions.RavenException">There is no such series.</exception>
    public async Task ExportAsync(
        string documentId, string name, string toFile, DateTime? from = null, DateTime? to = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(toFile);
        string unfinished = toFile + ".unfinished";
        try
        {
            Stream file = File.Create(unfinished);
            if (SeriesFileCommands.IsPacked(toFile))
            {
                file = new GZipStream(file, CompressionLevel.Fastest);
            }

            await using (file.ConfigureAwait(false))
            {
                await ExportAsync(
                    documentId, name, file, SeriesFileCommands.FormatOf(toFile), from, to, cancellationToken)
                    .ConfigureAwait(false);
            }

            File.Move(unfinished, toFile, overwrite: true);
        }
        catch
        {
            File.Delete(unfinished);
            throw;
        }
    }

    /// <summary>Writes a series into a stream, which stays open.</summary>
    /// <exception cref="Exceptions.RavenException">There is no such series.</exception>
    /// <exception cref="IOException">The answer broke off: not all entries came.</exception>
    public async Task ExportAsync(
        string documentId, string name, Stream toStream, TimeSeriesFileFormat format, DateTime? from = null,
        DateTime? to = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(toStream);
        ArgumentException.ThrowIfNullOrEmpty(documentId);
        ArgumentException.ThrowIfNullOrEmpty(name);
        TimeSeriesOperation.CheckRange(from, to);
        var export = new SeriesFileCommands.Export(documentId, name, format, from, to)
        {
            Timeout = Timeout.InfiniteTimeSpan,
        };
        using HttpResponseMessage? answer = await _store.GetRequestExecutor(_database)
            .ExecuteAsync(export, cancellationToken).ConfigureAwait(false);
        await answer!.Content.CopyToAsync(toStream, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Reads a file, plain or gzip, into a series, as <see cref="ExportAsync(string, string, string, DateTime?,
    /// DateTime?, CancellationToken)"/> writes it, or a notebook.
    /// </summary>
    /// <returns>How many entries it had.</returns>
    public async Task<long> ImportAsync(
        string documentId, string name, string fromFile, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(fromFile);
        FileStream file = File.OpenRead(fromFile);
        await using (file.ConfigureAwait(false))
        {
            return await ImportAsync(
                documentId, name, file, SeriesFileCommands.FormatOf(fromFile), cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>
    /// Reads a stream into a series, from its position to its end; it stays open. Entries are written as they come: of
    /// a file that is broken, those before are in.
    /// </summary>
    /// <returns>How many entries it had.</returns>
    public Task<long> ImportAsync(
        string documentId, string name, Stream fromStream, TimeSeriesFileFormat format,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(fromStream);
        ArgumentException.ThrowIfNullOrEmpty(documentId);
        ArgumentException.ThrowIfNullOrEmpty(name);
        return _store.GetRequestExecutor(_database).ExecuteAsync(
            SeriesFileCommands.Import(documentId, name, fromStream, format), cancellationToken);
    }

    private string CollectionOf<T>() => _store.Conventions.GetCollectionName(typeof(T));
}
