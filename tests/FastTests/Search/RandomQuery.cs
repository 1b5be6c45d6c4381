using System.Text;
using System.Text.RegularExpressions;
using Raven.Search.Analysis;
using Raven.Search.Queries;

namespace FastTests.Search;

/// <summary>Builds a random query twice: for the engine, and as a function over naive entries.</summary>
internal sealed class RandomQuery(Random random, SearchQuery query)
{
    private static readonly string[] ExactFields = ["Name", "Number", "Tags", "Missing"];

    internal StringBuilder Text { get; } = new();

    internal (int Node, Func<NaiveEntry, bool> Matches) Make(int depth)
    {
        if (depth == 0 || random.Next(3) == 0)
        {
            return Leaf();
        }

        switch (random.Next(5))
        {
            case 0:
                Text.Append("not (");
                (int inner, Func<NaiveEntry, bool> isInner) = Make(depth - 1);
                Text.Append(')');
                return (query.Not(inner), entry => !isInner(entry));
            case 1:
                (int boosted, Func<NaiveEntry, bool> isBoosted) = Make(depth - 1);
                return (query.Boost(boosted, 2), isBoosted);
            case 2:
                Text.Append('(');
                (int left, Func<NaiveEntry, bool> isLeft) = Make(depth - 1);
                Text.Append(" and ");
                (int right, Func<NaiveEntry, bool> isRight) = Make(depth - 1);
                Text.Append(')');
                return (query.And(left, right), entry => isLeft(entry) && isRight(entry));
            case 3:
                Text.Append("intersect(");
                (int first, Func<NaiveEntry, bool> isFirst) = Make(depth - 1);
                Text.Append(", ");
                (int second, Func<NaiveEntry, bool> isSecond) = Make(depth - 1);
                Text.Append(')');
                return (query.Intersect(first, second),
                    entry => isFirst(entry) && entry.Siblings.Exists(isSecond.Invoke));
            default:
                Text.Append('(');
                (int one, Func<NaiveEntry, bool> isOne) = Make(depth - 1);
                Text.Append(" or ");
                (int other, Func<NaiveEntry, bool> isOther) = Make(depth - 1);
                Text.Append(')');
                return (query.Or(one, other), entry => isOne(entry) || isOther(entry));
        }
    }

    private (int Node, Func<NaiveEntry, bool> Matches) Leaf()
    {
        string field = ExactFields[random.Next(ExactFields.Length)];
        switch (random.Next(13))
        {
            case 0:
                Text.Append("all");
                return (query.All(), _ => true);
            case 1 or 2:
                (int value, object? plain) = Value(field);
                Text.Append($"{field} = {plain ?? "null"}");
                object? folded = Fold(field, plain);
                return (query.Equal(field, value), entry => entry.Of(field).Contains(folded));
            case 3:
                return In(field);
            case 4 or 5:
                return Range(field);
            case 6:
                Text.Append($"exists({field})");
                return (query.Exists(field), entry => entry.Of(field).Count > 0);
            case 7 or 8:
                return Pattern(field == "Number" ? "Tags" : field);
            case 9:
                return Fuzzy();
            case 10:
                return Phrase();
            default:
                return Search();
        }
    }

    private static object? Fold(string field, object? value) =>
        field == "Name" && value is string text ? text.ToLowerInvariant() : value;

    private string Word() => NaiveIndex.Vocabulary[random.Next(NaiveIndex.Vocabulary.Length)];

    private (int Node, object? Plain) Value(string field)
    {
        switch (field == "Name" ? 5 : field == "Number" ? random.Next(2, 4) : random.Next(8))
        {
            case 0:
                return (query.NullValue(), null);
            case 1:
                bool flag = random.Next(2) == 0;
                return (query.Value(flag), flag);
            case 2:
                long integer = random.Next(-40, 40);
                return (query.Value(integer), (decimal)integer);
            case 3:
                double number = random.Next(-80, 80) / 4.0;
                return (query.Value(number), (decimal)number);
            default:
                string text = field == "Name" ? $"NAME {Word()} {random.Next(30)}"
                    : Word() + (random.Next(2) == 0 ? "" : random.Next(120));
                return (query.Value(text), text);
        }
    }

    private (int Node, Func<NaiveEntry, bool> Matches) In(string field)
    {
        int count = random.Next(1, 5);
        int first = 0;
        List<object?> values = [];
        for (int i = 0; i < count; i++)
        {
            (int value, object? plain) = Value(field);
            first = i == 0 ? value : first;
            values.Add(Fold(field, plain));
        }

        Text.Append($"{field} in ({string.Join(", ", values)})");
        return (query.In(field, first, count), entry => entry.Of(field).Exists(values.Contains));
    }

    private (int Node, Func<NaiveEntry, bool> Matches) Range(string field)
    {
        (int low, object? lower) = Value(field);
        (int high, object? upper) = Value(field);
        while (NaiveEntry.RankOf(lower) != NaiveEntry.RankOf(upper))
        {
            (high, upper) = Value(field);
        }

        (lower, upper) = (Fold(field, lower), Fold(field, upper));
        int shape = random.Next(4);
        bool isOpenBelow = shape == 0;
        bool isOpenAbove = shape == 1;
        bool hasLower = random.Next(2) == 0;
        bool hasUpper = random.Next(2) == 0;
        Text.Append($"{field} in {(hasLower ? '[' : '(')}{(isOpenBelow ? "*" : lower)}, ")
            .Append($"{(isOpenAbove ? "*" : upper)}{(hasUpper ? ']' : ')')}");
        int node = query.Range(
            field,
            isOpenBelow ? SearchQuery.Unbounded : low,
            hasLower,
            isOpenAbove ? SearchQuery.Unbounded : high,
            hasUpper);
        int rank = NaiveEntry.RankOf(lower);
        return (node, entry => entry.Of(field).Exists(value =>
            NaiveEntry.RankOf(value) == rank
            && (isOpenBelow || NaiveEntry.Compare(value, lower) is var below && (hasLower ? below >= 0 : below > 0))
            && (isOpenAbove || NaiveEntry.Compare(value, upper) is var above && (hasUpper ? above <= 0 : above < 0))));
    }

    private (int Node, Func<NaiveEntry, bool> Matches) Pattern(string field)
    {
        string prefix = field == "Name" ? "name " : "";
        string word = Word();
        string start = prefix + word[..random.Next(1, word.Length)];
        string end = random.Next(120).ToString(System.Globalization.CultureInfo.InvariantCulture);
        switch (random.Next(4))
        {
            case 0:
                Text.Append($"startsWith({field}, {start})");
                return (query.StartsWith(field, query.Value(start)), Any(field, text =>
                    text.StartsWith(start, StringComparison.Ordinal)));
            case 1:
                Text.Append($"endsWith({field}, {end})");
                return (query.EndsWith(field, query.Value(end)), Any(field, text =>
                    text.EndsWith(end, StringComparison.Ordinal)));
            case 2:
                string pattern = $"{start}*{end[0]}?";
                Regex like = new($"^{Regex.Escape(start)}.*{end[0]}.$", RegexOptions.Singleline);
                Text.Append($"{field} like {pattern}");
                return (query.Wildcard(field, query.Value(pattern)), Any(field, like.IsMatch));
            default:
                string expression = $"{start[^1]}[a-z]+{end}$";
                Regex regex = new(expression, RegexOptions.CultureInvariant);
                Text.Append($"regex({field}, {expression})");
                return (query.Regex(field, expression), Any(field, regex.IsMatch));
        }
    }

    private static Func<NaiveEntry, bool> Any(string field, Func<string, bool> test) =>
        entry => entry.Of(field).Exists(value => value is string text && test(text));

    private (int Node, Func<NaiveEntry, bool> Matches) Fuzzy()
    {
        string word = Word();
        int at = random.Next(word.Length);
        string changed = random.Next(3) switch
        {
            0 => word.Remove(at, 1),
            1 => word.Insert(at, "x"),
            _ => word[..at] + "ü" + word[(at + 1)..],
        };
        int distance = random.Next(3);
        Text.Append($"fuzzy(Text, {changed}, {distance})");
        Dictionary<string, bool> isNear = [];
        int node = query.Fuzzy("Text", query.Value(changed), distance);
        return (node, entry => entry.Words.Exists(place => IsNear(place.Word)));

        // There are few words, and each of them is in many entries.
        bool IsNear(string other)
        {
            if (!isNear.TryGetValue(other, out bool known))
            {
                isNear[other] = known = Distance(other, changed) <= distance;
            }

            return known;
        }
    }

    private (int Node, Func<NaiveEntry, bool> Matches) Phrase()
    {
        string text = $"{Word()} {Word()}" + (random.Next(2) == 0 ? "" : " " + Word());
        int distance = random.Next(3) == 0 ? random.Next(1, 6) : 0;
        List<string> words = Stems(text);

        // A word twice must stand at two places, which the plain evaluator does not look at.
        distance = words.Distinct().Count() < words.Count ? 0 : distance;
        Text.Append($"phrase(Text, {text}, {distance})");
        return (query.Phrase("Text", query.Value(text), distance), entry => HasPhrase(entry, words, distance));
    }

    private (int Node, Func<NaiveEntry, bool> Matches) Search()
    {
        bool isAll = random.Next(2) == 0;
        List<string> parts = [];
        List<Func<NaiveEntry, bool>> tests = [];
        for (int i = random.Next(1, 4); i > 0; i--)
        {
            string word = Word();
            switch (random.Next(4))
            {
                case 0:
                    string phrase = $"{word} {Word()}";
                    List<string> words = Stems(phrase);
                    parts.Add($"\"{phrase}\"");
                    tests.Add(entry => HasPhrase(entry, words, 0));
                    break;
                case 1:
                    string start = word[..2];
                    parts.Add(start.ToUpperInvariant() + "*");
                    tests.Add(entry => entry.Words.Exists(place =>
                        place.Word.StartsWith(start, StringComparison.Ordinal)));
                    break;
                default:
                    string stem = Stems(word)[0];
                    parts.Add(word);
                    tests.Add(entry => entry.Words.Exists(place => place.Word == stem));
                    break;
            }
        }

        Text.Append($"search(Text, {string.Join(' ', parts)}, {(isAll ? "and" : "or")})");
        return (query.Search("Text", query.Value(string.Join(' ', parts)), isAll), entry =>
            isAll ? tests.TrueForAll(test => test(entry)) : tests.Exists(test => test(entry)));
    }

    private static List<string> Stems(string text)
    {
        TokenBuffer tokens = new();
        Analyzers.English.Analyze(Encoding.UTF8.GetBytes(text), tokens, 0);
        return [.. tokens.Tokens.ToArray().Select(token => Encoding.UTF8.GetString(tokens.Term(token)))];
    }

    private static bool HasPhrase(NaiveEntry entry, List<string> words, int distance) => entry.Words.Exists(first =>
        first.Word == words[0] && Follows(entry, words, 1, first.Position, first.Position, distance));

    /// <summary>Whether the phrase starts that the words' places imply are within so much of each other.</summary>
    private static bool Follows(NaiveEntry entry, List<string> words, int at, int least, int most, int distance) =>
        at == words.Count || entry.Words.Exists(next => next.Word == words[at]
            && Math.Max(most, next.Position - at) - Math.Min(least, next.Position - at) <= distance
            && Follows(
                entry, words, at + 1, Math.Min(least, next.Position - at), Math.Max(most, next.Position - at),
                distance));

    private static int Distance(string left, string right)
    {
        int[,] table = new int[left.Length + 1, right.Length + 1];
        for (int i = 0; i <= left.Length; i++)
        {
            for (int j = 0; j <= right.Length; j++)
            {
                table[i, j] = i == 0 ? j : j == 0 ? i : Math.Min(
                    table[i - 1, j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1),
                    Math.Min(table[i - 1, j], table[i, j - 1]) + 1);
            }
        }

        return table[left.Length, right.Length];
    }
}
