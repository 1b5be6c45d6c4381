using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.TimeSeries;

/// <summary>Reads a range of a time series; null if there is no such series.</summary>
/// <param name="docId">The document.</param>
/// <param name="timeseries">The name of the series.</param>
/// <param name="from">The first time; null for an open end.</param>
/// <param name="to">The last time; null for an open end.</param>
/// <param name="start">How many entries of the range are left out.</param>
/// <param name="pageSize">The most entries.</param>
/// <param name="returnFullResults">Whether entries say in <c>NodeValues</c> what each database has added.</param>
public sealed class GetTimeSeriesOperation(
    string docId, string timeseries, DateTime? from = null, DateTime? to = null, int start = 0,
    int pageSize = int.MaxValue, bool returnFullResults = false) : IOperation<TimeSeriesRangeResult>
{
    /// <inheritdoc/>
    public RavenCommand<TimeSeriesRangeResult> GetCommand(DocumentConventions conventions) =>
        new GetTimeSeriesCommand(docId, timeseries, from, to)
        {
            Start = start,
            PageSize = pageSize,
            IsFull = returnFullResults,
        };
}
