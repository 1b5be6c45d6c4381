using System.Text.Json;
using Raven.Client.Documents.Conventions;
using Raven.Client.Json;

namespace Raven.Client.Documents.Commands.Batches;

/// <summary>Copies a range of a time series to a series of the same document or another.</summary>
/// <param name="sourceDocumentId">The document that has the series.</param>
/// <param name="sourceName">The name of the series.</param>
/// <param name="destinationDocumentId">The document that gets the entries.</param>
/// <param name="destinationName">The name of the series that they go to.</param>
/// <param name="from">The first time; null for an open end.</param>
/// <param name="to">The last time; null for an open end.</param>
public sealed class CopyTimeSeriesCommandData(
    string sourceDocumentId, string sourceName, string destinationDocumentId, string destinationName,
    DateTime? from = null, DateTime? to = null) : ICommandData
{
    /// <inheritdoc/>
    public string Id => sourceDocumentId;

    /// <inheritdoc/>
    public string Type => "TimeSeriesCopy";

    /// <summary>The document that gets the entries.</summary>
    public string DestinationId => destinationDocumentId;

    /// <summary>The name of the series that they go to.</summary>
    public string DestinationName => destinationName;

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer, DocumentConventions conventions)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.WriteStartObject();
        writer.WriteString("Id"u8, sourceDocumentId);
        writer.WriteString("Type"u8, Type);
        writer.WriteString("Name"u8, sourceName);
        writer.WriteString("DestinationId"u8, destinationDocumentId);
        writer.WriteString("DestinationName"u8, destinationName);
        writer.WriteString("From"u8, SeriesTime.TextOf(from));
        writer.WriteString("To"u8, SeriesTime.TextOf(to));
        writer.WriteEndObject();
    }
}
