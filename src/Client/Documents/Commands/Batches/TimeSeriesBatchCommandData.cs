using System.Text.Json;
using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Operations.TimeSeries;

namespace Raven.Client.Documents.Commands.Batches;

/// <summary>Changes a time series of a document.</summary>
public sealed class TimeSeriesBatchCommandData : ICommandData
{
    /// <summary>A change of a series.</summary>
    /// <param name="documentId">The document.</param>
    /// <param name="name">The name of the series.</param>
    /// <param name="appends">Entries to write; null for none.</param>
    /// <param name="deletes">Ranges to delete before that; null for none.</param>
    public TimeSeriesBatchCommandData(
        string documentId, string name, IEnumerable<TimeSeriesOperation.AppendOperation>? appends,
        IEnumerable<TimeSeriesOperation.DeleteOperation>? deletes)
        : this(documentId, name)
    {
        foreach (TimeSeriesOperation.DeleteOperation delete in deletes ?? [])
        {
            TimeSeries.Delete(delete);
        }

        foreach (TimeSeriesOperation.AppendOperation append in appends ?? [])
        {
            TimeSeries.Append(append);
        }
    }

    internal TimeSeriesBatchCommandData(string documentId, string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(documentId);
        ArgumentException.ThrowIfNullOrEmpty(name);
        Id = documentId;
        TimeSeries = new TimeSeriesOperation { Name = name };
    }

    /// <inheritdoc/>
    public string Id { get; }

    /// <inheritdoc/>
    public string Type => "TimeSeries";

    /// <summary>What is done to the series.</summary>
    public TimeSeriesOperation TimeSeries { get; }

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer, DocumentConventions conventions)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.WriteStartObject();
        writer.WriteString("Id"u8, Id);
        writer.WriteString("Type"u8, Type);
        writer.WritePropertyName("TimeSeries"u8);
        TimeSeries.WriteTo(writer);
        writer.WriteEndObject();
    }
}
