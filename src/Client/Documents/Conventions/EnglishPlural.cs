namespace Raven.Client.Documents.Conventions;

/// <summary>The plural of an English noun, as names of collections use it: User, Users; Category, Categories.</summary>
internal static class EnglishPlural
{
    private static readonly Dictionary<string, string> Irregular = new(StringComparer.OrdinalIgnoreCase)
    {
        ["person"] = "people", ["man"] = "men", ["woman"] = "women", ["child"] = "children", ["mouse"] = "mice",
        ["foot"] = "feet", ["tooth"] = "teeth", ["goose"] = "geese", ["datum"] = "data", ["index"] = "indexes",
        ["analysis"] = "analyses", ["crisis"] = "crises", ["axis"] = "axes", ["quiz"] = "quizzes", ["ox"] = "oxen",
        ["knife"] = "knives", ["wife"] = "wives", ["life"] = "lives", ["leaf"] = "leaves", ["half"] = "halves",
        ["shelf"] = "shelves", ["wolf"] = "wolves", ["hero"] = "heroes", ["potato"] = "potatoes",
        ["tomato"] = "tomatoes", ["echo"] = "echoes",
    };

    private static readonly HashSet<string> Unchanged = new(StringComparer.OrdinalIgnoreCase)
    {
        "equipment", "information", "rice", "money", "species", "series", "fish", "sheep", "news", "people", "data",
        "metadata", "media", "content", "software", "feedback",
    };

    /// <summary>The plural of a name; of its last word, if the name joins several.</summary>
    internal static string Of(string name)
    {
        int start = name.Length;
        while (start > 0 && !char.IsUpper(name[start - 1]))
        {
            start--;
        }

        start = Math.Max(0, start - 1);
        string word = name[start..];
        if (word.Length == 0 || Unchanged.Contains(word))
        {
            return name;
        }

        string plural = Irregular.TryGetValue(word, out string? known)
            ? word[0] + known[1..]
            : Regular(word);
        return name[..start] + plural;
    }

    private static string Regular(string word)
    {
        if (EndsWith(word, "y") && word.Length > 1 && !"aeiouAEIOU".Contains(word[^2]))
        {
            return word[..^1] + "ies";
        }

        bool endsWithSibilant = EndsWith(word, "s") || EndsWith(word, "x") || EndsWith(word, "z")
            || EndsWith(word, "ch") || EndsWith(word, "sh");
        return word + (endsWithSibilant ? "es" : "s");
    }

    private static bool EndsWith(string word, string end) => word.EndsWith(end, StringComparison.OrdinalIgnoreCase);
}
