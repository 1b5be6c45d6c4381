using System.Text.Json;
using Raven.Client.Documents.Conventions;

namespace Raven.Client.Documents.Commands.Batches;

/// <summary>
/// Stores an attachment. The bytes of attachments follow the commands of the batch, in the same order.
/// </summary>
/// <param name="id">The document.</param>
/// <param name="name">The name of the attachment.</param>
/// <param name="stream">Its bytes, read once to the end when the batch is sent; the caller closes it.</param>
/// <param name="contentType">The content type of its bytes; null if it has none.</param>
/// <param name="changeVector">The change vector that the attachment must have; null for any.</param>
public sealed class PutAttachmentCommandData(
    string id, string name, Stream stream, string? contentType = null, string? changeVector = null) : ICommandData
{
    /// <inheritdoc/>
    public string Id => id;

    /// <inheritdoc/>
    public string Type => "AttachmentPUT";

    /// <summary>The name of the attachment.</summary>
    public string Name => name;

    /// <summary>The bytes of the attachment.</summary>
    public Stream Stream => stream;

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer, DocumentConventions conventions)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.WriteStartObject();
        writer.WriteString("Id"u8, id);
        writer.WriteString("Name"u8, name);
        writer.WriteString("ContentType"u8, contentType ?? "");
        if (changeVector != null)
        {
            writer.WriteString("ChangeVector"u8, changeVector);
        }

        writer.WriteString("Type"u8, "AttachmentPUT"u8);
        writer.WriteEndObject();
    }
}
