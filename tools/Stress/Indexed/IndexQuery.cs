using System.Globalization;

namespace Raven.Tools.Stress.Indexed;

/// <summary>A condition on the documents of the run: as a query says it, and as it is worked out.</summary>
internal sealed record IndexQuery(string Text, Func<string, long, bool> IsMet)
{
    private const string Index = "from index 'Stress/ByVersion'";

    /// <summary>
    /// A random one, about documents like those that there are; from an index or the collection if no source is given.
    /// </summary>
    internal static IndexQuery Next(
        Random random, IReadOnlyList<KeyValuePair<string, long>> documents, string? source = null)
    {
        IndexQuery condition = NextCondition(random, documents);
        if (random.Next(3) == 0)
        {
            condition = Join(random, condition, NextCondition(random, documents));
        }

        source ??= random.Next(2) == 0 ? Index : "from Stress";
        return condition with { Text = $"{source} where {condition.Text}" };
    }

    private static IndexQuery Join(Random random, IndexQuery left, IndexQuery right) => random.Next(3) switch
    {
        0 => new($"({left.Text} and {right.Text})", (id, at) => left.IsMet(id, at) && right.IsMet(id, at)),
        1 => new($"({left.Text} or {right.Text})", (id, at) => left.IsMet(id, at) || right.IsMet(id, at)),
        _ => new($"({left.Text} and not {right.Text})", (id, at) => left.IsMet(id, at) && !right.IsMet(id, at)),
    };

    private static IndexQuery NextCondition(Random random, IReadOnlyList<KeyValuePair<string, long>> documents)
    {
        (string id, long version) = documents[random.Next(documents.Count)];
        long width = random.Next(1, 50);
        string prefix = id[..(id.IndexOf('/', StringComparison.Ordinal) + 2)];
        return random.Next(6) switch
        {
            0 => new(Say($"Version = {version}"), (_, at) => at == version),
            1 => new(Say($"Version >= {version}"), (_, at) => at >= version),
            2 => new(Say($"Version < {width}"), (_, at) => at < width),
            3 => new(
                Say($"Version between {version} and {version + width}"),
                (_, at) => at >= version && at <= version + width),
            4 => new($"Key = '{id}'", (key, _) => key.Equals(id, StringComparison.OrdinalIgnoreCase)),
            _ => new(
                $"startsWith(Key, '{prefix}')", (key, _) => key.StartsWith(prefix, StringComparison.OrdinalIgnoreCase)),
        };
    }

    private static string Say(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
