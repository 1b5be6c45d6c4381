using System.Text;
using System.Text.Json;

namespace Raven.Documents.Schemas;

/// <summary>
/// Makes a schema of draft 2020-12 of its JSON. Nothing is read from the network: references lead to places in the
/// schema itself. What says something about a value without asking anything of it (<c>title</c>, <c>format</c>,
/// <c>default</c>) is passed over, as the draft has it. <c>dependencies</c> of older drafts is understood.
/// </summary>
internal sealed class SchemaCompiler
{
    /// <summary>The most bytes of a schema.</summary>
    internal const int SizeBytesMax = 256 * 1024;

    private const int NodesMax = 10_000;
    private const int DepthMax = 64;

    private readonly JsonElement _root;
    private readonly Dictionary<string, SchemaNode> _nodes = [];
    private readonly SchemaPlaces _places;
    private readonly List<(SchemaNode Node, string Name)> _dynamic = [];

    private SchemaCompiler(JsonElement root)
    {
        _root = root;
        _places = new SchemaPlaces(root);
    }

    /// <summary>Compiles a schema.</summary>
    /// <exception cref="FormatException">It is not valid; the message says where.</exception>
    internal static SchemaNode Compile(string text)
    {
        if (text.Length > SizeBytesMax || Encoding.UTF8.GetByteCount(text) > SizeBytesMax)
        {
            throw new FormatException($"A schema has at most {SizeBytesMax} bytes.");
        }

        try
        {
            using var json = JsonDocument.Parse(text, new JsonDocumentOptions { MaxDepth = DepthMax });
            var compiler = new SchemaCompiler(json.RootElement);
            SchemaNode root = compiler.NodeAt("");
            compiler.SetDynamic();
            SchemaLoops.Check(compiler._nodes.Values);
            return root;
        }
        catch (JsonException e)
        {
            throw new FormatException($"The schema is no JSON: {e.Message}");
        }
    }

    /// <summary>The schema at a place, compiled once.</summary>
    private SchemaNode NodeAt(string pointer)
    {
        if (_nodes.TryGetValue(pointer, out SchemaNode? known))
        {
            return known;
        }

        if (_nodes.Count >= NodesMax)
        {
            throw new FormatException($"A schema has at most {NodesMax} parts.");
        }

        JsonElement json = SchemaPlaces.Find(_root, pointer)
            ?? throw new FormatException($"The schema has nothing at #{pointer}.");
        SchemaNode node = new() { Place = "#" + pointer, Resource = _places.ResourceOf(pointer) };
        _nodes.Add(pointer, node);
        switch (json.ValueKind)
        {
            case JsonValueKind.True or JsonValueKind.False:
                node.Always = json.ValueKind == JsonValueKind.True;
                break;
            case JsonValueKind.Object:
                Fill(node, json, pointer);
                break;
            default:
                throw new FormatException($"#{pointer} must be a schema: an object, true or false.");
        }

        return node;
    }

    private void Fill(SchemaNode node, JsonElement json, string pointer)
    {
        foreach (JsonProperty keyword in json.EnumerateObject())
        {
            string place = $"{pointer}/{SchemaPlaces.Escape(keyword.Name)}";
            var reader = new SchemaKeyword(keyword.Value, place);
            if (!TryFillValue(node, keyword.Name, reader) && !TryFillItems(node, keyword.Name, reader)
                && !TryFillMembers(node, keyword.Name, reader))
            {
                FillParts(node, keyword.Name, reader);
            }
        }

        node.HasParts = node.InPlace().Any();
        if (json.TryGetProperty("$dynamicAnchor", out JsonElement anchor))
        {
            node.Resource.Dynamic[anchor.GetString()!] = node;
        }
    }

    private static bool TryFillValue(SchemaNode node, string name, SchemaKeyword keyword)
    {
        switch (name)
        {
            case "type":
                node.Types = keyword.Types();
                break;
            case "const":
                SetEnum(node, [keyword.Json], keyword);
                break;
            case "enum":
                SetEnum(node, [.. keyword.Array()], keyword);
                break;
            case "minimum":
                node.Minimum = keyword.Number();
                break;
            case "maximum":
                node.Maximum = keyword.Number();
                break;
            case "exclusiveMinimum":
                node.ExclusiveMinimum = keyword.Number();
                break;
            case "exclusiveMaximum":
                node.ExclusiveMaximum = keyword.Number();
                break;
            case "multipleOf":
                node.MultipleOf = keyword.Number();
                keyword.Refuse(node.MultipleOf.Sign <= 0, "must be above 0");
                break;
            case "minLength":
                node.MinLength = keyword.Count();
                break;
            case "maxLength":
                node.MaxLength = keyword.Count();
                break;
            case "pattern":
                node.Pattern = keyword.Pattern(keyword.Text());
                break;
            default:
                return false;
        }

        return true;
    }

    private bool TryFillItems(SchemaNode node, string name, SchemaKeyword keyword)
    {
        SchemaItems rules = node.Items ?? new SchemaItems();
        switch (name)
        {
            case "minItems":
                rules.Min = keyword.Count();
                break;
            case "maxItems":
                rules.Max = keyword.Count();
                break;
            case "uniqueItems":
                rules.AreUnique = keyword.Bool();
                break;
            case "prefixItems":
                rules.Prefix = NodesOf(keyword);
                break;
            case "items":
                keyword.Refuse(
                    keyword.Json.ValueKind == JsonValueKind.Array, "must be a schema; for a list take prefixItems");
                rules.Rest = NodeAt(keyword.Pointer);
                break;
            case "contains":
                rules.Contains = NodeAt(keyword.Pointer);
                break;
            case "minContains":
                rules.MinContains = keyword.Count();
                break;
            case "maxContains":
                rules.MaxContains = keyword.Count();
                break;
            case "unevaluatedItems":
                rules.Unevaluated = NodeAt(keyword.Pointer);
                break;
            default:
                return false;
        }

        node.Items = rules;
        return true;
    }

    private bool TryFillMembers(SchemaNode node, string name, SchemaKeyword keyword)
    {
        SchemaMembers rules = node.Members ?? new SchemaMembers();
        switch (name)
        {
            case "minProperties":
                rules.Min = keyword.Count();
                break;
            case "maxProperties":
                rules.Max = keyword.Count();
                break;
            case "required":
                rules.Required = keyword.Names(keyword.Json);
                break;
            case "properties":
                rules.Properties = MembersOf(keyword);
                Array.Sort(rules.Properties, (one, other) => one.Name.AsSpan().SequenceCompareTo(other.Name));
                break;
            case "patternProperties":
                rules.Patterns = [.. keyword.Object().Select(
                    one => (keyword.Pattern(one.Name), NodeAt(keyword.PlaceOf(one.Name))))];
                break;
            case "additionalProperties":
                rules.Additional = NodeAt(keyword.Pointer);
                break;
            case "propertyNames":
                rules.Names = NodeAt(keyword.Pointer);
                break;
            case "unevaluatedProperties":
                rules.Unevaluated = NodeAt(keyword.Pointer);
                break;
            case "dependentRequired":
                rules.DependentRequired = [.. rules.DependentRequired, .. keyword.Object().Select(
                    one => (Encoding.UTF8.GetBytes(one.Name), keyword.Names(one.Value)))];
                break;
            case "dependentSchemas":
                rules.DependentSchemas = [.. rules.DependentSchemas, .. MembersOf(keyword)];
                break;
            case "dependencies":
                FillDependencies(rules, keyword);
                break;
            default:
                return false;
        }

        node.Members = rules;
        return true;
    }

    private void FillDependencies(SchemaMembers rules, SchemaKeyword keyword)
    {
        foreach (JsonProperty one in keyword.Object())
        {
            byte[] name = Encoding.UTF8.GetBytes(one.Name);
            if (one.Value.ValueKind == JsonValueKind.Array)
            {
                rules.DependentRequired = [.. rules.DependentRequired, (name, keyword.Names(one.Value))];
            }
            else
            {
                rules.DependentSchemas = [.. rules.DependentSchemas, (name, NodeAt(keyword.PlaceOf(one.Name)))];
            }
        }
    }

    private void FillParts(SchemaNode node, string name, SchemaKeyword keyword)
    {
        switch (name)
        {
            case "allOf":
                // A list of its own, as $ref beside $dynamicRef is added to it.
                node.AllOf = [.. node.AllOf, .. NodesOf(keyword)];
                break;
            case "anyOf":
                node.AnyOf = NodesOf(keyword);
                break;
            case "oneOf":
                node.OneOf = NodesOf(keyword);
                break;
            case "not":
                node.Not = NodeAt(keyword.Pointer);
                break;
            case "if":
                node.If = NodeAt(keyword.Pointer);
                break;
            case "then":
                node.Then = NodeAt(keyword.Pointer);
                break;
            case "else":
                node.Else = NodeAt(keyword.Pointer);
                break;
            case "$ref":
                SetReference(node, NodeAt(_places.Resolve(keyword)));
                break;
            case "$dynamicRef":
                string target = _places.Resolve(keyword);
                SetReference(node, NodeAt(target));
                _dynamic.Add((node, keyword.Text()[(keyword.Text().IndexOf('#', StringComparison.Ordinal) + 1)..]));
                break;
            case "$defs" or "definitions":
                // Compiled too, so that a mistake is found that no reference leads to yet.
                MembersOf(keyword);
                break;
            default:
                break;
        }
    }

    /// <summary>A schema has one place for a reference: of two, one becomes a part beside it.</summary>
    private static void SetReference(SchemaNode node, SchemaNode target)
    {
        if (node.Ref is not null)
        {
            node.AllOf = [.. node.AllOf, node.Ref];
        }

        node.Ref = target;
    }

    /// <summary>A dynamic reference is one only if its first target has a dynamic anchor of that name.</summary>
    private void SetDynamic()
    {
        foreach ((SchemaNode node, string name) in _dynamic)
        {
            // Beside a $ref that came later the dynamic one is among the parts: it stays a plain reference there.
            bool isDynamic = node.Ref!.Resource.Dynamic.TryGetValue(name, out SchemaNode? target) && target == node.Ref;
            node.DynamicName = isDynamic ? name : null;
        }
    }

    private static void SetEnum(SchemaNode node, JsonElement[] values, SchemaKeyword keyword)
    {
        keyword.Refuse(values.Length == 0, "must not be empty");
        byte[][] bytes = Array.ConvertAll(values, SchemaKeyword.BytesOf);

        // Beside const, those of enum count that are it.
        node.Enum = node.Enum is null
            ? bytes
            : [.. node.Enum.Where(one => Array.Exists(bytes, other => one.AsSpan().SequenceEqual(other)))];
        const int textMax = 200;
        string text = string.Join(", ", values.Select(one => one.GetRawText()));
        node.EnumText = text.Length <= textMax ? text : string.Concat(text.AsSpan(0, textMax), "...");
    }

    private SchemaNode[] NodesOf(SchemaKeyword keyword)
    {
        int count = keyword.Array().Count();
        keyword.Refuse(count == 0, "must not be empty");
        return [.. Enumerable.Range(0, count).Select(i => NodeAt($"{keyword.Pointer}/{i}"))];
    }

    private (byte[] Name, SchemaNode Node)[] MembersOf(SchemaKeyword keyword) =>
        [.. keyword.Object().Select(one => (Encoding.UTF8.GetBytes(one.Name), NodeAt(keyword.PlaceOf(one.Name))))];
}
