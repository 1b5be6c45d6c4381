using System.Globalization;
using System.Text.Json;

namespace Raven.Documents.Schemas;

/// <summary>Finds places in a schema: by pointers, and by the names that <c>$id</c> and <c>$anchor</c> give them.
/// </summary>
internal sealed class SchemaPlaces
{
    /// <summary>The name of a schema that has none: relative references need one.</summary>
    private static readonly Uri Nameless = new("schema:///");

    /// <summary>Keywords whose value is a schema, or has schemas as items or members.</summary>
    private static readonly HashSet<string> OfSchemas = new(StringComparer.Ordinal)
    {
        "prefixItems", "items", "contains", "additionalProperties", "properties", "patternProperties",
        "dependentSchemas", "dependencies", "propertyNames", "if", "then", "else", "allOf", "anyOf", "oneOf", "not",
        "unevaluatedItems", "unevaluatedProperties", "$defs", "definitions",
    };

    private readonly JsonElement _root;
    private readonly List<SchemaResource> _resources = [];

    internal SchemaPlaces(JsonElement root)
    {
        _root = root;
        _resources.Add(new SchemaResource { Id = Nameless, Pointer = "" });
        Walk(root, "", _resources[0], isSchema: true);
    }

    /// <summary>A name as a part of a pointer.</summary>
    internal static string Escape(string name) =>
        name.Replace("~", "~0", StringComparison.Ordinal).Replace("/", "~1", StringComparison.Ordinal);

    /// <summary>What is at a pointer; null if nothing is.</summary>
    internal static JsonElement? Find(JsonElement root, string pointer)
    {
        JsonElement at = root;
        foreach (string part in pointer.Length == 0 ? [] : pointer[1..].Split('/'))
        {
            string name = part.Replace("~1", "/", StringComparison.Ordinal)
                .Replace("~0", "~", StringComparison.Ordinal);
            if (at.ValueKind == JsonValueKind.Object && at.TryGetProperty(name, out JsonElement member))
            {
                at = member;
            }
            else if (at.ValueKind == JsonValueKind.Array
                && int.TryParse(name, NumberStyles.None, CultureInfo.InvariantCulture, out int index)
                && index < at.GetArrayLength())
            {
                at = at[index];
            }
            else
            {
                return null;
            }
        }

        return at;
    }

    /// <summary>The innermost resource that a place is in.</summary>
    internal SchemaResource ResourceOf(string pointer)
    {
        SchemaResource found = _resources[0];
        foreach (SchemaResource one in _resources)
        {
            bool isIn = one.Pointer.Length == 0 || pointer == one.Pointer
                || pointer.StartsWith(one.Pointer + "/", StringComparison.Ordinal);
            found = isIn && one.Pointer.Length >= found.Pointer.Length ? one : found;
        }

        return found;
    }

    /// <summary>The pointer of the place that a reference leads to.</summary>
    /// <exception cref="FormatException">It leads out of the schema, or to nothing.</exception>
    internal string Resolve(SchemaKeyword reference)
    {
        string text = reference.Text();
        string place = reference.Pointer;
        if (!Uri.TryCreate(ResourceOf(place).Id, text, out Uri? target))
        {
            throw new FormatException($"#{place}: '{text}' is no reference.");
        }

        string fragment = Uri.UnescapeDataString(target.Fragment.TrimStart('#'));
        string id = WithoutFragment(target).AbsoluteUri;
        SchemaResource resource = _resources.Find(one => one.Id.AbsoluteUri == id) ?? throw new FormatException(
            $"#{place}: '{text}' leads out of the schema, and nothing is read from elsewhere.");
        if (fragment.Length == 0 || fragment[0] == '/')
        {
            string pointer = resource.Pointer + fragment;
            return Find(_root, pointer) is null
                ? throw new FormatException($"#{place}: '{text}' leads to nothing.")
                : pointer;
        }

        return resource.Anchors.TryGetValue(fragment, out string? anchored)
            ? anchored
            : throw new FormatException($"#{place}: '{text}' leads to an anchor that there is not.");
    }

    private static Uri WithoutFragment(Uri uri) =>
        uri.Fragment.Length == 0
            ? uri
            : new Uri(uri.AbsoluteUri[..uri.AbsoluteUri.IndexOf('#', StringComparison.Ordinal)]);

    private void Walk(JsonElement json, string pointer, SchemaResource resource, bool isSchema)
    {
        if (json.ValueKind == JsonValueKind.Array)
        {
            for (int i = 0; i < json.GetArrayLength(); i++)
            {
                Walk(json[i], $"{pointer}/{i}", resource, isSchema: true);
            }

            return;
        }

        if (json.ValueKind != JsonValueKind.Object)
        {
            return;
        }

        if (isSchema)
        {
            resource = Enter(json, pointer, resource);
        }

        foreach (JsonProperty one in json.EnumerateObject())
        {
            string place = $"{pointer}/{Escape(one.Name)}";
            if (!isSchema)
            {
                Walk(one.Value, place, resource, isSchema: true);
            }
            else if (OfSchemas.Contains(one.Name))
            {
                bool isMap = one.Name is "properties" or "patternProperties" or "dependentSchemas" or "dependencies"
                    or "$defs" or "definitions";
                Walk(one.Value, place, resource, isSchema: !isMap);
            }
        }
    }

    private SchemaResource Enter(JsonElement json, string pointer, SchemaResource resource)
    {
        if (json.TryGetProperty("$id", out JsonElement id) && id.ValueKind == JsonValueKind.String)
        {
            string text = id.GetString()!;
            if (!Uri.TryCreate(resource.Id, text, out Uri? name) || name.Fragment.Length > 1)
            {
                throw new FormatException($"#{pointer}/$id: '{text}' is no name of a schema.");
            }

            name = WithoutFragment(name);
            if (_resources.Exists(one => one.Id == name && one.Pointer != pointer))
            {
                throw new FormatException($"#{pointer}/$id: '{text}' is there twice.");
            }

            SchemaResource own = new() { Id = name, Pointer = pointer };
            if (pointer.Length == 0)
            {
                _resources[0] = own;
            }
            else
            {
                _resources.Add(own);
            }

            resource = own;
        }

        foreach (string keyword in (string[])["$anchor", "$dynamicAnchor"])
        {
            if (json.TryGetProperty(keyword, out JsonElement anchor))
            {
                string name = new SchemaKeyword(anchor, $"{pointer}/{keyword}").Text();
                if (!resource.Anchors.TryAdd(name, pointer) && resource.Anchors[name] != pointer)
                {
                    throw new FormatException($"#{pointer}/{keyword}: '{name}' is there twice.");
                }
            }
        }

        return resource;
    }
}
