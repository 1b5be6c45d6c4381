using System.Text;
using System.Text.Json;
using Raven.Documents.Ids;

namespace Raven.Documents.Settings;

/// <summary>Reads the configuration of unique constraints:
/// <c>{"Disabled","Collections":{C:{"Disabled","Constraints":[{"Name","Fields","IgnoreCase"}]}}}</c>.</summary>
internal static class UniqueConfiguration
{
    /// <summary>The most constraints of a collection: a write of a document reads and writes each of them.</summary>
    internal const int ConstraintsMax = 16;

    /// <summary>The most fields of a constraint.</summary>
    internal const int FieldsMax = 8;

    private const int NameLengthMax = 128;
    private const int PathLengthMax = 512;

    /// <summary>The constraints that are not disabled.</summary>
    /// <exception cref="FormatException">The configuration is not valid.</exception>
    internal static List<UniqueConstraint> Parse(JsonElement json)
    {
        if (json.ValueKind != JsonValueKind.Object)
        {
            throw new FormatException("The configuration must be an object.");
        }

        List<UniqueConstraint> constraints = [];
        bool isDisabled = SettingsJson.Bool(json, "Disabled");
        if (SettingsJson.Object(json, "Collections") is not { } collections)
        {
            return constraints;
        }

        HashSet<string> folded = [];
        foreach (JsonProperty one in collections.EnumerateObject())
        {
            byte[] name = Encoding.UTF8.GetBytes(one.Name);
            if (!DocumentId.TryValidate(name, out DocumentIdError error))
            {
                throw new FormatException($"Collections: '{one.Name}' is no name of a collection: {error.Describe()}");
            }

            if (!folded.Add(DocumentId.FoldedText(name)))
            {
                throw new FormatException(
                    $"Collections: '{one.Name}' has two configurations; names are the same in any case.");
            }

            if (one.Value.ValueKind != JsonValueKind.Object)
            {
                throw new FormatException($"Collections: '{one.Name}' must be an object.");
            }

            bool isOff = SettingsJson.Bool(one.Value, "Disabled") || isDisabled;
            List<UniqueConstraint> all = ParseCollection(one.Name, one.Value);
            constraints.AddRange(isOff ? [] : all);
        }

        return constraints;
    }

    /// <summary>Checks a configuration; returns the settings unchanged.</summary>
    /// <exception cref="FormatException">It is not valid.</exception>
    internal static DatabaseSettings Check(JsonElement json, DatabaseSettings settings)
    {
        Parse(json);
        return settings;
    }

    private static List<UniqueConstraint> ParseCollection(string collection, JsonElement json)
    {
        List<UniqueConstraint> constraints = [];
        if (!json.TryGetProperty("Constraints", out JsonElement list) || list.ValueKind == JsonValueKind.Null)
        {
            return constraints;
        }

        string place = $"Collections: '{collection}'";
        if (list.ValueKind != JsonValueKind.Array || list.GetArrayLength() > ConstraintsMax)
        {
            throw new FormatException($"{place}: Constraints must be an array of at most {ConstraintsMax}.");
        }

        HashSet<string> names = new(StringComparer.OrdinalIgnoreCase);
        foreach (JsonElement one in list.EnumerateArray())
        {
            if (one.ValueKind != JsonValueKind.Object)
            {
                throw new FormatException($"{place}: each of Constraints must be an object.");
            }

            string name = TextOf(one, "Name", NameLengthMax, place);
            if (!names.Add(name))
            {
                throw new FormatException($"{place}: there are two constraints with the name '{name}'.");
            }

            constraints.Add(new UniqueConstraint
            {
                Collection = collection,
                Name = name,
                Fields = FieldsOf(one, $"{place}, constraint '{name}'"),
                IgnoresCase = SettingsJson.Bool(one, "IgnoreCase"),
            });
        }

        return constraints;
    }

    private static string[] FieldsOf(JsonElement json, string place)
    {
        if (!json.TryGetProperty("Fields", out JsonElement list) || list.ValueKind != JsonValueKind.Array
            || list.GetArrayLength() is 0 or > FieldsMax)
        {
            throw new FormatException($"{place}: Fields must be an array of 1 to {FieldsMax} paths.");
        }

        List<string> fields = [];
        foreach (JsonElement one in list.EnumerateArray())
        {
            string? path = one.ValueKind == JsonValueKind.String ? one.GetString() : null;
            if (path is null || path.Length > PathLengthMax || path.Split('.').Any(string.IsNullOrEmpty)
                || path.Contains('['))
            {
                throw new FormatException(
                    $"{place}: '{one}' is no path: names with dots between them, such as Address.City, of at most "
                    + $"{PathLengthMax} characters. Values inside of arrays cannot be named.");
            }

            if (fields.Contains(path))
            {
                throw new FormatException($"{place}: '{path}' is there twice.");
            }

            fields.Add(path);
        }

        return [.. fields];
    }

    private static string TextOf(JsonElement json, string name, int lengthMax, string place)
    {
        string? text = json.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.String
            ? value.GetString()
            : null;
        return string.IsNullOrWhiteSpace(text) || text.Length > lengthMax
            ? throw new FormatException($"{place}: {name} must be a text of 1 to {lengthMax} characters.")
            : text;
    }
}
