using System.Text.Json;
using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Operations.TimeSeries;

namespace Raven.Client.Documents.Commands.Batches;

/// <summary>Changes an incremental time series of a document.</summary>
public sealed class IncrementalTimeSeriesBatchCommandData : ICommandData
{
    private readonly TimeSeriesBatchCommandData _change;

    /// <summary>A change of an incremental series.</summary>
    /// <param name="documentId">The document.</param>
    /// <param name="name">The name of the series, which begins with <c>INC:</c>.</param>
    /// <param name="increments">Values to add; null for none.</param>
    /// <param name="deletes">Ranges to delete before that; null for none.</param>
    public IncrementalTimeSeriesBatchCommandData(
        string documentId, string name, IEnumerable<TimeSeriesOperation.IncrementOperation>? increments,
        IEnumerable<TimeSeriesOperation.DeleteOperation>? deletes)
    {
        _change = new TimeSeriesBatchCommandData(documentId, name, null, deletes);
        foreach (TimeSeriesOperation.IncrementOperation increment in increments ?? [])
        {
            _change.TimeSeries.Increment(increment);
        }
    }

    /// <inheritdoc/>
    public string Id => _change.Id;

    /// <inheritdoc/>
    public string Type => _change.Type;

    /// <summary>What is done to the series.</summary>
    public TimeSeriesOperation TimeSeries => _change.TimeSeries;

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer, DocumentConventions conventions) =>
        _change.WriteTo(writer, conventions);
}
