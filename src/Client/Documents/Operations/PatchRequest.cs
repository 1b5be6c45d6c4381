using System.Text.Json;
using Raven.Client.Documents.Conventions;

namespace Raven.Client.Documents.Operations;

/// <summary>A script that changes a document: <c>this</c> is the document, <c>args</c> the values.</summary>
public sealed class PatchRequest
{
    /// <summary>The script, JavaScript.</summary>
    public required string Script { get; init; }

    /// <summary>
    /// The values that the script reads as <c>args.name</c>. Pass values here instead of writing them into the script:
    /// then it is compiled only once, and no value is run as code.
    /// </summary>
    public Dictionary<string, object?> Values { get; init; } = [];

    internal void WriteTo(Utf8JsonWriter writer, DocumentConventions conventions)
    {
        writer.WriteStartObject();
        writer.WriteString("Script"u8, Script);
        writer.WriteStartObject("Values"u8);
        foreach ((string name, object? value) in Values)
        {
            writer.WritePropertyName(name);
            conventions.Serializer.WriteValue(writer, value);
        }

        writer.WriteEndObject();
        writer.WriteEndObject();
    }
}
