using System.Text.Json;
using Raven.Client.Documents.Conventions;

namespace Raven.Client.Documents.Commands.Batches;

/// <summary>Has a save fail unless documents that the session has read still have these versions.</summary>
/// <param name="versions">The change vectors, by id.</param>
internal sealed class TrackedVersionsCommandData(Dictionary<string, string> versions) : ICommandData
{
    /// <inheritdoc/>
    public string Id => "";

    /// <inheritdoc/>
    public string Type => "BatchTrackChanges";

    /// <inheritdoc/>
    public void WriteTo(Utf8JsonWriter writer, DocumentConventions conventions)
    {
        writer.WriteStartObject();
        writer.WriteString("Type"u8, Type);
        writer.WriteStartObject("TrackedEntities"u8);
        foreach ((string id, string version) in versions)
        {
            writer.WriteString(id, version);
        }

        writer.WriteEndObject();
        writer.WriteEndObject();
    }
}
