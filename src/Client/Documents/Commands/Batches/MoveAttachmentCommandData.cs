using System.Text.Json;
using Raven.Client.Documents.Conventions;

namespace Raven.Client.Documents.Commands.Batches;

/// <summary>Copies an attachment to another name or document, or moves it.</summary>
/// <param name="id">The document that has it.</param>
/// <param name="name">The name of the attachment.</param>
/// <param name="destinationId">The document that it is copied or moved to.</param>
/// <param name="destinationName">The name it will have there.</param>
/// <param name="keepSource">True to copy the attachment, false to move it.</param>
public sealed class MoveAttachmentCommandData(
    string id, string name, string destinationId, string destinationName, bool keepSource) : ICommandData
{
    /// <inheritdoc/>
    public string Id => id;

    /// <inheritdoc/>
    public string Type => keepSource ? "AttachmentCOPY" : "AttachmentMOVE";

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer, DocumentConventions conventions)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.WriteStartObject();
        writer.WriteString("Id"u8, id);
        writer.WriteString("Name"u8, name);
        writer.WriteString("DestinationId"u8, destinationId);
        writer.WriteString("DestinationName"u8, destinationName);
        writer.WriteString("Type"u8, Type);
        writer.WriteEndObject();
    }
}
