using System.Buffers;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;
using Raven.Blittable.Reading;
using Raven.Documents.Json;

namespace Raven.Documents.Queries.Results;

/// <summary>The metadata of a document in a query: what is stored, and what the server adds to it.</summary>
internal static class WholeMetadata
{
    private const string Name = "@metadata";

    /// <summary>Whether a path begins with the metadata.</summary>
    internal static bool IsAsked(string path) => path.StartsWith(Name, StringComparison.Ordinal)
        && (path.Length == Name.Length || path[Name.Length] == '.');

    /// <summary>Makes an object with only the metadata.</summary>
    /// <param name="document">The document; its snapshot must be open.</param>
    /// <param name="context">Holds the object.</param>
    internal static BlittableValue Of(in StoredDocument document, OperationContext context)
    {
        var target = new ArrayBufferWriter<byte>(512);
        var json = new JsonOutput(target);
        DocumentJson.Write(ref json, in document, isMetadataOnly: true);
        json.Flush();
        return context.Parser.TryParse(
            target.WrittenSpan, BlittableMode.ToMemory, out BlittableObject parsed, out _)
            ? parsed.AsValue()
            : default;
    }
}
