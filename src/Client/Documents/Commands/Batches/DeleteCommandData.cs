using System.Text.Json;
using Raven.Client.Documents.Conventions;

namespace Raven.Client.Documents.Commands.Batches;

/// <summary>Deletes a document.</summary>
/// <param name="id">The id of the document.</param>
/// <param name="changeVector">The change vector that the document must have; null for any.</param>
public sealed class DeleteCommandData(string id, string? changeVector) : ICommandData
{
    /// <inheritdoc/>
    public string Id => id;

    /// <inheritdoc/>
    public string Type => "DELETE";

    /// <summary>The change vector that the document must have.</summary>
    public string? ChangeVector => changeVector;

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer, DocumentConventions conventions)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.WriteStartObject();
        writer.WriteString("Id"u8, id);
        if (changeVector != null)
        {
            writer.WriteString("ChangeVector"u8, changeVector);
        }

        writer.WriteString("Type"u8, "DELETE"u8);
        writer.WriteEndObject();
    }
}
