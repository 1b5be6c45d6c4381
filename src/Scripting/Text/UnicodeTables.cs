using System.Collections.Concurrent;

namespace Raven.Scripting.Text;

/// <summary>
/// The tables of Unicode that scripts need. The process runs in the invariant mode of globalization, which has none, so
/// they are a resource of the assembly. Its first line names the source; each other line is parsed at its first use.
/// </summary>
internal static class UnicodeTables
{
    private const string Resource = "Raven.Scripting.unicode.txt";

    private static readonly Lazy<Dictionary<string, string>> Lines = new(Load);
    private static readonly ConcurrentDictionary<string, CodePointSet> Sets = new(StringComparer.Ordinal);

    /// <summary>
    /// The code points of <c>\p{name}</c> or <c>\p{name=value}</c>; null if there is no such property.
    /// </summary>
    internal static CodePointSet? Find(string name, string? value) => (name, value) switch
    {
        ("Any", null) => CodePointSet.All,
        ("ASCII", null) => CodePointSet.Of(0, 0x7F),
        ("Assigned", null) => Set("category Cn")!.Complement(),
        (_, null) => Category(name) ?? Set($"binary {name}"),
        ("General_Category" or "gc", _) => Category(value!),
        ("Script" or "sc", _) => Set($"script {value}"),
        ("Script_Extensions" or "scx", _) => Set($"extensions {value}") ?? Set($"script {value}"),
        _ => null,
    };

    /// <summary>The data of a line by its kind and name.</summary>
    internal static string Line(string key) => Lines.Value[key];

    /// <summary>The lines of a kind, each with its name.</summary>
    internal static IEnumerable<(string Name, string Data)> Kind(string kind) =>
        Lines.Value.Where(line => line.Key.StartsWith(kind + " ", StringComparison.Ordinal))
            .Select(line => (line.Key[(kind.Length + 1)..], line.Value));

    /// <summary>Reads a number in base 36 and moves behind it.</summary>
    internal static int ReadNumber(string data, ref int at)
    {
        int value = 0;
        while (at < data.Length && CharacterClass.DigitValue(data[at]) is int digit and < 36)
        {
            value = (value * 36) + digit;
            at++;
        }

        return value;
    }

    private static CodePointSet? Category(string name)
    {
        if (!Lines.Value.TryGetValue($"group {name}", out string? parts))
        {
            return Set($"category {name}");
        }

        return Sets.GetOrAdd($"group {name}", _ => CodePointSet.Union(
            parts.Split(' ').SelectMany(part => Set($"category {part}")!.Ranges)));
    }

    private static CodePointSet? Set(string key)
    {
        if (Sets.TryGetValue(key, out CodePointSet? known))
        {
            return known;
        }

        return Lines.Value.TryGetValue(key, out string? data) ? Sets.GetOrAdd(key, ReadSet(data)) : null;
    }

    /// <summary>Reads pairs: how many code points are skipped, and how many follow less one.</summary>
    internal static CodePointSet ReadSet(string data)
    {
        List<(int First, int Last)> ranges = [];
        int end = 0;
        for (int at = 0; at < data.Length; at++)
        {
            int first = end + ReadNumber(data, ref at);
            at++;
            int last = first + ReadNumber(data, ref at);
            ranges.Add((first, last));
            end = last + 1;
        }

        return CodePointSet.Union(ranges);
    }

    private static Dictionary<string, string> Load()
    {
        using Stream stream = typeof(UnicodeTables).Assembly.GetManifestResourceStream(Resource)
            ?? throw new InvalidOperationException("The assembly has no tables of Unicode.");
        using StreamReader reader = new(stream);
        Dictionary<string, string> lines = new(StringComparer.Ordinal);
        while (reader.ReadLine() is { } line)
        {
            if (line.StartsWith('#'))
            {
                continue;
            }

            // "kind name=other data": all names lead to the data.
            string[] parts = line.Split(' ', 3);
            foreach (string name in parts[1].Split('='))
            {
                lines.Add($"{parts[0]} {name}", parts.Length > 2 ? parts[2] : "");
            }
        }

        return lines;
    }
}
