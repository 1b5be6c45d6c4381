using System.Text.Json;
using Raven.Search;
using Raven.Search.Fields;

namespace Raven.Documents.Indexing.Definitions;

/// <summary>The options of a field of vectors in the JSON of clients and of storage.</summary>
internal static class VectorFieldJson
{
    /// <summary>The message for vectors of texts, which need a model.</summary>
    internal const string NoModel =
        "vectors of texts are made by a language model, which this server does not have: store the vectors";

    private const int CountMax = 65_536;

    /// <summary>Reads options.</summary>
    /// <exception cref="FormatException">One of them is not valid; the message says which.</exception>
    internal static VectorFieldOptions Parse(string field, JsonElement json)
    {
        if (json.ValueKind != JsonValueKind.Object)
        {
            throw new FormatException($"Fields: 'Vector' of '{field}' must be an object.");
        }

        VectorFormat source = Format(field, json, "SourceEmbeddingType", VectorFormat.Single);
        VectorFormat destination = Format(field, json, "DestinationEmbeddingType", source);
        if (source != VectorFormat.Single && destination != source)
        {
            throw new FormatException(
                $"Fields: '{field}' has vectors of {source}; they cannot be kept as {destination}.");
        }

        return new VectorFieldOptions(source, destination)
        {
            Dimensions = Count(field, json, "Dimensions", SearchIndex.VectorDimensionsMax),
            NumberOfEdges = Count(field, json, "NumberOfEdges", CountMax),
            NumberOfCandidatesForIndexing = Count(field, json, "NumberOfCandidatesForIndexing", CountMax),
        };
    }

    internal static void Write(Utf8JsonWriter json, VectorFieldOptions options)
    {
        json.WriteStartObject("Vector"u8);
        json.WriteString("SourceEmbeddingType"u8, options.Source.ToString());
        json.WriteString("DestinationEmbeddingType"u8, options.Destination.ToString());
        Write(json, "Dimensions", options.Dimensions);
        Write(json, "NumberOfEdges", options.NumberOfEdges);
        Write(json, "NumberOfCandidatesForIndexing", options.NumberOfCandidatesForIndexing);
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, string name, int? count)
    {
        if (count is { } number)
        {
            json.WriteNumber(name, number);
        }
    }

    private static VectorFormat Format(string field, JsonElement json, string name, VectorFormat otherwise)
    {
        if (!json.TryGetProperty(name, out JsonElement value) || value.ValueKind == JsonValueKind.Null)
        {
            return otherwise;
        }

        string? text = value.ValueKind == JsonValueKind.String ? value.GetString() : null;
        return text switch
        {
            "Single" => VectorFormat.Single,
            "Int8" => VectorFormat.Int8,
            "Binary" => VectorFormat.Binary,
            "Text" => throw new FormatException($"Fields: {name} of '{field}' is Text: {NoModel}."),
            _ => throw new FormatException($"Fields: {name} of '{field}' must be Single, Int8 or Binary."),
        };
    }

    private static int? Count(string field, JsonElement json, string name, int most) =>
        !json.TryGetProperty(name, out JsonElement value) || value.ValueKind == JsonValueKind.Null ? null
        : value.ValueKind == JsonValueKind.Number && value.TryGetInt32(out int count) && count > 0 && count <= most
            ? count
            : throw new FormatException($"Fields: {name} of '{field}' must be a number from 1 to {most}.");
}
