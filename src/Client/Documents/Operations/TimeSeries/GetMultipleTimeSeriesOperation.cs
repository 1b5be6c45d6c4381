using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Conventions;
using Raven.Client.Http;
using Raven.Client.Json;

namespace Raven.Client.Documents.Operations.TimeSeries;

/// <summary>
/// Reads several ranges of the time series of a document, in one request; null if the document does not exist.
/// </summary>
/// <param name="docId">The document.</param>
/// <param name="ranges">The ranges; of a series that is not there, they are empty.</param>
/// <param name="start">How many entries of each range are left out.</param>
/// <param name="pageSize">The most entries, of all ranges together.</param>
public sealed class GetMultipleTimeSeriesOperation(
    string docId, IEnumerable<TimeSeriesRange> ranges, int start = 0, int pageSize = int.MaxValue)
    : IOperation<TimeSeriesDetails>
{
    /// <inheritdoc/>
    public RavenCommand<TimeSeriesDetails> GetCommand(DocumentConventions conventions) =>
        new SimpleCommand<TimeSeriesDetails>(
            node => Url(node).ToRequest(HttpMethod.Get),
            response => response.IsNotFound ? null : SeriesJson.ReadDetails(response.Body), isRead: true);

    private UrlBuilder Url(ServerNode node)
    {
        UrlBuilder url = new UrlBuilder(node, "/timeseries/ranges").Add("docId", docId)
            .Add("start", start == 0 ? null : start).Add("pageSize", pageSize == int.MaxValue ? null : pageSize);
        foreach (TimeSeriesRange range in ranges)
        {
            TimeSeriesOperation.CheckRange(range.From, range.To);
            url.Add("name", range.Name).Add("from", SeriesTime.TextOf(range.From) ?? "")
                .Add("to", SeriesTime.TextOf(range.To) ?? "");
        }

        return url;
    }
}
