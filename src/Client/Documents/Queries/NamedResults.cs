using System.Text.Json;
using Raven.Client.Http;

namespace Raven.Client.Documents.Queries;

/// <summary>Results that are the server's own objects, with names: facets, suggestions.</summary>
internal sealed class NamedResults<TResult>(Func<TResult, string> nameOf) : IResultReader
{
    internal Dictionary<string, TResult> Items { get; } = [];

    public void Read(ref Utf8JsonReader reader, ReadOnlyMemory<byte> body)
    {
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            TResult result = JsonSerializer.Deserialize<TResult>(ref reader, JsonFormats.Plain)!;
            Items.Add(nameOf(result), result);
        }
    }
}
