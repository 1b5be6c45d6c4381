using System.Text.Json;
using Raven.Client.Documents.Entities;
using Raven.Client.Json;

namespace Raven.Client.Documents.Session;

/// <summary>Compares documents by content: the order of properties and the form of numbers do not matter.</summary>
internal static class JsonComparer
{
    /// <summary>
    /// Whether a document certainly has the content of a written entity: compares their bytes without parsing or
    /// copying. If it is false, they may still be equal: properties may have another order, or numbers another form.
    /// </summary>
    /// <param name="stored">The document, with its metadata.</param>
    /// <param name="current">The entity.</param>
    internal static bool AreSame(ReadOnlySpan<byte> stored, ReadOnlySpan<byte> current)
    {
        if (current.Length < 2 || current[0] != '{' || stored.IsEmpty)
        {
            return false;
        }

        ReadOnlySpan<byte> properties = current[..^1];
        return (stored.StartsWith(properties) && EndsWithMetadata(stored[properties.Length..], current.Length == 2))
            || HaveSameTokens(stored, current);
    }

    /// <summary>Whether the rest of a document is its metadata alone.</summary>
    private static bool EndsWithMetadata(ReadOnlySpan<byte> rest, bool isFirst)
    {
        ReadOnlySpan<byte> name = isFirst ? "\"@metadata\":"u8 : ",\"@metadata\":"u8;
        if (!rest.StartsWith(name))
        {
            return rest.SequenceEqual("}"u8);
        }

        rest = rest[name.Length..];
        Utf8JsonReader reader = AnswerBody.Open(rest);
        reader.Skip();
        return rest[(int)reader.BytesConsumed..].SequenceEqual("}"u8);
    }

    private static bool HaveSameTokens(ReadOnlySpan<byte> stored, ReadOnlySpan<byte> current)
    {
        Utf8JsonReader left = AnswerBody.Open(stored);
        Utf8JsonReader right = AnswerBody.Open(current);
        while (left.TokenType == right.TokenType && HaveSameText(ref left, ref right))
        {
            if (!right.Read())
            {
                return true;
            }

            left.Read();
            if (left.TokenType == JsonTokenType.PropertyName && left.CurrentDepth == 1
                && left.ValueTextEquals("@metadata"u8))
            {
                left.Skip();
                left.Read();
            }
        }

        return false;
    }

    private static bool HaveSameText(ref Utf8JsonReader left, ref Utf8JsonReader right)
    {
        bool isText = left.TokenType is JsonTokenType.PropertyName or JsonTokenType.String;
        return isText && (left.ValueIsEscaped || right.ValueIsEscaped)
            ? left.ValueTextEquals(right.GetString())
            : left.ValueSpan.SequenceEqual(right.ValueSpan);
    }

    /// <summary>Whether two documents have the same content, apart from their metadata.</summary>
    internal static bool AreEqual(JsonElement left, JsonElement right)
    {
        int count = 0;
        foreach (JsonProperty property in left.EnumerateObject())
        {
            if (property.Name == EntitySerializer.MetadataName)
            {
                continue;
            }

            count++;
            if (!right.TryGetProperty(property.Name, out JsonElement other)
                || !JsonElement.DeepEquals(property.Value, other))
            {
                return false;
            }
        }

        int others = right.GetPropertyCount() - (right.TryGetProperty(EntitySerializer.MetadataName, out _) ? 1 : 0);
        return count == others;
    }

    /// <summary>Lists the differences of two documents.</summary>
    internal static List<DocumentsChanges> Compare(JsonElement old, JsonElement current)
    {
        List<DocumentsChanges> changes = [];
        CompareObjects("", old, current, changes);
        return changes;
    }

    private static void CompareObjects(
        string path, JsonElement old, JsonElement current, List<DocumentsChanges> changes)
    {
        foreach (JsonProperty property in current.EnumerateObject())
        {
            if (path.Length == 0 && property.Name == EntitySerializer.MetadataName)
            {
                continue;
            }

            if (old.TryGetProperty(property.Name, out JsonElement before))
            {
                CompareValues(path, property.Name, before, property.Value, changes);
            }
            else
            {
                changes.Add(new(ChangeType.NewField, property.Name, path, null, property.Value));
            }
        }

        foreach (JsonProperty property in old.EnumerateObject())
        {
            bool isMetadata = path.Length == 0 && property.Name == EntitySerializer.MetadataName;
            if (!isMetadata && !current.TryGetProperty(property.Name, out _))
            {
                changes.Add(new(ChangeType.RemovedField, property.Name, path, property.Value, null));
            }
        }
    }

    private static void CompareValues(
        string path, string name, JsonElement old, JsonElement current, List<DocumentsChanges> changes)
    {
        if (JsonElement.DeepEquals(old, current))
        {
            return;
        }

        string inner = path.Length == 0 ? name : $"{path}.{name}";
        if (old.ValueKind == JsonValueKind.Object && current.ValueKind == JsonValueKind.Object)
        {
            CompareObjects(inner, old, current, changes);
        }
        else if (old.ValueKind == JsonValueKind.Array && current.ValueKind == JsonValueKind.Array)
        {
            CompareArrays(path, name, old, current, changes);
        }
        else
        {
            changes.Add(new(ChangeType.FieldChanged, name, path, old, current));
        }
    }

    private static void CompareArrays(
        string path, string name, JsonElement old, JsonElement current, List<DocumentsChanges> changes)
    {
        int before = old.GetArrayLength();
        int now = current.GetArrayLength();
        for (int i = 0; i < Math.Max(before, now); i++)
        {
            string element = $"{name}[{i}]";
            if (i >= before)
            {
                changes.Add(new(ChangeType.ArrayValueAdded, element, path, null, current[i]));
            }
            else if (i >= now)
            {
                changes.Add(new(ChangeType.ArrayValueRemoved, element, path, old[i], null));
            }
            else if (old[i].ValueKind == JsonValueKind.Object && current[i].ValueKind == JsonValueKind.Object)
            {
                CompareValues(path, element, old[i], current[i], changes);
            }
            else if (!JsonElement.DeepEquals(old[i], current[i]))
            {
                changes.Add(new(ChangeType.ArrayValueChanged, element, path, old[i], current[i]));
            }
        }
    }
}
