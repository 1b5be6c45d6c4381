using System.Text.Json;

namespace Raven.Documents.Settings;

/// <summary>
/// JSON that is stored or was accepted before, read and written with the classes of .NET: by default they refuse what
/// nests deeper than 64 levels, while a body may nest as deep as <c>Limits.DepthMax</c> says.
/// </summary>
public static class StoredJson
{
    /// <summary>More than a body can have (512), plus the objects that the server puts around a part of one.</summary>
    internal const int DepthMax = 1024;

    /// <summary>For any depth that a document, and an entry of an index with a part of one, can have.</summary>
    internal static readonly JsonDocumentOptions AnyDepth = new() { MaxDepth = DepthMax };

    private static readonly JsonReaderOptions ReaderOfAnyDepth = new() { MaxDepth = DepthMax };

    /// <summary>Reads JSON; the bytes must stay unchanged until the document is disposed.</summary>
    /// <exception cref="JsonException">It is no JSON.</exception>
    public static JsonDocument Parse(ReadOnlyMemory<byte> json) => JsonDocument.Parse(json, AnyDepth);

    /// <summary>Reads JSON whose bytes may change afterwards.</summary>
    /// <exception cref="JsonException">It is no JSON.</exception>
    public static JsonDocument Parse(ReadOnlySpan<byte> json)
    {
        var reader = new Utf8JsonReader(json, ReaderOfAnyDepth);
        return JsonDocument.ParseValue(ref reader);
    }

    /// <summary>Writes JSON that was read before, without the check that would stop at 64 levels.</summary>
    internal static void WriteRead(this Utf8JsonWriter writer, ReadOnlySpan<byte> json) =>
        writer.WriteRawValue(json, skipInputValidation: true);
}
