using System.Globalization;
using System.Text.Json;

namespace Raven.Server.Http.Security;

/// <summary>Where in a record a value is, beside what the stored record has there.</summary>
/// <param name="Path">Its path: names and numbers with <c>/</c> before each, as JSON pointers have them.</param>
/// <param name="Stored">What the stored record has there; null if nothing.</param>
/// <param name="StoredPath">Where the stored record has it.</param>
internal readonly record struct SecretPlace(string Path, JsonElement? Stored, string StoredPath)
{
    /// <summary>The entry that the value belongs to: a connection string, a destination of a task.</summary>
    internal JsonElement? Entry { get; init; }

    /// <summary>What the stored record has for that entry.</summary>
    internal JsonElement? StoredEntry { get; init; }

    /// <summary>The name of the innermost member.</summary>
    internal string Name { get; init; } = "";

    /// <summary>How many members and elements it is below the record.</summary>
    internal int Depth { get; init; }

    /// <summary>The place of a member of the object at this place.</summary>
    internal SecretPlace Member(JsonProperty member)
    {
        JsonElement? stored = Stored is { ValueKind: JsonValueKind.Object } there
            && there.TryGetProperty(member.Name, out JsonElement found) ? found : null;
        return Below(member.Value, Escape(member.Name), stored, Escape(member.Name)) with { Name = member.Name };
    }

    /// <summary>The place of an element of the array at this place. It is the stored element of the same task or name,
    /// or the one at the same index if it has neither.</summary>
    internal SecretPlace Element(JsonElement element, int index)
    {
        int other = -1;
        if (Stored is { ValueKind: JsonValueKind.Array } there)
        {
            other = IndexOf(there, element, index, "TaskId") is >= 0 and int byTask ? byTask
                : IndexOf(there, element, index, "Name") is >= 0 and int byName ? byName
                : IsNamed(element) || index >= there.GetArrayLength() ? -1
                : index;
        }

        JsonElement? stored = other < 0 ? null : Stored!.Value[other];
        return Below(element, Text(index), stored, Text(other)) with { Name = Name };
    }

    private SecretPlace Below(JsonElement value, string segment, JsonElement? stored, string storedSegment)
    {
        var place = new SecretPlace($"{Path}/{segment}", stored, $"{StoredPath}/{storedSegment}")
        {
            Entry = Entry, StoredEntry = StoredEntry, Depth = Depth + 1,
        };

        // A backup has several destinations, each an entry of its own; anything else is one below a member of the
        // record. What is not so deep belongs to the object that it is in.
        bool isWithinEntry = Depth >= (Path.StartsWith("/PeriodicBackups", StringComparison.Ordinal) ? 3 : 2);
        return isWithinEntry || value.ValueKind != JsonValueKind.Object || Depth == 0
            ? place
            : place with { Entry = value, StoredEntry = stored };
    }

    private static int IndexOf(JsonElement array, JsonElement element, int index, string name)
    {
        if (element.ValueKind != JsonValueKind.Object || !element.TryGetProperty(name, out JsonElement wanted)
            || !IsName(wanted))
        {
            return -1;
        }

        int count = array.GetArrayLength();
        return index < count && Has(array[index]) ? index : Enumerable.Range(0, count)
            .Where(i => Has(array[i])).DefaultIfEmpty(-1).First();

        bool Has(JsonElement other) => other.ValueKind == JsonValueKind.Object
            && other.TryGetProperty(name, out JsonElement value) && JsonElement.DeepEquals(wanted, value);
    }

    private static bool IsNamed(JsonElement element) => element.ValueKind == JsonValueKind.Object
        && ((element.TryGetProperty("TaskId"u8, out JsonElement task) && IsName(task))
            || (element.TryGetProperty("Name"u8, out JsonElement name) && IsName(name)));

    private static bool IsName(JsonElement value) =>
        (value.ValueKind == JsonValueKind.Number && value.TryGetInt64(out long id) && id != 0)
        || (value.ValueKind == JsonValueKind.String && value.GetString()!.Length > 0);

    private static string Text(int index) => index.ToString(CultureInfo.InvariantCulture);

    private static string Escape(string name) =>
        name.Replace("~", "~0", StringComparison.Ordinal).Replace("/", "~1", StringComparison.Ordinal);
}
