using Raven.Blittable.Reading;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Queries.Rql;

namespace Raven.Documents.Queries;

/// <summary>
/// What can be said of a query without asking it: whether it is one, what it reads, and who would answer it. Nothing is
/// searched, no index is made, and none is opened.
/// </summary>
public sealed class QueryCheck
{
    /// <summary>How many parameters it looks at.</summary>
    private const int ParametersMax = 1024;

    private QueryCheck(IReadOnlyList<(string Name, bool IsGiven)> parameters) => Parameters = parameters;

    /// <summary>What is wrong with it, and where; null if nothing is.</summary>
    public RqlException? Error { get; private init; }

    /// <summary>Its parameters in the order of their first places, and whether each has a value.</summary>
    public IReadOnlyList<(string Name, bool IsGiven)> Parameters { get; }

    /// <summary>The collection that it reads, or the index; null for all documents, and if there is an error.</summary>
    public string? Source { get; private init; }

    /// <summary>Whether that is an index.</summary>
    public bool IsOfIndex { get; private init; }

    /// <summary>Whether it changes what it finds.</summary>
    public bool IsChange { get; private init; }

    /// <summary>The fields that an index must have for it, by their names; none if the documents answer.</summary>
    public IReadOnlyList<string> Fields { get; private init; } = [];

    /// <summary>Who would answer it; null if there is an error.</summary>
    public QueryExplanation? Plan { get; private init; }

    /// <summary>Checks a query.</summary>
    /// <param name="database">The database.</param>
    /// <param name="text">The query.</param>
    /// <param name="parameters">Values of its parameters; each of them may be missing.</param>
    /// <exception cref="RqlException">It has more parameters than a check looks at.</exception>
    public static QueryCheck Of(Database database, string text, BlittableObject parameters)
    {
        ArgumentNullException.ThrowIfNull(database);
        ArgumentNullException.ThrowIfNull(text);
        if (text.Length > RqlParser.LengthMax)
        {
            return new QueryCheck([]) { Error = RqlParser.TooLong(text) };
        }

        List<string> names = ParametersIn(text);
        List<(string Name, bool IsGiven)> named = [.. names.Select(name => (name, false))];
        try
        {
            var input = QueryInput.Of(text, parameters);
            var values = new Dictionary<string, object?>(input.Parameters, StringComparer.Ordinal);
            named = [.. names.Select(name => (name, values.ContainsKey(name)))];
            names.ForEach(name => values.TryAdd(name, null));
            var plan = new QueryExplanation(database, input with { Parameters = values });
            Require(database, input, plan);
            return new QueryCheck(named)
            {
                Source = input.Rql.IsIndex ? input.Rql.Source : QueryPlan.CollectionOf(input.Rql),
                IsOfIndex = input.Rql.IsIndex,
                IsChange = input.UpdatePlace is not null,
                Fields = plan.Fields,
                Plan = plan,
            };
        }
        catch (RqlException wrong)
        {
            return new QueryCheck(named) { Error = wrong };
        }
        catch (RefusedException wrong)
        {
            // The parameters behind the query: the place is in their own JSON.
            return new QueryCheck(named) { Error = new RqlException(text, text.Length, wrong.Message) };
        }
    }

    /// <summary>What the query would be refused for as soon as it is asked.</summary>
    private static void Require(Database database, QueryInput input, QueryExplanation plan)
    {
        RqlQuery rql = input.Rql;
        if (!rql.IsIndex)
        {
            return;
        }

        if (rql.GroupBy.Count > 0)
        {
            throw QueryPlan.GroupsIndex(input);
        }

        if (plan.Index is not { KnownFields: not null } index)
        {
            return;
        }

        var names = IndexFieldNames.Of(
            index, database.Indexes.FindAnalyzer,
            name => index.OpenedStorage?.Search.Fields.Any(field => field.Name == name) == true);
        foreach (AutoField field in plan.IndexFields)
        {
            if (field is { Spatial: null, Vector: null, Aggregate: AggregateKind.None }
                && names.WhyUnknown(field.Path) is { } problem)
            {
                int place = input.Text.IndexOf(field.Path, StringComparison.Ordinal);
                throw new RqlException(input.Text, Math.Max(0, place), problem);
            }
        }
    }

    /// <summary>The names behind <c>$</c> outside of quotes and comments, in queries and in their scripts.</summary>
    private static List<string> ParametersIn(string text)
    {
        List<string> names = [];
        HashSet<string> known = new(StringComparer.Ordinal);
        HashSet<string>.AlternateLookup<ReadOnlySpan<char>> seen = known.GetAlternateLookup<ReadOnlySpan<char>>();
        int at = 0;
        while (at < text.Length)
        {
            char one = text[at];
            if (one is '\'' or '"')
            {
                at = EndOfQuoted(text, at);
            }
            else if (one == '/' && at + 1 < text.Length && text[at + 1] is '/' or '*')
            {
                at = EndOfComment(text, at);
            }
            else if (one == '$' && (at == 0 || !IsNamePart(text[at - 1])))
            {
                int end = EndOfName(text, at + 1);
                if (end > at + 1 && !char.IsAsciiDigit(text[at + 1]) && seen.Add(text.AsSpan(at + 1, end - at - 1)))
                {
                    names.Add(text[(at + 1)..end]);
                    if (names.Count > ParametersMax)
                    {
                        throw new RqlException(
                            text, at, $"a check looks at {ParametersMax} parameters at most, and the query has more");
                    }
                }

                at = end;
            }
            else
            {
                at++;
            }
        }

        return names;
    }

    private static int EndOfName(string text, int at)
    {
        while (at < text.Length && IsNamePart(text[at]))
        {
            at++;
        }

        return at;
    }

    private static int EndOfQuoted(string text, int at)
    {
        char quote = text[at++];
        while (at < text.Length && text[at] != quote)
        {
            at += text[at] == '\\' ? 2 : 1;
        }

        return Math.Min(at + 1, text.Length);
    }

    private static int EndOfComment(string text, int at)
    {
        bool isLine = text[at + 1] == '/';
        int end = text.IndexOf(isLine ? "\n" : "*/", at + 2, StringComparison.Ordinal);
        return end < 0 ? text.Length : end + (isLine ? 1 : 2);
    }

    private static bool IsNamePart(char one) => char.IsLetterOrDigit(one) || one is '_' or '$';
}
