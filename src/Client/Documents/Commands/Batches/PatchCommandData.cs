using System.Text.Json;
using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Operations;

namespace Raven.Client.Documents.Commands.Batches;

/// <summary>Changes a document by a script.</summary>
/// <param name="id">The id of the document.</param>
/// <param name="changeVector">The change vector that the document must have; null for any.</param>
/// <param name="patch">The script.</param>
/// <param name="patchIfMissing">The script that makes the document if there is none; null makes none.</param>
public sealed class PatchCommandData(
    string id, string? changeVector, PatchRequest patch, PatchRequest? patchIfMissing = null) : ICommandData
{
    /// <inheritdoc/>
    public string Id => id;

    /// <inheritdoc/>
    public string Type => "PATCH";

    /// <summary>The change vector that the document must have.</summary>
    public string? ChangeVector => changeVector;

    /// <summary>The script.</summary>
    public PatchRequest Patch => patch;

    /// <summary>The document to make if there is none, as JSON; null makes none.</summary>
    internal ReadOnlyMemory<byte>? CreateIfMissing { get; init; }

    /// <summary>Whether the answer has to hold the new document.</summary>
    internal bool ReturnDocument { get; set; }

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer, DocumentConventions conventions)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(conventions);
        writer.WriteStartObject();
        writer.WriteString("Id"u8, id);
        if (changeVector != null)
        {
            writer.WriteString("ChangeVector"u8, changeVector);
        }

        writer.WritePropertyName("Patch"u8);
        patch.WriteTo(writer, conventions);
        if (patchIfMissing != null)
        {
            writer.WritePropertyName("PatchIfMissing"u8);
            patchIfMissing.WriteTo(writer, conventions);
        }

        if (CreateIfMissing is { } json)
        {
            writer.WritePropertyName("CreateIfMissing"u8);
            writer.WriteRawValue(json.Span, skipInputValidation: true);
        }

        if (ReturnDocument)
        {
            writer.WriteBoolean("ReturnDocument"u8, true);
        }

        writer.WriteString("Type"u8, "PATCH"u8);
        writer.WriteEndObject();
    }
}
