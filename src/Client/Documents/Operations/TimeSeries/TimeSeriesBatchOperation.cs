using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.TimeSeries;

/// <summary>Changes a time series of a document, whole or not at all.</summary>
/// <param name="documentId">The document.</param>
/// <param name="operation">What is to be done.</param>
public sealed class TimeSeriesBatchOperation(string documentId, TimeSeriesOperation operation) : IOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) => new SimpleCommand<bool>(
        node => new UrlBuilder(node, "/timeseries").Add("docId", documentId)
            .ToRequest(HttpMethod.Post, JsonBody.Write(operation.WriteTo)),
        _ => true, isRead: false);
}
