using System.Text.Json;
using Raven.Client.Documents.Conventions;

namespace Raven.Client.Documents.Commands.Batches;

/// <summary>Keeps the document as it is as a revision, whatever is configured.</summary>
/// <param name="id">The document.</param>
public sealed class ForceRevisionCommandData(string id) : ICommandData
{
    /// <inheritdoc/>
    public string Id => id;

    /// <inheritdoc/>
    public string Type => "ForceRevisionCreation";

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer, DocumentConventions conventions)
    {
        ArgumentNullException.ThrowIfNull(writer);
        writer.WriteStartObject();
        writer.WriteString("Id"u8, id);
        writer.WriteString("Type"u8, Type);
        writer.WriteEndObject();
    }
}
