using System.Text;
using System.Text.Json;
using Raven.Documents.Ids;
using Raven.Documents.Schemas;

namespace Raven.Documents.Settings;

/// <summary>Reads the configuration of schemas, as clients send it:
/// <c>{"Disabled","ValidatorsPerCollection":{C:{"Disabled","Schema":"the JSON of the schema"}}}</c>.</summary>
internal static class SchemaConfiguration
{
    /// <summary>The schemas that are not disabled; null if there are none. The others are checked, too.</summary>
    /// <exception cref="FormatException">The configuration or one of the schemas is not valid.</exception>
    internal static SchemaRules? Parse(JsonElement json)
    {
        if (json.ValueKind != JsonValueKind.Object)
        {
            throw new FormatException("The configuration must be an object.");
        }

        bool isDisabled = SettingsJson.Bool(json, "Disabled");
        if (SettingsJson.Object(json, "ValidatorsPerCollection") is not { } collections)
        {
            return null;
        }

        List<CollectionSchema> schemas = [];
        HashSet<string> folded = [];
        foreach (JsonProperty one in collections.EnumerateObject())
        {
            string place = $"ValidatorsPerCollection: '{one.Name}'";
            byte[] name = Encoding.UTF8.GetBytes(one.Name);
            if (!DocumentId.TryValidate(name, out DocumentIdError error))
            {
                throw new FormatException($"{place} is no name of a collection: {error.Describe()}");
            }

            string key = DocumentId.FoldedText(name);
            if (!folded.Add(key))
            {
                throw new FormatException($"{place} has two schemas; names are the same in any case.");
            }

            if (one.Value.ValueKind != JsonValueKind.Object
                || !one.Value.TryGetProperty("Schema", out JsonElement text) || text.ValueKind != JsonValueKind.String)
            {
                throw new FormatException($"{place} must be an object with Schema, the JSON of a schema as a text.");
            }

            SchemaNode schema = Compile(text.GetString()!, place);
            if (!isDisabled && !SettingsJson.Bool(one.Value, "Disabled"))
            {
                schemas.Add(new CollectionSchema(one.Name, Encoding.UTF8.GetBytes(key), schema));
            }
        }

        return schemas.Count == 0 ? null : new SchemaRules(schemas);
    }

    private static SchemaNode Compile(string text, string place)
    {
        try
        {
            return SchemaCompiler.Compile(text);
        }
        catch (FormatException e)
        {
            throw new FormatException($"{place}: {e.Message}");
        }
    }
}
