using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Queries.Rql;
using Raven.Search;
using Raven.Search.Fields;
using Raven.Search.Queries;

namespace Raven.Documents.Queries;

/// <summary>
/// Translates the conditions and the order of a query for the search engine. Fields for full text and for exact values
/// are beside the plain one in an index: search(Name), exact(Name).
/// </summary>
internal sealed class RqlTranslator
{
    private const string FunctionNames = "search, boost, exact, startsWith, endsWith, regex, lucene, exists, fuzzy, "
        + "proximity, intersect, fuse, when, vector.search and spatial.within, contains, disjoint and intersects";

    /// <summary>The largest factor of a boost.</summary>
    internal const double BoostMax = 1_000_000;

    /// <summary>The longest text whose words are searched, in characters.</summary>
    internal const int SearchLengthMax = 1 << 16;

    /// <summary>The most conditions of a fusion.</summary>
    private const int FusedMax = 16;

    /// <summary>How many entries each condition of a fusion ranks at least.</summary>
    private const int RankedMin = 100;

    private readonly string _text;
    private readonly RqlQuery _rql;
    private readonly IReadOnlyDictionary<string, object?> _parameters;
    private readonly SearchQuery _query;
    private readonly IndexFieldNames _names;
    private readonly RqlSpatial _spatial;
    private bool _isExact;

    /// <summary>Makes a translator of one query.</summary>
    /// <param name="text">The text of the query, for errors.</param>
    /// <param name="rql">The same, parsed.</param>
    /// <param name="parameters">Values by name: null, bool, long, double, string, or a list of these.</param>
    /// <param name="query">Takes the conditions.</param>
    /// <param name="names">The names of the fields in the index.</param>
    internal RqlTranslator(
        string text, RqlQuery rql, IReadOnlyDictionary<string, object?> parameters, SearchQuery query,
        IndexFieldNames? names = null)
    {
        _names = names ?? IndexFieldNames.OfAuto;
        _text = text;
        _rql = rql;
        _parameters = parameters;
        _query = query;
        _spatial = new RqlSpatial(text, ValueOf);
    }

    /// <summary>Finds the sorters that users wrote.</summary>
    internal Func<string, FieldComparator?> Sorters { get; init; } = _ => null;

    /// <summary>The fields that the index has.</summary>
    internal IReadOnlyList<IndexField> Fields { get; init; } = [];

    /// <summary>How many of the nearest vectors are found if the query does not say.</summary>
    internal int Nearest { get; set; } = RqlVectors.NearestDefault;

    /// <summary>The place of the value of the last condition on vectors, for errors of the search; -1
    /// without one.</summary>
    internal int VectorsAt { get; private set; } = -1;

    /// <summary>Gives the values of functions: <c>now()</c>, <c>today()</c>, <c>cmpxchg(key)</c>.</summary>
    internal QueryFunctions? Functions { get; init; }

    /// <summary>Translates the conditions; without any, every entry is found.</summary>
    /// <returns>The root of the query.</returns>
    /// <exception cref="RqlException">A function, a value or a parameter is not valid.</exception>
    internal int Where() => _rql.Where is null ? _query.All() : Condition(_rql.Where);

    /// <summary>Translates a condition that is not the one of the query: a range of a facet.</summary>
    internal int Translate(RqlExpression condition) => Condition(condition);

    /// <summary>The value of an expression: null, bool, long, double, string or a list.</summary>
    internal object? Evaluate(RqlExpression expression) => ValueOf(expression);

    /// <summary>The field of the index that an expression names.</summary>
    internal string FieldOf(RqlExpression expression) => NameOf(expression);

    /// <summary>The field of the index whose values are counted.</summary>
    /// <exception cref="RqlException">The index has no values of it.</exception>
    internal string CountedFieldOf(RqlExpression expression) =>
        IndexFieldNames.PathOf(expression, _rql) is { } path && _names.WhyUncounted(path) is { } problem
            ? throw Error(expression, problem)
            : NameOf(expression);

    /// <summary>The field of the index whose numbers are aggregated.</summary>
    /// <exception cref="RqlException">The index has no numbers of it.</exception>
    internal string NumbersFieldOf(RqlExpression expression) =>
        IndexFieldNames.PathOf(expression, _rql) is { } path && _names.WhyNoNumbers(path) is { } problem
            ? throw Error(expression, problem)
            : NameOf(expression);

    /// <summary>The field of the index with the words of an expression.</summary>
    internal string WordsOf(RqlExpression expression) => SearchName(expression);

    /// <summary>Whether a condition on parameters alone is true.</summary>
    internal bool IsMet(RqlExpression condition) => IsTrue(condition);

    /// <summary>Translates the order.</summary>
    internal void OrderBy(SearchRequest request)
    {
        RqlOrdering ordering = new(_text, _rql, this, _names, _spatial);
        ordering.AddTo(request);
        Measured = ordering.Measured ?? Measured;
    }

    /// <summary>The point that distances of results are measured from: that of the first order by distance, or the
    /// center of the first spatial condition; null without one.</summary>
    internal DistanceOrigin? Measured { get; private set; }

    /// <summary>Makes the condition of <c>moreLikeThis(...)</c>.</summary>
    internal Func<RqlCall, int>? MoreLikeThis { get; set; }

    /// <summary>The name of the user's sorter of a key; null if it has none.</summary>
    internal string? SorterOf(RqlOrder order) =>
        order.Expression is RqlCall { Arguments: [_, var name] } call && Is(call, "custom")
            ? ValueOf(name) as string
            : null;

    private RqlComparisons Comparisons => new(_text, ValueOf, _query, _isExact);

    private int Condition(RqlExpression expression)
    {
        switch (expression)
        {
            case RqlLogical { IsAnd: true } both:
                return _query.And(Condition(both.Left), Condition(both.Right));
            case RqlLogical either:
                return _query.Or(Condition(either.Left), Condition(either.Right));
            case RqlNot not:
                return _query.Not(Condition(not.Inner));
            case RqlComparison comparison:
                return Comparisons.Compare(comparison, NameOf(comparison.Left));
            case RqlBetween between:
                return Comparisons.Between(between, NameOf(between.Field));
            case RqlIn list:
                return Comparisons.In(list, NameOf(list.Field));
            case RqlLiteral { Value: bool isTrue }:
                return isTrue ? _query.All() : _query.None();
            case RqlCall call:
                return Call(call);
            default:
                throw Error(expression, "expected a condition");
        }
    }

    private int Call(RqlCall call)
    {
        if (RqlSpatial.RelationOf(call) is { } relation)
        {
            Expect(call, 2, 3);
            string place = PlaceName(call.Arguments[0]);
            double unit = KilometersPerUnitOf(call.Arguments[0]);
            Measured ??= _spatial.TryMeasure(call, place, unit);
            return _query.Spatial(place, _spatial.Filter(relation, call, unit));
        }

        switch (call.Name.ToLowerInvariant())
        {
            case "search":
                Expect(call, 2, 3);
                return Search(call);
            case "lucene":
                Expect(call, 2, 2);
                return new LuceneText(
                    String(call.Arguments[1]), PathOf(call.Arguments[0]), _isExact, _names, _query,
                    problem => Error(call.Arguments[1], problem)).Translate();
            case "startswith":
                Expect(call, 2, 2);
                return StartsWith(NameOf(call.Arguments[0]), call.Arguments[1]);
            case "endswith":
                Expect(call, 2, 2);
                return _query.EndsWith(NameOf(call.Arguments[0]), Text(call.Arguments[1]));
            case "exists":
                Expect(call, 1, 1);
                return Exists(call.Arguments[0]);
            case "regex":
                Expect(call, 2, 2);
                return Regex(call);
            case "boost":
                Expect(call, 2, 2);
                return _query.Boost(Condition(call.Arguments[0]), BoostOf(call.Arguments[1]));
            case "exact":
                Expect(call, 1, 1);
                return Exact(call.Arguments[0]);
            case "fuzzy":
                Expect(call, 2, 2);
                return Fuzzy(call);
            case "proximity":
                Expect(call, 2, 2);
                return Proximity(call);
            case "intersect":
                Expect(call, 1, int.MaxValue);
                return Intersect(call.Arguments);
            case "fuse":
                Expect(call, 2, FusedMax);
                return Fuse(call.Arguments);
            case RqlVectors.Function:
                Expect(call, 2, 4);
                VectorsAt = call.Arguments[1].Position;
                return new RqlVectors(_text, _rql, _names, ValueOf).Translate(
                    call, _query, Nearest, _isExact, Fields);
            case "morelikethis" when MoreLikeThis is { } like:
                return like(call);
            case "when":
                Expect(call, 2, 2);
                return IsTrue(call.Arguments[0]) ? Condition(call.Arguments[1]) : _query.All();
            default:
                throw Error(call, $"'{call.Name}' is no condition; there are {FunctionNames}");
        }
    }

    /// <summary>Searches a date with a Z and without one, as comparisons do.</summary>
    private int Search(RqlCall call)
    {
        string field = SearchName(call.Arguments[0]);
        int words = Words(call.Arguments[1]);
        bool isAll = IsAnd(call);
        if (_isExact || !QueryDate.TrySpell(String(call.Arguments[1]), out string plain, out string marked))
        {
            return _query.Search(field, words, isAll);
        }

        return _query.Or(
            _query.Search(field, _query.Value(plain), isAll), _query.Search(field, _query.Value(marked), isAll));
    }

    /// <summary>Finds each condition of an intersection by itself, even if it is the only one: conditions beside the
    /// intersection then remove none of the nearest vectors.</summary>
    private int Intersect(IReadOnlyList<RqlExpression> conditions)
    {
        int first = Condition(conditions[0]);
        return conditions.Count == 1
            ? _query.Intersect(first, _query.Boost(_query.All(), 0))
            : conditions.Skip(1).Select(Condition).Aggregate(first, _query.Intersect);
    }

    /// <summary>Fuses the ranks of conditions: each of them ranks as many entries as the page reaches.</summary>
    private int Fuse(IReadOnlyList<RqlExpression> conditions)
    {
        int before = Nearest;
        Nearest = Math.Max(Nearest, RankedMin);
        int node = -1;
        foreach (RqlExpression condition in conditions)
        {
            // A fusion in another one is a condition of it: the boost keeps them apart.
            int one = _query.Boost(Condition(condition), 1);
            node = node < 0 ? one : _query.Fuse(node, one, Nearest);
        }

        Nearest = before;
        return node;
    }

    /// <summary>The factor of a boost, limited so that nested ones stay finite.</summary>
    private float BoostOf(RqlExpression expression) => Number(expression) is >= 0 and <= BoostMax and double factor
        ? (float)factor
        : throw Error(expression, $"expected a factor from 0 to {BoostMax}");

    private int StartsWith(string field, RqlExpression prefix) => _query.StartsWith(
        field, _query.Value(field == IndexFieldNames.Id ? IndexFieldNames.FoldId(String(prefix)) : String(prefix)));

    /// <summary>A field exists if it has a value, or vectors, which may be in a field beside it.</summary>
    private int Exists(RqlExpression expression)
    {
        string vectors = AutoVector.NameOf(PathOf(expression));
        int values = _query.Exists(NameOf(expression));
        return Fields.Any(field => field.Name == vectors) ? _query.Or(values, _query.Exists(vectors)) : values;
    }

    private bool IsAnd(RqlCall call)
    {
        if (call.Arguments.Count < 3)
        {
            return false;
        }

        return call.Arguments[2] is RqlField { Path: var word }
            && (word.Equals("and", StringComparison.OrdinalIgnoreCase)
                || word.Equals("or", StringComparison.OrdinalIgnoreCase))
            ? word.Equals("and", StringComparison.OrdinalIgnoreCase)
            : throw Error(call.Arguments[2], "expected 'and' or 'or'");
    }

    private int Regex(RqlCall call)
    {
        try
        {
            return _query.Regex(NameOf(call.Arguments[0]), String(call.Arguments[1]));
        }
        catch (ArgumentException refused)
        {
            throw Error(call.Arguments[1], $"the regular expression is refused: {refused.Message}");
        }
    }

    private int Exact(RqlExpression inner)
    {
        bool before = _isExact;
        _isExact = true;
        int node = Condition(inner);
        _isExact = before;
        return node;
    }

    /// <summary>fuzzy(Name = 'word', similarity): the similarity that words must have, as in older versions.</summary>
    private int Fuzzy(RqlCall call)
    {
        if (call.Arguments[0] is not RqlComparison { Sign: "=" } comparison)
        {
            throw Error(call.Arguments[0], "expected a field, '=' and a word");
        }

        double similarity = Number(call.Arguments[1]);
        return similarity is >= 0 and <= 1
            ? _query.Similar(
                NameOf(comparison.Left), _query.Value(String(comparison.Right)), (float)similarity)
            : throw Error(call.Arguments[1], "expected how alike they must be, from 0 to 1");
    }

    /// <summary>proximity(search(Name, 'words'), distance)</summary>
    private int Proximity(RqlCall call)
    {
        if (call.Arguments[0] is not RqlCall { Arguments.Count: >= 2 } inner || !Is(inner, "search"))
        {
            throw Error(call.Arguments[0], "expected 'search(field, words)'");
        }

        string words = String(inner.Arguments[1]);
        if (words.AsSpan().IndexOfAny('*', '?') >= 0)
        {
            throw Error(inner.Arguments[1], "proximity() compares words as they are: it takes no * and no ?");
        }

        if (words.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries).Length < 2)
        {
            throw Error(inner.Arguments[1], "proximity() needs two words or more to search for");
        }

        double given = Number(call.Arguments[1]);
        if (given < 0 || given != Math.Floor(given))
        {
            throw Error(call.Arguments[1], "expected a whole number of moves that is not negative");
        }

        int distance = (int)Math.Min(given, 10_000);
        return _query.Phrase(SearchName(inner.Arguments[0]), Words(inner.Arguments[1]), distance);
    }

    /// <summary>Whether a condition on parameters alone is true, so that another one counts.</summary>
    private bool IsTrue(RqlExpression condition)
    {
        switch (condition)
        {
            case RqlLogical logical:
                return logical.IsAnd ? IsTrue(logical.Left) && IsTrue(logical.Right)
                    : IsTrue(logical.Left) || IsTrue(logical.Right);
            case RqlNot not:
                return !IsTrue(not.Inner);
            case RqlLiteral or RqlParameter:
                return ValueOf(condition) is true;
            case RqlComparison { Sign: "=" or "!=" } comparison:
                return Equals(ValueOf(comparison.Left), ValueOf(comparison.Right)) == (comparison.Sign == "=");
            default:
                throw Error(condition, "expected a parameter, or '=' or '!=' between parameters and values");
        }
    }

    private string NameOf(RqlExpression expression)
    {
        string path = PathOf(expression);
        return _isExact ? _names.Exact(path) : _names.Plain(path);
    }

    /// <summary>How many kilometers the unit of a spatial field's radii and distances has.</summary>
    internal double KilometersPerUnitOf(RqlExpression field) =>
        IndexFieldNames.PathOf(field, _rql) is { } path ? _names.KilometersPerUnitOf(path) : 1;

    /// <summary>The name of a spatial field; in an automatic index, the function with its paths.</summary>
    internal string PlaceName(RqlExpression expression)
    {
        if (!_names.IsAuto)
        {
            return NameOf(expression);
        }

        return RqlSpatial.PlaceOf(expression, _rql)?.Name ?? throw Error(
            expression,
            "expected spatial.point(latitude, longitude) or spatial.wkt(text); fields that are places by themselves "
            + "are those of indexes that users define");
    }

    private string SearchName(RqlExpression expression) => _names.Search(PathOf(expression));

    private string PathOf(RqlExpression expression)
    {
        string path = IndexFieldNames.PathOf(expression, _rql) ?? throw Error(expression, "expected a field");
        return _names.WhyUnsearched(path) is { } problem ? throw Error(expression, problem) : path;
    }

    private int Text(RqlExpression expression) => _query.Value(String(expression));

    private int Words(RqlExpression expression) => String(expression) is { Length: <= SearchLengthMax } words
        ? _query.Value(words)
        : throw Error(expression, $"expected a text of no more than {SearchLengthMax} characters to search for");

    private string String(RqlExpression expression) =>
        ValueOf(expression) as string ?? throw Error(expression, "expected a text");

    private double Number(RqlExpression expression) => ValueOf(expression) switch
    {
        long integer => integer,
        double number => number,
        _ => throw Error(expression, "expected a number"),
    };

    private object? ValueOf(RqlExpression expression) => expression switch
    {
        RqlLiteral literal => literal.Value,
        RqlList list => list.Values,
        RqlParameter parameter => _parameters.TryGetValue(parameter.Name, out object? value)
            ? value
            : throw Error(parameter, $"the query has no parameter '${parameter.Name}'"),
        RqlCall call when Functions is { } functions && QueryFunctions.IsOne(call) => functions.ValueOf(
            call, call.Arguments is [var argument] ? ValueOf(argument) as string : null, _text),
        _ => throw Error(expression, "expected a value"),
    };

    /// <summary>Refuses a call that does not have so many arguments.</summary>
    internal void Expect(RqlCall call, int least, int most)
    {
        if (call.Arguments.Count < least || call.Arguments.Count > most)
        {
            string count = least == most ? $"{least}"
                : most == int.MaxValue ? $"at least {least}" : $"{least} to {most}";
            throw Error(call, $"'{call.Name}' takes {count} arguments, not {call.Arguments.Count}");
        }
    }

    private static bool Is(RqlCall call, string name) => call.Name.Equals(name, StringComparison.OrdinalIgnoreCase);

    private RqlException Error(RqlExpression place, string problem) => new(_text, place.Position, problem);
}
