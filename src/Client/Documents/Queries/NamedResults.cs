using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Raven.Client.Documents.Queries;

/// <summary>Reads results that have names and are no documents: facets, suggestions.</summary>
internal sealed class NamedResults<TResult>(Func<TResult, string> nameOf) : IResultReader
{
    internal Dictionary<string, TResult> Items { get; } = [];

    public void Read(ref Utf8JsonReader reader, ReadOnlyMemory<byte> body)
    {
        JsonTypeInfo<TResult> type = WireTypes.TypeOf<TResult>();
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            TResult result = JsonSerializer.Deserialize(ref reader, type)!;
            Items.Add(nameOf(result), result);
        }
    }
}
