using System.Globalization;
using System.Text;
using Raven.Documents.Queries.Rql;
using Raven.Search.Queries;

namespace Raven.Documents.Queries;

//   clauses := clause { [ "AND" | "&&" | "OR" | "||" ] clause }
//   clause  := [ "+" | "-" | "!" | "NOT" ] [ field ":" ] ( "(" clauses ")" | term ) [ "^" number ]
//   term    := word [ "~" [ number ] ] | '"' words '"' [ "~" number ] | "/" regex "/"
//            | ( "[" | "{" ) bound "TO" bound ( "]" | "}" )
//
// A backslash makes the character after it an ordinary one. AND makes the clauses on its two sides required, OR and
// no operator leave them as they are; an optional clause must be met if no clause is required, and else only adds to
// the score.

/// <summary>
/// Parses the text of <c>lucene(field, 'text')</c>, in the query-string syntax of Lucene as its documentation describes
/// it. A text of only forbidden clauses finds everything that it does not forbid.
/// </summary>
internal sealed class LuceneText
{
    private const int DepthMax = 64;
    private const int EditsMax = 2;

    /// <summary>The characters that end a word if no backslash is before them.</summary>
    private const string Special = " \t\r\n()[]{}\"^~:";

    private readonly string _text;
    private readonly string _path;
    private readonly bool _isExact;
    private readonly IndexFieldNames _names;
    private readonly SearchQuery _query;
    private readonly Func<string, RqlException> _error;
    private int _at;
    private int _clauses;

    /// <summary>Makes a parser of one text.</summary>
    /// <param name="text">The text.</param>
    /// <param name="path">The field of clauses that name no other.</param>
    /// <param name="isExact">Whether values are compared exactly, and words not analyzed.</param>
    /// <param name="names">The names of the fields in the index.</param>
    /// <param name="query">Takes the conditions.</param>
    /// <param name="error">Makes the exception for an error in the text.</param>
    internal LuceneText(
        string text, string path, bool isExact, IndexFieldNames names, SearchQuery query,
        Func<string, RqlException> error)
    {
        _text = text;
        _path = path;
        _isExact = isExact;
        _names = names;
        _query = query;
        _error = error;
    }

    private enum Occurrence
    {
        Wanted,
        Needed,
        Forbidden,
    }

    private char Next => _at < _text.Length ? _text[_at] : '\0';

    private bool IsAtEnd => _at >= _text.Length;

    /// <summary>Translates the text.</summary>
    /// <returns>The root of its conditions.</returns>
    /// <exception cref="RqlException">The text is not valid.</exception>
    internal int Translate()
    {
        if (_text.Length > RqlTranslator.SearchLengthMax)
        {
            throw _error($"expected a text of no more than {RqlTranslator.SearchLengthMax} characters");
        }

        int node = Clauses(field: null, depth: 0);
        return IsAtEnd ? node : throw Fail($"expected the end, not '{Next}'");
    }

    private int Clauses(string? field, int depth)
    {
        if (depth > DepthMax)
        {
            throw Fail($"expected no more than {DepthMax} parentheses in one another");
        }

        List<(Occurrence Occurrence, int Node)> clauses = [];
        for (SkipSpace(); !IsAtEnd && Next != ')'; SkipSpace())
        {
            int operatorAt = _at;
            bool isAnd = TryTake("AND") || TryTake("&&");
            bool isJoined = isAnd || TryTake("OR") || TryTake("||");
            if (isJoined && clauses.Count == 0)
            {
                _at = operatorAt;
                throw Fail("expected a term before an operator");
            }

            Occurrence occurrence = ReadOccurrence();
            if (isAnd)
            {
                (Occurrence before, int node) = clauses[^1];
                clauses[^1] = (before == Occurrence.Wanted ? Occurrence.Needed : before, node);
                occurrence = occurrence == Occurrence.Wanted ? Occurrence.Needed : occurrence;
            }

            clauses.Add((occurrence, Clause(field, depth)));
        }

        return Combine(clauses);
    }

    private Occurrence ReadOccurrence()
    {
        SkipSpace();
        Occurrence occurrence = TryTake("+") ? Occurrence.Needed
            : TryTake("-") || TryTake("!") || TryTake("NOT") ? Occurrence.Forbidden : Occurrence.Wanted;
        SkipSpace();
        return occurrence;
    }

    private int Combine(List<(Occurrence Occurrence, int Node)> clauses)
    {
        if (clauses.Count == 0)
        {
            return _query.None();
        }

        int? needed = Join(clauses, Occurrence.Needed, _query.And);
        int? wanted = Join(clauses, Occurrence.Wanted, _query.Or);
        int? forbidden = Join(clauses, Occurrence.Forbidden, _query.Or);
        int node = (needed, wanted) switch
        {
            ({ } must, { } may) => _query.And(must, _query.Or(_query.All(), may)),
            _ => needed ?? wanted ?? _query.All(),
        };
        return forbidden is { } not ? _query.And(node, _query.Not(not)) : node;
    }

    private static int? Join(
        List<(Occurrence Occurrence, int Node)> clauses, Occurrence occurrence, Func<int, int, int> join)
    {
        int? joined = null;
        foreach ((Occurrence each, int node) in clauses)
        {
            if (each == occurrence)
            {
                joined = joined is { } before ? join(before, node) : node;
            }
        }

        return joined;
    }

    private int Clause(string? field, int depth)
    {
        if (++_clauses > RqlExpressionParser.ConditionsMax)
        {
            throw Fail($"expected no more than {RqlExpressionParser.ConditionsMax} terms");
        }

        int node;
        if (TryTake("("))
        {
            node = Clauses(field, depth + 1);
            Expect(')');
        }
        else
        {
            node = Next switch
            {
                '"' => Phrase(field),
                '[' or '{' => Range(field),
                '/' => Regex(field),
                _ => Word(field, depth),
            };
        }

        return TryTake("^") ? _query.Boost(node, (float)Number("a factor", 0, RqlTranslator.BoostMax)) : node;
    }

    private int Phrase(string? field)
    {
        string words = Quoted();
        int distance = TryTake("~") ? (int)Number("a distance", 0, 10_000) : 0;
        string name = FieldsOf(field).Words;
        return Spelled(words, text => _query.Phrase(name, _query.Value(text), distance));
    }

    private int Range(string? field)
    {
        bool includesLower = Next == '[';
        _at++;
        string? lower = Bound();
        SkipSpace();
        if (!TryTake("TO"))
        {
            throw Fail("expected TO between two bounds");
        }

        string? upper = Bound();
        SkipSpace();
        bool includesUpper = TryTake("]");
        if (!includesUpper)
        {
            Expect('}');
        }

        string name = FieldsOf(field).Values;
        if (lower is null && upper is null)
        {
            return _query.Exists(name);
        }

        // Two bounds are of one kind: numbers if both may be.
        bool isNumber = (lower is null || TryNumber(lower, out _)) && (upper is null || TryNumber(upper, out _));
        return _query.Range(
            name, Value(DateBound(lower, isBehind: !includesLower), isNumber), includesLower,
            Value(DateBound(upper, isBehind: includesUpper), isNumber), includesUpper);
    }

    /// <summary>Searches a date with a Z and without one, as comparisons do.</summary>
    private int Spelled(string text, Func<string, int> ask) =>
        _isExact || !QueryDate.TrySpell(text, out string plain, out string marked)
            ? ask(text)
            : _query.Or(ask(plain), ask(marked));

    private string? DateBound(string? bound, bool isBehind) =>
        _isExact || bound is null ? bound : QueryDate.BoundOf(bound, isBehind);

    private int Value(string? bound, bool isNumber) => bound is null ? SearchQuery.Unbounded
        : !isNumber ? _query.Value(bound)
        : long.TryParse(bound, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long integer)
            ? _query.Value(integer)
            : TryNumber(bound, out double number) ? _query.Value(number) : SearchQuery.Unbounded;

    /// <summary>A bound of a range; null for *, which is open.</summary>
    private string? Bound()
    {
        SkipSpace();
        if (Next == '"')
        {
            return Quoted();
        }

        int start = _at;
        var bound = new StringBuilder();
        for (; !IsAtEnd && !char.IsWhiteSpace(Next) && Next is not (']' or '}'); _at++)
        {
            _at += Next == '\\' && _at + 1 < _text.Length ? 1 : 0;
            bound.Append(Next);
        }

        return bound.Length == 0 ? throw Fail("expected a bound, or *")
            : _text.AsSpan(start, _at - start) is "*" ? null : bound.ToString();
    }

    private int Regex(string? field)
    {
        int start = ++_at;
        while (!IsAtEnd && Next != '/')
        {
            _at += Next == '\\' ? 2 : 1;
        }

        _at = Math.Min(_at, _text.Length);
        string pattern = _text[start.._at].Replace("\\/", "/", StringComparison.Ordinal);
        Expect('/');
        try
        {
            return _query.Regex(FieldsOf(field).Values, $"^(?:{pattern})$");
        }
        catch (ArgumentException refused)
        {
            throw Fail($"the regular expression is refused: {refused.Message}");
        }
    }

    private int Word(string? field, int depth)
    {
        string word = ReadWord(out bool hasWildcard, out bool isEscaped);
        if (word.Length == 0)
        {
            throw Fail(IsAtEnd ? "expected a term" : $"expected a term, not '{Next}'");
        }

        if (TryTake(":"))
        {
            if (field is not null)
            {
                throw Fail($"expected a term of the field '{field}', not another field");
            }

            SkipSpace();
            return word == "*" && TryTake("*") ? _query.All() : Clause(word, depth);
        }

        (string words, string values) = FieldsOf(field);
        if (TryTake("~"))
        {
            // Below one it is the similarity that words must have, as in older versions.
            double edits = char.IsAsciiDigit(Next) ? Number("a number of changes", 0, 1_000) : EditsMax;
            double changes = edits is > 0 and < 1 ? Math.Ceiling((1 - edits) * word.Length) : edits;
            return _query.Fuzzy(words, _query.Value(word.ToLowerInvariant()), (int)Math.Clamp(changes, 0, EditsMax));
        }

        if (hasWildcard && isEscaped)
        {
            throw Fail("a word has * or ? both with a backslash and without one");
        }

        // In a search * and ? are wildcards, in a phrase they are ordinary characters.
        return hasWildcard && word == "*" ? _query.Exists(values)
            : isEscaped ? _query.Phrase(words, _query.Value(word), distance: 0)
            : Spelled(word, text => _query.Search(words, _query.Value(text), isAll: true));
    }

    /// <summary>Reads characters up to a special one; wildcards with a backslash are kept apart from
    /// those without.</summary>
    private string ReadWord(out bool hasWildcard, out bool isEscaped)
    {
        hasWildcard = false;
        isEscaped = false;
        var word = new StringBuilder();
        for (; !IsAtEnd && !Special.Contains(Next, StringComparison.Ordinal); _at++)
        {
            bool isPlain = Next == '\\' && _at + 1 < _text.Length;
            _at += isPlain ? 1 : 0;
            bool isWildcard = Next is '*' or '?';
            hasWildcard |= isWildcard && !isPlain;
            isEscaped |= isWildcard && isPlain;
            word.Append(Next);
        }

        return word.ToString();
    }

    private string Quoted()
    {
        var words = new StringBuilder();
        for (_at++; !IsAtEnd && Next != '"'; _at++)
        {
            _at += Next == '\\' && _at + 1 < _text.Length ? 1 : 0;
            words.Append(Next);
        }

        Expect('"');
        return words.ToString();
    }

    private double Number(string what, double least, double most)
    {
        int start = _at;
        while (char.IsAsciiDigit(Next) || Next == '.')
        {
            _at++;
        }

        return TryNumber(_text.AsSpan(start, _at - start), out double number) && number >= least && number <= most
            ? number
            : throw Fail($"expected {what} from {least} to {most}");
    }

    private static bool TryNumber(ReadOnlySpan<char> text, out double number) => double.TryParse(
        text, NumberStyles.AllowLeadingSign | NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out number);

    /// <summary>Takes a sign, or a keyword that ends where another token may begin.</summary>
    private bool TryTake(string expected)
    {
        if (!_text.AsSpan(_at).StartsWith(expected, StringComparison.Ordinal))
        {
            return false;
        }

        int end = _at + expected.Length;
        if (char.IsAsciiLetter(expected[0]) && end < _text.Length && !char.IsWhiteSpace(_text[end])
            && _text[end] is not ('(' or '"'))
        {
            return false;
        }

        _at = end;
        return true;
    }

    private void Expect(char expected)
    {
        if (Next != expected)
        {
            throw Fail(IsAtEnd ? $"expected '{expected}' at its end" : $"expected '{expected}', not '{Next}'");
        }

        _at++;
    }

    private void SkipSpace()
    {
        while (char.IsWhiteSpace(Next))
        {
            _at++;
        }
    }

    /// <summary>The fields of the index with the words and the values of a field that the text names, or of the
    /// default one.</summary>
    private (string Words, string Values) FieldsOf(string? field)
    {
        string path = field ?? _path;
        string? why = path != _path && _names.IsAuto
            ? $"without an index lucene() asks '{_path}' alone: ask '{path}' by a condition of its own"
            : _names.WhyUnsearched(path);
        return why is not null ? throw _error(why)
            : _isExact ? (_names.Exact(path), _names.Exact(path)) : (_names.Search(path), _names.Plain(path));
    }

    private RqlException Fail(string problem) => _error($"character {_at + 1} of the text of lucene(): {problem}");
}
