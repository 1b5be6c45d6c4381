using System.Text.Json;
using Raven.Client.Documents.Conventions;
using Raven.Client.Json;

namespace Raven.Client.Documents.Commands.Batches;

/// <summary>Writes a document.</summary>
public sealed class PutCommandData : ICommandData
{
    /// <summary>Writes a document that is given as an object of JSON with its <c>@metadata</c>.</summary>
    /// <param name="id">The id of the document.</param>
    /// <param name="changeVector">
    /// The change vector that the document must have; empty if it must not exist, null for any.
    /// </param>
    /// <param name="document">The document.</param>
    public PutCommandData(string id, string? changeVector, JsonElement document)
        : this(id, changeVector, JsonScratch.Write(document, static (writer, it) => it.WriteTo(writer)))
    {
    }

    internal PutCommandData(string id, string? changeVector, ReadOnlyMemory<byte> json)
    {
        ArgumentNullException.ThrowIfNull(id);
        Id = id;
        ChangeVector = changeVector;
        Json = json;
    }

    /// <inheritdoc/>
    public string Id { get; }

    /// <inheritdoc/>
    public string Type => "PUT";

    /// <summary>The change vector that the document must have.</summary>
    public string? ChangeVector { get; }

    internal ReadOnlyMemory<byte> Json { get; }

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer, DocumentConventions conventions)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.WriteStartObject();
        writer.WriteString("Id"u8, Id);
        if (ChangeVector != null)
        {
            writer.WriteString("ChangeVector"u8, ChangeVector);
        }

        writer.WritePropertyName("Document"u8);
        writer.WriteRawValue(Json.Span, skipInputValidation: true);
        writer.WriteString("Type"u8, "PUT"u8);
        writer.WriteEndObject();
    }
}
