using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.TimeSeries;

/// <summary>Sets what becomes of time series: roll-ups, retention, names of values.</summary>
/// <param name="configuration">All of it; what it does not name ends.</param>
public sealed class ConfigureTimeSeriesOperation(TimeSeriesConfiguration configuration) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) => Requests.Send(
        HttpMethod.Post, node => new UrlBuilder(node, "/admin/timeseries/config"), configuration);
}

/// <summary>Reads what becomes of time series; null if nothing is configured.</summary>
public sealed class GetTimeSeriesConfigurationOperation : IMaintenanceOperation<TimeSeriesConfiguration>
{
    /// <inheritdoc/>
    public RavenCommand<TimeSeriesConfiguration> GetCommand(DocumentConventions conventions) =>
        Requests.Get<TimeSeriesConfiguration>(node => new UrlBuilder(node, "/timeseries/config"));
}

/// <summary>Adds a policy to a collection, or replaces the one of its name.</summary>
/// <param name="collection">The collection.</param>
/// <param name="policy">The policy.</param>
public sealed class ConfigureTimeSeriesPolicyOperation(string collection, TimeSeriesPolicy policy)
    : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) => Requests.Send(
        HttpMethod.Put, node => new UrlBuilder(node, "/admin/timeseries/policy").Add("collection", collection), policy);
}

/// <summary>Sets how long the entries of a collection are kept as they were written.</summary>
/// <param name="collection">The collection.</param>
/// <param name="policy">How long.</param>
public sealed class ConfigureRawTimeSeriesPolicyOperation(string collection, RawTimeSeriesPolicy policy)
    : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        new ConfigureTimeSeriesPolicyOperation(collection, policy).GetCommand(conventions);
}

/// <summary>Removes a policy of a collection; what it has made stays.</summary>
/// <param name="collection">The collection.</param>
/// <param name="name">The name of the policy.</param>
public sealed class RemoveTimeSeriesPolicyOperation(string collection, string name) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) => Requests.Send(
        HttpMethod.Delete, node => new UrlBuilder(node, "/admin/timeseries/policy").Add("collection", collection)
            .Add("name", name));
}
