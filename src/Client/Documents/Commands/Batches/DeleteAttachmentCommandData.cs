using System.Text.Json;
using Raven.Client.Documents.Conventions;

namespace Raven.Client.Documents.Commands.Batches;

/// <summary>Deletes an attachment.</summary>
/// <param name="id">The document.</param>
/// <param name="name">The name of the attachment.</param>
/// <param name="changeVector">The change vector that the attachment must have; null for any.</param>
public sealed class DeleteAttachmentCommandData(string id, string name, string? changeVector = null) : ICommandData
{
    /// <inheritdoc/>
    public string Id => id;

    /// <inheritdoc/>
    public string Type => "AttachmentDELETE";

    /// <summary>The name of the attachment.</summary>
    public string Name => name;

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer, DocumentConventions conventions)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.WriteStartObject();
        writer.WriteString("Id"u8, id);
        writer.WriteString("Name"u8, name);
        if (changeVector != null)
        {
            writer.WriteString("ChangeVector"u8, changeVector);
        }

        writer.WriteString("Type"u8, "AttachmentDELETE"u8);
        writer.WriteEndObject();
    }
}
