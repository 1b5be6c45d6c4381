using System.Text.Json;
using Raven.Client.Json;

namespace Raven.Client.Documents.Commands;

/// <summary>Documents and what was included with them, as parts of the body of an answer.</summary>
internal sealed class GetDocumentsResult
{
    /// <summary>The documents in the order of the ids; empty for one that does not exist.</summary>
    internal List<ReadOnlyMemory<byte>> Results { get; } = [];

    /// <summary>
    /// The included documents by id, empty for one that does not exist; null if nothing was included.
    /// </summary>
    internal Dictionary<string, ReadOnlyMemory<byte>>? Includes { get; private set; }

    /// <summary>Counters by document and name; null if the document has no such counter.</summary>
    internal Dictionary<string, Dictionary<string, long?>>? Counters { get; private set; }

    internal Dictionary<string, JsonElement>? CompareExchange { get; private set; }

    /// <summary>Ranges of time series by document and name, as they were sent; null if there are none.</summary>
    internal ReadOnlyMemory<byte>? TimeSeries { get; private set; }

    /// <summary>The content of an answer; no documents if it is empty.</summary>
    internal static GetDocumentsResult Parse(ReadOnlyMemory<byte> body)
    {
        var result = new GetDocumentsResult();
        if (body.IsEmpty)
        {
            return result;
        }

        AnswerBody.RequireObject(body.Span);
        Utf8JsonReader reader = AnswerBody.Open(body.Span);
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            if (reader.ValueTextEquals("Results"u8))
            {
                reader.Read();
                while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
                {
                    result.Results.Add(AnswerBody.ReadRaw(ref reader, body));
                }
            }
            else if (!result.TryReadIncludes(ref reader, body))
            {
                reader.Skip();
            }
        }

        return result;
    }

    /// <summary>Reads a property of an answer if it is about included documents or counters.</summary>
    /// <param name="reader">At the name; afterwards at the end of the value, if the property was read.</param>
    /// <param name="body">What the reader reads.</param>
    internal bool TryReadIncludes(ref Utf8JsonReader reader, ReadOnlyMemory<byte> body)
    {
        if (reader.ValueTextEquals("Includes"u8))
        {
            reader.Read();
            ReadDocuments(ref reader, body);
            return true;
        }

        if (reader.ValueTextEquals("IncludedCounterNames"u8))
        {
            ReadCounterNames(JsonElement.ParseValue(ref reader));
        }
        else if (reader.ValueTextEquals("CounterIncludes"u8))
        {
            ReadCounters(JsonElement.ParseValue(ref reader));
        }
        else if (reader.ValueTextEquals("TimeSeriesIncludes"u8))
        {
            reader.Read();
            ReadOnlyMemory<byte> series = AnswerBody.ReadRaw(ref reader, body);
            TimeSeries = series.IsEmpty ? null : series;
        }
        else if (reader.ValueTextEquals("CompareExchangeValueIncludes"u8))
        {
            foreach (JsonProperty value in PropertiesOf(JsonElement.ParseValue(ref reader)))
            {
                CompareExchange ??= new(StringComparer.OrdinalIgnoreCase);
                CompareExchange[value.Name] = value.Value;
            }
        }
        else
        {
            return false;
        }

        return true;
    }

    private void ReadDocuments(ref Utf8JsonReader reader, ReadOnlyMemory<byte> body)
    {
        if (reader.TokenType != JsonTokenType.StartObject)
        {
            return;
        }

        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            string id = reader.GetString()!;
            reader.Read();
            Includes ??= new(StringComparer.OrdinalIgnoreCase);
            Includes[id] = AnswerBody.ReadRaw(ref reader, body);
        }
    }

    private static JsonElement.ObjectEnumerator PropertiesOf(JsonElement json) =>
        json.ValueKind == JsonValueKind.Object ? json.EnumerateObject() : default;

    private void ReadCounterNames(JsonElement documents)
    {
        foreach (JsonProperty document in PropertiesOf(documents))
        {
            Dictionary<string, long?> counters = CountersOf(document.Name);
            foreach (JsonElement name in document.Value.EnumerateArray())
            {
                counters.TryAdd(name.GetString()!, null);
            }
        }
    }

    private void ReadCounters(JsonElement documents)
    {
        foreach (JsonProperty document in PropertiesOf(documents))
        {
            Dictionary<string, long?> counters = CountersOf(document.Name);
            foreach (JsonElement counter in document.Value.EnumerateArray())
            {
                if (counter.ValueKind == JsonValueKind.Object)
                {
                    counters[counter.GetProperty("CounterName").GetString()!] =
                        counter.GetProperty("TotalValue").GetInt64();
                }
            }
        }
    }

    private Dictionary<string, long?> CountersOf(string id)
    {
        Counters ??= new(StringComparer.OrdinalIgnoreCase);
        if (!Counters.TryGetValue(id, out Dictionary<string, long?>? names))
        {
            Counters[id] = names = new(StringComparer.OrdinalIgnoreCase);
        }

        return names;
    }
}
