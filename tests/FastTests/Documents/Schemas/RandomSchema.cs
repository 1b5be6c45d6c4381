using System.Globalization;

namespace FastTests.Documents.Schemas;

/// <summary>Random schemas of all keywords, and random values that meet them often.</summary>
internal sealed class RandomSchema(Random random)
{
    private static readonly string[] Names = ["a", "b", "c", "ab"];
    private static readonly string[] Patterns = ["^a", "b$", "^[ab]+$", "c", "^.{1,2}$"];
    private static readonly string[] Scalars =
    [
        "null", "true", "false", "0", "1", "1.0", "2", "3.5", "-1", "10", "\"\"", "\"a\"", "\"ab\"", "\"bbb\"",
        "\"éc\"",
    ];

    private static readonly string[] Types =
        ["null", "boolean", "object", "array", "number", "string", "integer"];

    private static readonly Func<RandomSchema, int, string>[] Keywords =
    [
        (of, _) => $"\"type\":{of.Type()}",
        (of, depth) => $"\"const\":{of.Value(depth - 1)}",
        (of, depth) => $"\"enum\":[{of.Value(depth - 1)},{of.Value(depth - 1)},{of.Value(depth - 1)}]",
        (of, _) => $"\"minimum\":{of.Number()}",
        (of, _) => $"\"maximum\":{of.Number()}",
        (of, _) => $"\"exclusiveMinimum\":{of.Number()}",
        (of, _) => $"\"exclusiveMaximum\":{of.Number()}",
        (of, _) => $"\"multipleOf\":{of.OneOf("1", "2", "0.5", "1.5", "3")}",
        (of, _) => $"\"minLength\":{of.Small()}",
        (of, _) => $"\"maxLength\":{of.Small()}",
        (of, _) => $"\"pattern\":\"{of.OneOf(Patterns)}\"",
        (of, _) => $"\"minItems\":{of.Small()}",
        (of, _) => $"\"maxItems\":{of.Small()}",
        (of, _) => $"\"uniqueItems\":{of.OneOf("true", "false")}",
        (of, depth) => $"\"prefixItems\":{of.List(depth)}",
        (of, depth) => $"\"items\":{of.Schema(depth)}",
        (of, depth) => $"\"contains\":{of.Schema(depth)}",
        (of, depth) => $"\"contains\":{of.Schema(depth)},\"minContains\":{of.Small()}",
        (of, depth) => $"\"contains\":{of.Schema(depth)},\"maxContains\":{of.Small()}",
        (of, depth) => $"\"unevaluatedItems\":{of.Schema(depth)}",
        (of, _) => $"\"minProperties\":{of.Small()}",
        (of, _) => $"\"maxProperties\":{of.Small()}",
        (of, _) => $"\"required\":[\"{of.Name()}\"]",
        (of, depth) => $"\"properties\":{of.Members(depth)}",
        (of, depth) => $"\"patternProperties\":{{\"{of.OneOf(Patterns)}\":{of.Schema(depth)}}}",
        (of, depth) => $"\"additionalProperties\":{of.Schema(depth)}",
        (of, depth) => $"\"propertyNames\":{of.Schema(depth)}",
        (of, depth) => $"\"unevaluatedProperties\":{of.Schema(depth)}",
        (of, _) => $"\"dependentRequired\":{{\"{of.Name()}\":[\"{of.Name()}\"]}}",
        (of, depth) => $"\"dependentSchemas\":{{\"{of.Name()}\":{of.Schema(depth)}}}",
        (of, depth) => $"\"allOf\":{of.List(depth)}",
        (of, depth) => $"\"anyOf\":{of.List(depth)}",
        (of, depth) => $"\"oneOf\":{of.List(depth)}",
        (of, depth) => $"\"not\":{of.Schema(depth)}",
        (of, depth) => $"\"if\":{of.Schema(depth)},\"then\":{of.Schema(depth)},\"else\":{of.Schema(depth)}",
        (of, _) => $"\"$ref\":\"#/$defs/{of.OneOf("x", "y")}\"",
    ];

    /// <summary>A schema for documents with one value, which has definitions that do not refer to each other.</summary>
    internal string Root()
    {
        string value = Schema(3);
        return $$"""
            {"$schema":"https://json-schema.org/draft/2020-12/schema",
             "properties":{"V":{{value}}},"$defs":{"x":{{WithoutReference(2)}},"y":{{WithoutReference(1)}} } }
            """;
    }

    /// <summary>A value.</summary>
    internal string Value(int depth) => depth <= 0 || random.Next(3) == 0 ? OneOf(Scalars) : random.Next(2) == 0
        ? $"[{string.Join(',', Enumerable.Range(0, random.Next(4)).Select(_ => Value(depth - 1)))}]"
        : "{" + string.Join(
            ',', Names.Where(_ => random.Next(2) == 0).Select(name => $"\"{name}\":{Value(depth - 1)}")) + "}";

    private string Schema(int depth)
    {
        if (depth <= 0 || random.Next(12) == 0)
        {
            return random.Next(6) == 0 ? "false" : random.Next(3) == 0 ? "true" : $$"""{"type":{{Type()}}}""";
        }

        Dictionary<string, string> keywords = [];
        for (int i = random.Next(1, 4); i > 0; i--)
        {
            string keyword = Keywords[random.Next(Keywords.Length)](this, depth - 1);
            keywords.TryAdd(keyword[..keyword.IndexOf(':', StringComparison.Ordinal)], keyword);
        }

        return "{" + string.Join(',', keywords.Values) + "}";
    }

    private string WithoutReference(int depth)
    {
        string schema;
        do
        {
            schema = Schema(depth);
        }
        while (schema.Contains("$ref", StringComparison.Ordinal));
        return schema;
    }

    private string List(int depth) => $"[{Schema(depth)},{Schema(depth)}]";

    private string Members(int depth) =>
        $$"""{"{{Names[0]}}":{{Schema(depth)}},"{{OneOf("b", "c", "ab")}}":{{Schema(depth)}}}""";

    private string Type() => random.Next(3) == 0
        ? $"[\"{OneOf("null", "boolean", "object")}\",\"{OneOf("array", "number", "string", "integer")}\"]"
        : $"\"{OneOf(Types)}\"";

    private string Name() => OneOf(Names);

    private string Number() => OneOf("0", "1", "1.0", "2", "3.5", "-1");

    private string Small() => random.Next(4).ToString(CultureInfo.InvariantCulture);

    private string OneOf(params string[] values) => values[random.Next(values.Length)];
}
