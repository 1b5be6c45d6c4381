using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Json;

namespace Raven.Cluster.Store;

/// <summary>The JSON of etcd's gateway: keys and values in base64, numbers of 64 bits as texts, what is 0 or false left
/// out.</summary>
internal static class EtcdJson
{
    internal static ReadOnlyMemory<byte> Write(Action<Utf8JsonWriter> write)
    {
        var buffer = new ArrayBufferWriter<byte>(512);
        using (var writer = new Utf8JsonWriter(buffer))
        {
            writer.WriteStartObject();
            write(writer);
            writer.WriteEndObject();
        }

        return buffer.WrittenMemory;
    }

    internal static void Key(Utf8JsonWriter writer, string key) =>
        writer.WriteBase64String("key", Encoding.ASCII.GetBytes(key));

    /// <summary>Writes the keys from a prefix up to where it ends.</summary>
    internal static void Prefix(Utf8JsonWriter writer, string prefix, string? from = null)
    {
        Key(writer, from ?? prefix);
        byte[] end = Encoding.ASCII.GetBytes(prefix);
        end[^1]++;
        writer.WriteBase64String("range_end", end);
    }

    internal static void Number(Utf8JsonWriter writer, string name, long value) =>
        writer.WriteString(name, value.ToString(CultureInfo.InvariantCulture));

    internal static long Number(JsonElement element, string name) =>
        !element.TryGetProperty(name, out JsonElement value) ? 0
        : value.ValueKind == JsonValueKind.Number ? value.GetInt64()
        : long.TryParse(value.GetString(), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long number)
            ? number
            : throw new JsonException($"'{name}' is no number.");

    internal static bool Bool(JsonElement element, string name) =>
        element.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.True;

    internal static string Text(JsonElement element, string name) =>
        element.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.String
            ? value.GetString()!
            : "";

    internal static IEnumerable<JsonElement> Items(JsonElement element, string name) =>
        element.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.Array
            ? value.EnumerateArray()
            : [];

    internal static JsonElement Header(JsonElement body) =>
        body.TryGetProperty("header", out JsonElement header) && header.ValueKind == JsonValueKind.Object
            ? header
            : throw new JsonException("An answer of etcd has no header.");

    internal static long RevisionOf(JsonElement body) => Number(Header(body), "revision");

    /// <summary>The key of a kv, without the root; null if it is not below it.</summary>
    internal static string? KeyOf(JsonElement kv, string root)
    {
        string key = Encoding.ASCII.GetString(Bytes(kv, "key"));
        return key.StartsWith(root, StringComparison.Ordinal) && key.Length > root.Length ? key[root.Length..] : null;
    }

    internal static StoreEntry? EntryOf(JsonElement kv, string root) => KeyOf(kv, root) is not { } key
        ? null
        : new StoreEntry(
            key, Bytes(kv, "value"), Number(kv, "create_revision"), Number(kv, "mod_revision"), Number(kv, "version"),
            Number(kv, "lease"));

    internal static EtcdAnswer ErrorOf(JsonElement body, Uri address)
    {
        if (body.ValueKind != JsonValueKind.Object)
        {
            return new EtcdAnswer(EtcdAnswerKind.Lost, null, Problem: $"{address}: an answer that is none of etcd's");
        }

        // Of a stream the error is an object.
        JsonElement error = body.TryGetProperty("error", out JsonElement inner)
            && inner.ValueKind == JsonValueKind.Object
            ? inner
            : body;
        string message = Text(error, "message") is { Length: > 0 } text ? text : Text(error, "error");
        long code = Number(error, "code") is not 0 and long found ? found : Number(error, "grpc_code");
        return new EtcdAnswer(EtcdAnswerKind.Error, null, (int)code, $"{address}: {message}");
    }

    private static byte[] Bytes(JsonElement element, string name) =>
        element.TryGetProperty(name, out JsonElement value)
            ? value.TryGetBytesFromBase64(out byte[]? bytes)
                ? bytes
                : throw new JsonException($"'{name}' is no base64.")
            : [];
}
