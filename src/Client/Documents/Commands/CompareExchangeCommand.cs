using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Operations.CompareExchange;
using Raven.Client.Http;

namespace Raven.Client.Documents.Commands;

/// <summary>Sets or deletes a compare-exchange value if its index is the expected one.</summary>
internal sealed class CompareExchangeCommand(
    DocumentConventions conventions, string key, long index, object? value, bool isDelete)
    : RavenCommand<JsonElement>
{
    /// <summary>
    /// The value; null if there is none. Among included values, an index below zero stands for a missing value.
    /// </summary>
    internal static CompareExchangeValue<T>? ParseValue<T>(JsonElement json, DocumentConventions conventions) =>
        json.ValueKind == JsonValueKind.Object && json.GetProperty("Index").GetInt64() is >= 0 and long index
            ? new(json.GetProperty("Key").GetString()!, index, ObjectOf<T>(json.GetProperty("Value"), conventions))
            : null;

    internal static T? ObjectOf<T>(JsonElement value, DocumentConventions conventions) =>
        value.ValueKind == JsonValueKind.Object && value.TryGetProperty("Object", out JsonElement inner)
        && inner.ValueKind != JsonValueKind.Null
            ? inner.Deserialize((JsonTypeInfo<T>)conventions.Serializer.Options.GetTypeInfo(typeof(T)))
            : default;

    protected internal override HttpRequestMessage CreateRequest(ServerNode node)
    {
        UrlBuilder url = new UrlBuilder(node, "/cmpxchg").Add("key", key).Add("index", index);
        return isDelete ? url.ToRequest(HttpMethod.Delete) : url.ToRequest(HttpMethod.Put, JsonBody.Write(Write));
    }

    protected internal override JsonElement ReadResponse(RavenResponse response) => response.ReadJson();

    private void Write(Utf8JsonWriter writer)
    {
        writer.WriteStartObject();
        writer.WritePropertyName("Object"u8);
        conventions.Serializer.WriteValue(writer, value);
        writer.WriteEndObject();
    }
}
