using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.TimeSeries;

/// <summary>Gives the values of a time series names, for queries and for other clients.</summary>
/// <param name="parameters">Which names.</param>
public sealed class ConfigureTimeSeriesValueNamesOperation(
    ConfigureTimeSeriesValueNamesOperation.Parameters parameters) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) => Requests.Send(
        HttpMethod.Post, node => new UrlBuilder(node, "/timeseries/names/config"), parameters);

    /// <summary>The names of the values of a series.</summary>
    public sealed record Parameters
    {
        /// <summary>The collection.</summary>
        public string Collection
        {
            get => field ?? "";
            init;
        }

        /// <summary>The name of the series.</summary>
        public string TimeSeries
        {
            get => field ?? "";
            init;
        }

        /// <summary>The names, that of the first value first.</summary>
        public string[] ValueNames
        {
            get => field ?? [];
            init;
        }

        /// <summary>Whether names that are there are replaced; false makes them an error.</summary>
        public bool Update { get; init; }
    }
}
