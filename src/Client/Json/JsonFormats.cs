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
    /// Parses JSON to a tree over the bytes, which must not change. For values that are rarely read: the tree keeps
    /// memory of the shared pool.
    /// </summary>
    internal static JsonElement Parse(ReadOnlyMemory<byte> json) => JsonDocument.Parse(json, Deep).RootElement;
}
