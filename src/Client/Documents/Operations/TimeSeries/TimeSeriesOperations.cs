using Raven.Client.Documents.Session;
using Raven.Client.Documents.Session.TimeSeries;

namespace Raven.Client.Documents.Operations.TimeSeries;

/// <summary>What becomes of the time series of a database: names of values, roll-ups, retention.</summary>
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

    /// <summary>Gives the values of a series names.</summary>
    public Task RegisterAsync<TCollection>(
        string name, string[] valueNames, CancellationToken cancellationToken = default) =>
        RegisterAsync(CollectionOf<TCollection>(), name, valueNames, cancellationToken);

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

    /// <summary>Sets how long the entries of a collection are kept as they were written.</summary>
    public Task SetRawPolicyAsync<TCollection>(TimeValue retention, CancellationToken cancellationToken = default) =>
        Executor.SendAsync(
            new ConfigureRawTimeSeriesPolicyOperation(CollectionOf<TCollection>(), new RawTimeSeriesPolicy(retention)),
            cancellationToken);

    /// <summary>Removes a policy of a collection; what it has made stays.</summary>
    public Task RemovePolicyAsync<TCollection>(string name, CancellationToken cancellationToken = default) =>
        Executor.SendAsync(
            new RemoveTimeSeriesPolicyOperation(CollectionOf<TCollection>(), name), cancellationToken);

    private string CollectionOf<T>() => _store.Conventions.GetCollectionName(typeof(T));
}
