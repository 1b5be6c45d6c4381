using System.Text.Json;
using System.Text.Json.Nodes;

namespace Raven.Cluster.Records;

/// <summary>Reads the members of a record, and keeps the first thing that is wrong. What it does not know it leaves for
/// the record to keep: a newer node wrote it.</summary>
internal sealed class RecordReader
{
    private readonly JsonObject _rest;

    private RecordReader(JsonObject rest) => _rest = rest;

    /// <summary>What is wrong, with the member's name; null if nothing is.</summary>
    internal string? Problem { get; private set; }

    /// <summary>The members that were not read; null if there are none.</summary>
    internal JsonObject? Rest => _rest.Count == 0 ? null : _rest;

    internal static RecordReader? TryOpen(ReadOnlySpan<byte> json, out string? problem)
    {
        try
        {
            var reader = new Utf8JsonReader(json);
            if (JsonNode.Parse(ref reader) is JsonObject record && !reader.Read() && record.Count >= 0)
            {
                problem = null;
                return new RecordReader(record);
            }

            problem = "it is no JSON object";
        }
        catch (Exception wrong) when (wrong is JsonException or ArgumentException or InvalidOperationException)
        {
            problem = $"it is no JSON object: {wrong.Message}";
        }

        return null;
    }

    internal void Fail(string problem) => Problem ??= problem;

    /// <summary>A text that must be there.</summary>
    internal string Text(string name, int lengthMax = 512)
    {
        if (StringOf(Take(name)) is { Length: > 0 } text && text.Length <= lengthMax)
        {
            return text;
        }

        Fail($"'{name}' must be a text of 1 to {lengthMax} characters");
        return "";
    }

    /// <summary>A text that need not be there; null if it is not.</summary>
    internal string? TextOrNone(string name, int lengthMax = 512) =>
        _rest.ContainsKey(name) ? Text(name, lengthMax) : null;

    /// <summary>A whole number within bounds.</summary>
    internal long Number(string name, long min, long max = long.MaxValue, long? missing = null)
    {
        JsonNode? node = Take(name);
        if (node is null && missing is { } other)
        {
            return other;
        }

        if (node is JsonValue value && value.TryGetValue(out long number) && number >= min && number <= max)
        {
            return number;
        }

        Fail(max == long.MaxValue
            ? $"'{name}' must be a whole number from {min} on"
            : $"'{name}' must be a whole number from {min} to {max}");
        return min;
    }

    internal bool Flag(string name)
    {
        JsonNode? node = Take(name);
        if (node is null)
        {
            return false;
        }

        if (node is JsonValue value && value.TryGetValue(out bool flag))
        {
            return flag;
        }

        Fail($"'{name}' must be true or false");
        return false;
    }

    /// <summary>Tags of nodes, none twice.</summary>
    internal List<string> Tags(string name)
    {
        List<string> tags = [];
        if (Take(name) is not JsonArray array)
        {
            Fail($"'{name}' must be a list of tags");
            return tags;
        }

        foreach (JsonNode? node in array)
        {
            if (StringOf(node) is not { } tag || !NodeTag.IsValid(tag))
            {
                Fail($"'{name}' must be a list of tags: one to four of A to Z each");
                return tags;
            }

            if (tags.Contains(tag, StringComparer.Ordinal))
            {
                Fail($"'{name}' has {tag} twice");
                return tags;
            }

            tags.Add(tag);
        }

        return tags;
    }

    internal string Tag(string name)
    {
        if (StringOf(Take(name)) is { } tag && NodeTag.IsValid(tag))
        {
            return tag;
        }

        Fail($"'{name}' must be a tag: one to four of A to Z");
        return "";
    }

    internal JsonObject Object(string name)
    {
        if (Take(name) is JsonObject found)
        {
            return found;
        }

        Fail($"'{name}' must be a JSON object");
        return [];
    }

    /// <summary>The text of a value; null if it is none, or none of Unicode.</summary>
    private static string? StringOf(JsonNode? node)
    {
        try
        {
            return node is JsonValue value && value.TryGetValue(out string? text) ? text : null;
        }
        catch (InvalidOperationException)
        {
            return null;
        }
    }

    private JsonNode? Take(string name)
    {
        _rest.Remove(name, out JsonNode? node);
        return node;
    }
}
