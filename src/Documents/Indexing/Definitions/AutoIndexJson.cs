using System.Text.Json;

namespace Raven.Documents.Indexing.Definitions;

/// <summary>Automatic indexes in the JSON of the record of a database.</summary>
public static class AutoIndexJson
{
    public static void Write(Utf8JsonWriter json, IndexDefinition definition, IndexState state)
    {
        json.WriteStartObject();
        json.WriteString("Name"u8, definition.Name);
        json.WriteString("Collection"u8, definition.AutoCollection ?? "@all_docs");
        json.WriteString("Type"u8, definition.Type.ToString());
        json.WriteString("Priority"u8, definition.Priority.ToString());
        json.WriteString("State"u8, state.ToString());
        WriteFields(json, "MapFields", definition.AutoFields.Where(field => field.Aggregate != AggregateKind.Key));
        WriteFields(json, "GroupByFields", definition.AutoFields.Where(field => field.Aggregate == AggregateKind.Key));
        json.WriteStartArray("GroupByFieldNames"u8);
        foreach (AutoField field in definition.AutoFields.Where(field => field.Aggregate == AggregateKind.Key))
        {
            json.WriteStringValue(field.Name);
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void WriteFields(Utf8JsonWriter json, string name, IEnumerable<AutoField> fields)
    {
        json.WriteStartObject(name);
        foreach (AutoField field in fields)
        {
            json.WriteStartObject(field.Name);
            json.WriteString("Storage"u8, "No"u8);
            json.WriteString(
                "Indexing"u8,
                field.HasSearch ? "Search"u8 : field.HasExact ? "Exact"u8 : "Default"u8);
            json.WriteString(
                "Aggregation"u8,
                field.Aggregate switch
                {
                    AggregateKind.Count => "Count"u8,
                    AggregateKind.Sum => "Sum"u8,
                    _ => "None"u8,
                });
            json.WriteString("GroupByArrayBehavior"u8, GroupingOf(field));
            json.WriteBoolean("Suggestions"u8, false);
            json.WriteBoolean("IsNameQuoted"u8, false);
            json.WriteBoolean("NameQuoted"u8, false);
            WriteSpatial(json, field.Spatial);
            WriteVector(json, field.Vector);
            json.WriteEndObject();
        }

        json.WriteEndObject();
    }

    private static string GroupingOf(AutoField field) =>
        field.Aggregate != AggregateKind.Key ? "NotApplicable"
        : field.IsWhole ? "ByContent"
        : "ByIndividualValues";

    private static void WriteSpatial(Utf8JsonWriter json, AutoSpatial? spatial)
    {
        if (spatial is null)
        {
            json.WriteNull("Spatial"u8);
            return;
        }

        json.WriteStartObject("Spatial"u8);
        json.WriteString("MethodType"u8, spatial.Longitude is null ? "Wkt"u8 : "Point"u8);
        json.WriteStartArray("MethodArguments"u8);
        json.WriteStringValue(spatial.First);
        if (spatial.Longitude is { } longitude)
        {
            json.WriteStringValue(longitude);
        }

        json.WriteEndArray();
        json.WriteString("Type"u8, "Geography"u8);
        json.WriteEndObject();
    }

    private static void WriteVector(Utf8JsonWriter json, AutoVector? vector)
    {
        if (vector is null)
        {
            json.WriteNull("Vector"u8);
            return;
        }

        json.WriteStartObject("Vector"u8);
        json.WriteString("SourceFieldName"u8, vector.Path);
        json.WriteString("SourceEmbeddingType"u8, vector.Source.ToString());
        json.WriteString("DestinationEmbeddingType"u8, vector.Destination.ToString());
        json.WriteEndObject();
    }
}
