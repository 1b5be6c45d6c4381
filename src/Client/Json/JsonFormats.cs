using System.Text.Encodings.Web;
using System.Text.Json;

namespace Raven.Client.Json;

/// <summary>How JSON is written on the wire: only the escapes that JSON requires.</summary>
internal static class JsonFormats
{
    internal static readonly JsonWriterOptions Writer = new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        SkipValidation = true,
    };

    private static readonly JsonDocumentOptions Deep = new() { MaxDepth = 512 };

    /// <summary>
    /// JSON as a tree over the bytes, which must not change. For rarely read values: the tree takes memory of the
    /// shared pool and keeps it.
    /// </summary>
    internal static JsonElement Parse(ReadOnlyMemory<byte> json) => JsonDocument.Parse(json, Deep).RootElement;
}
