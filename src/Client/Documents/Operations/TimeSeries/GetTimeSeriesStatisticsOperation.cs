using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.TimeSeries;

/// <summary>Reads which time series a document has; null if it does not exist.</summary>
/// <param name="documentId">The document.</param>
public sealed class GetTimeSeriesStatisticsOperation(string documentId) : IOperation<TimeSeriesStatistics>
{
    /// <inheritdoc/>
    public RavenCommand<TimeSeriesStatistics> GetCommand(DocumentConventions conventions) =>
        Requests.Get<TimeSeriesStatistics>(
            node => new UrlBuilder(node, "/timeseries/stats").Add("docId", documentId));
}
