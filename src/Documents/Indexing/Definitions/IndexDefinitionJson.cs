using System.Buffers;
using System.Text.Json;
using Raven.Documents.Indexing.Compilation;
using Raven.Documents.Settings;
using Raven.Search.Fields;

namespace Raven.Documents.Indexing.Definitions;

/// <summary>Definitions in the JSON of clients and of storage.</summary>
public static class IndexDefinitionJson
{
    /// <summary>Reads a definition.</summary>
    /// <exception cref="FormatException">A field is not valid; the message says which.</exception>
    public static IndexDefinition Parse(JsonElement json)
    {
        if (json.ValueKind != JsonValueKind.Object)
        {
            throw new FormatException("The definition of an index must be an object.");
        }

        string? reduce = Text(json, "Reduce");
        return new IndexDefinition
        {
            Name = Text(json, "Name") ?? "",
            Maps = Texts(json, "Maps"),
            Reduce = string.IsNullOrWhiteSpace(reduce) ? null : reduce,
            Fields = Map(json, "Fields", ParseOptions),
            Configuration = Map(json, "Configuration", (name, value) => TextOf(name, value) ?? ""),
            AdditionalSources = Map(json, "AdditionalSources", (name, value) => TextOf(name, value) ?? ""),
            AdditionalAssemblies = Raw(json, "AdditionalAssemblies"),
            CompoundFields = Raw(json, "CompoundFields"),
            LockMode = Name(json, "LockMode", IndexLockMode.Unlock),
            Priority = Name(json, "Priority", IndexPriority.Normal),
            State = Find(json, "State") is null ? null : Name(json, "State", IndexState.Normal),
            Type = Name(json, "Type", IndexType.None),
            SourceType = Texts(json, "Maps").Any(LanguageDetection.IsOfCounters) ? "Counters"
                : Texts(json, "Maps").Any(LanguageDetection.IsOfTimeSeries) ? "TimeSeries"
                : Text(json, "SourceType") is { } source and not "None" ? source : "Documents",
            OutputReduceToCollection = Text(json, "OutputReduceToCollection"),
            PatternForOutputReduceToCollectionReferences = Text(json, "PatternForOutputReduceToCollectionReferences"),
            PatternReferencesCollectionName = Text(json, "PatternReferencesCollectionName"),
            DeploymentMode = Text(json, "DeploymentMode"),
            ArchivedDataProcessingBehavior = Text(json, "ArchivedDataProcessingBehavior"),
            AutoCollection = Text(json, "AutoCollection"),
            AutoFields = ParseAutoFields(json),
        };
    }

    /// <summary>Reads a stored definition.</summary>
    public static IndexDefinition Parse(ReadOnlySpan<byte> json)
    {
        using JsonDocument document = StoredJson.Parse(json);
        return Parse(document.RootElement);
    }

    /// <summary>The stored form of a definition.</summary>
    internal static byte[] ToBytes(IndexDefinition definition)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer))
        {
            Write(json, definition);
        }

        return buffer.WrittenSpan.ToArray();
    }

    /// <summary>Writes a definition for clients: some of them read its type under another name.</summary>
    public static void WriteAnswer(Utf8JsonWriter json, IndexDefinition definition) =>
        Write(json, definition, isAnswer: true);

    internal static void Write(Utf8JsonWriter json, IndexDefinition definition, bool isAnswer = false)
    {
        json.WriteStartObject();
        json.WriteString("Name"u8, definition.Name);
        json.WriteStartArray("Maps"u8);
        foreach (string map in definition.Maps)
        {
            json.WriteStringValue(map);
        }

        json.WriteEndArray();
        json.WriteString("Reduce"u8, definition.Reduce);
        json.WriteStartObject("Fields"u8);
        foreach ((string name, IndexFieldOptions options) in definition.Fields)
        {
            json.WritePropertyName(name);
            Write(json, options);
        }

        json.WriteEndObject();
        WriteTexts(json, "Configuration", definition.Configuration);
        WriteTexts(json, "AdditionalSources", definition.AdditionalSources);
        WriteRaw(json, "AdditionalAssemblies", definition.AdditionalAssemblies);
        WriteRaw(json, "CompoundFields", definition.CompoundFields);
        json.WriteString("LockMode"u8, definition.LockMode.ToString());
        json.WriteString("Priority"u8, definition.Priority.ToString());
        json.WriteString("State"u8, definition.State?.ToString());
        json.WriteString("Type"u8, definition.Type.ToString());
        json.WriteString("SourceType"u8, definition.SourceType);
        if (isAnswer)
        {
            json.WriteString("IndexType"u8, definition.Type.ToString());
            json.WriteString("IndexSourceType"u8, definition.SourceType);
        }

        json.WriteString("OutputReduceToCollection"u8, definition.OutputReduceToCollection);
        json.WriteNull("ReduceOutputIndex"u8);
        json.WriteString(
            "PatternForOutputReduceToCollectionReferences"u8, definition.PatternForOutputReduceToCollectionReferences);
        json.WriteString("PatternReferencesCollectionName"u8, definition.PatternReferencesCollectionName);
        json.WriteString("DeploymentMode"u8, definition.DeploymentMode);
        json.WriteString("ArchivedDataProcessingBehavior"u8, definition.ArchivedDataProcessingBehavior);
        if (definition.IsAuto)
        {
            WriteAuto(json, definition);
        }

        json.WriteEndObject();
    }

    private static void WriteAuto(Utf8JsonWriter json, IndexDefinition definition)
    {
        json.WriteString("AutoCollection"u8, definition.AutoCollection);
        json.WriteStartArray("AutoFields"u8);
        foreach (AutoField field in definition.AutoFields)
        {
            json.WriteStartObject();
            json.WriteString("Path"u8, field.Path);
            json.WriteBoolean("Exact"u8, field.HasExact);
            json.WriteBoolean("Search"u8, field.HasSearch);
            json.WriteString("Aggregate"u8, field.Aggregate.ToString());
            if (field.IsWhole)
            {
                json.WriteBoolean("Whole"u8, true);
            }

            if (field.Spatial is { } place)
            {
                json.WriteString("Latitude"u8, place.Longitude is null ? null : place.First);
                json.WriteString("Longitude"u8, place.Longitude);
                json.WriteString("WellKnownText"u8, place.Longitude is null ? place.First : null);
            }

            if (field.Vector is { } vector)
            {
                json.WriteString("VectorPath"u8, vector.Path);
                json.WriteString("SourceEmbeddingType"u8, vector.Source.ToString());
                json.WriteString("DestinationEmbeddingType"u8, vector.Destination.ToString());
            }

            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static void Write(Utf8JsonWriter json, IndexFieldOptions options)
    {
        json.WriteStartObject();
        if (options.IsStored is { } isStored)
        {
            json.WriteString("Storage"u8, isStored ? "Yes"u8 : "No"u8);
        }

        if (options.Indexing != FieldIndexing.Unset)
        {
            json.WriteString("Indexing"u8, options.Indexing.ToString());
        }

        if (options.Analyzer is not null)
        {
            json.WriteString("Analyzer"u8, options.Analyzer);
        }

        if (options.TermVector is not null)
        {
            json.WriteString("TermVector"u8, options.TermVector);
        }

        if (options.HasSuggestions)
        {
            json.WriteBoolean("Suggestions"u8, true);
        }

        if (options.Spatial is not null)
        {
            json.WritePropertyName("Spatial"u8);
            json.WriteRawValue(options.Spatial, skipInputValidation: true);
        }

        if (options.Vector is { } vector)
        {
            VectorFieldJson.Write(json, vector);
        }

        json.WriteEndObject();
    }

    private static IndexFieldOptions ParseOptions(string name, JsonElement json)
    {
        if (json.ValueKind != JsonValueKind.Object)
        {
            throw new FormatException($"Fields: '{name}' must be an object.");
        }

        string? stored = Text(json, "Storage");
        return new IndexFieldOptions
        {
            IsStored = stored is null ? null : stored.Equals("Yes", StringComparison.OrdinalIgnoreCase),
            Indexing = Name(json, "Indexing", FieldIndexing.Unset),
            Analyzer = Text(json, "Analyzer"),
            TermVector = Text(json, "TermVector"),
            HasSuggestions = Find(json, "Suggestions") is { ValueKind: JsonValueKind.True },
            Spatial = Raw(json, "Spatial"),
            Vector = Find(json, "Vector") is { } vector ? VectorFieldJson.Parse(name, vector) : null,
        };
    }

    private static AutoField[] ParseAutoFields(JsonElement json) => Find(json, "AutoFields") is not { } fields
        ? []
        : [.. fields.EnumerateArray().Select(field => new AutoField(
            Text(field, "Path") ?? "",
            Find(field, "Exact") is { ValueKind: JsonValueKind.True },
            Find(field, "Search") is { ValueKind: JsonValueKind.True })
        {
            Aggregate = Name(field, "Aggregate", AggregateKind.None),
            IsWhole = Find(field, "Whole") is { ValueKind: JsonValueKind.True },
            Spatial = (Text(field, "Latitude") ?? Text(field, "WellKnownText")) is { } first
                ? new AutoSpatial(first, Text(field, "Longitude"))
                : null,
            Vector = Text(field, "VectorPath") is { } path
                ? new AutoVector(
                    path, Name(field, "SourceEmbeddingType", VectorFormat.Single),
                    Name(field, "DestinationEmbeddingType", VectorFormat.Single))
                : null,
        })];

    private static void WriteTexts(Utf8JsonWriter json, string name, IReadOnlyDictionary<string, string> texts)
    {
        json.WriteStartObject(name);
        foreach ((string key, string value) in texts)
        {
            json.WriteString(key, value);
        }

        json.WriteEndObject();
    }

    /// <summary>Writes JSON that clients sent; an empty list if they sent none, since they read one.</summary>
    private static void WriteRaw(Utf8JsonWriter json, string name, string? raw)
    {
        json.WritePropertyName(name);
        json.WriteRawValue(raw ?? "[]", skipInputValidation: true);
    }

    private static string[] Texts(JsonElement json, string name) => Find(json, name) switch
    {
        null => [],
        { ValueKind: JsonValueKind.Array } list =>
            [.. list.EnumerateArray().Select(item => TextOf(name, item) ?? throw NotText(name))],
        _ => throw new FormatException($"{name} must be a list of texts."),
    };

    private static Dictionary<string, T> Map<T>(JsonElement json, string name, Func<string, JsonElement, T> read) =>
        Find(json, name) switch
        {
            null => [],
            { ValueKind: JsonValueKind.Object } map => map.EnumerateObject().ToDictionary(
                property => property.Name, property => read(property.Name, property.Value)),
            _ => throw new FormatException($"{name} must be an object."),
        };

    private static T Name<T>(JsonElement json, string name, T otherwise)
        where T : struct, Enum
    {
        string? text = Text(json, name);
        return text is null ? otherwise
            : Enum.TryParse(text, ignoreCase: true, out T value) && Enum.IsDefined(value) && !char.IsDigit(text[0])
                ? value
                : throw new FormatException(
                    $"{name} must be one of {string.Join(", ", Enum.GetNames<T>())}, not '{text}'.");
    }

    private static string? Text(JsonElement json, string name) =>
        Find(json, name) is { } value ? TextOf(name, value) : null;

    private static string? TextOf(string name, JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.String => value.GetString(),
        JsonValueKind.Null => null,
        _ => throw NotText(name),
    };

    private static FormatException NotText(string name) => new($"{name} must be text.");

    private static string? Raw(JsonElement json, string name) => Find(json, name) is
    { ValueKind: JsonValueKind.Object or JsonValueKind.Array } value
        && value.GetRawText() is { } raw && raw is not "[]"
        ? raw
        : null;

    private static JsonElement? Find(JsonElement json, string name) =>
        json.TryGetProperty(name, out JsonElement value) && value.ValueKind != JsonValueKind.Null ? value : null;
}
