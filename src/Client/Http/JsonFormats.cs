using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Raven.Client.Http;

/// <summary>How JSON is written on the wire: no more escapes than JSON asks for.</summary>
internal static class JsonFormats
{
    internal static readonly JsonWriterOptions Writer = new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        SkipValidation = true,
    };

    private static readonly JsonDocumentOptions Deep = new() { MaxDepth = 512 };

    /// <summary>JSON as a tree over the bytes, which must stay as they are. For what is looked at seldom: the tree
    /// takes memory of the shared pool and keeps it.</summary>
    internal static JsonElement Parse(ReadOnlyMemory<byte> json) => JsonDocument.Parse(json, Deep).RootElement;

    /// <summary>Reads one of the client's own types.</summary>
    internal static T? Read<T>(JsonElement json) => json.Deserialize(TypeOf<T>());

    /// <summary>One of the client's own types as JSON.</summary>
    internal static byte[] Write<T>(T value) => JsonSerializer.SerializeToUtf8Bytes(value, TypeOf<T>());

    /// <summary>How one of the client's own types is written and read.</summary>
    internal static JsonTypeInfo<T> TypeOf<T>() => WireTypes.Default.GetTypeInfo(typeof(T)) as JsonTypeInfo<T>
        ?? throw new InvalidOperationException($"{typeof(T)} is not among {nameof(WireTypes)}.");
}
