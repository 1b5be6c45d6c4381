using System.Text;
using System.Text.RegularExpressions;
using Raven.Blittable.Contexts;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Auto;
using Raven.Documents.Patching;
using Raven.Documents.Queries.Results;
using Raven.Documents.Queries.Rql;
using Raven.Search.Queries;

namespace Raven.Documents.Queries.Filters;

//   FILT-1  A condition after 'filter' means the same as after 'where': texts are equal in any case unless exact() says
//           otherwise, a path through arrays has many values, a missing value equals nothing.
//   FILT-2  In addition, both sides of a comparison may be fields, also of loaded documents, and functions that the
//           query declares may be called.

/// <summary>Whether results meet the condition of <c>filter</c>, checked in each. One query, one thread.</summary>
internal sealed class ResultFilter : IDisposable
{
    private const string Functions = "startsWith, endsWith, regex, exact, boost, exists, intersect and when";

    private static readonly TimeSpan RegexTimeMax = TimeSpan.FromSeconds(1);

    private readonly QueryInput _input;
    private readonly QuerySession _session;
    private readonly LoadedDocuments _loaded;
    private readonly OperationContext _kept;
    private readonly OperationContext _scratch;
    private readonly Func<string, QueryScript> _compile;
    private readonly List<QueryScript> _scripts = [];
    private readonly FilterValueReader _reader = new();
    private readonly List<BlittableValue> _stored = [];
    private readonly Func<bool> _isMet;
    private QueryHit _hit;
    private BlittableObject _data;
    private BlittableValue _result;

    /// <summary>Makes the filter of a query.</summary>
    /// <param name="session">The query.</param>
    /// <param name="services">Runs scripts.</param>
    /// <param name="kept">Memory that lives as long as the filter.</param>
    /// <param name="scratch">Memory of one result; the filter resets it.</param>
    /// <param name="includes">Takes what scripts include; null if nothing is sent along.</param>
    /// <exception cref="RqlException">The condition cannot be checked without an index.</exception>
    internal ResultFilter(
        QuerySession session, QueryServices services, OperationContext kept, OperationContext scratch,
        IScriptIncludes? includes)
    {
        _session = session;
        _input = session.Input;
        _kept = kept;
        _scratch = scratch;
        _loaded = new LoadedDocuments(session, scratch, services.HashSeed);
        _compile = text => new QueryScript(
            _input, text, _loaded, scratch, services.Scripts,
            new QueryScriptHost(
                session, scratch, includes, new ScriptTextReservation(services.Scripts.Texts, waits: false)),
            session.Cancellation);
        try
        {
            _isMet = Condition(_input.Rql.Filter!, isExact: false);
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <summary>Whether a result meets the condition.</summary>
    internal bool IsMet(in QueryHit hit)
    {
        _hit = hit;
        _result = default;
        try
        {
            if (hit.TryGetData(_scratch, out BlittableObject data))
            {
                _data = data;
                _result = data.AsValue();
            }

            return _isMet();
        }
        finally
        {
            _scratch.Reset();
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _scripts.ForEach(script => script.Dispose());

    private Func<bool> Condition(RqlExpression expression, bool isExact)
    {
        switch (expression)
        {
            case RqlLogical logical:
                Func<bool> left = Condition(logical.Left, isExact);
                Func<bool> right = Condition(logical.Right, isExact);
                return logical.IsAnd ? () => left() && right() : () => left() || right();
            case RqlNot not:
                Func<bool> inner = Condition(not.Inner, isExact);
                return () => !inner();
            case RqlComparison comparison:
                return Comparison(comparison, isExact);
            case RqlBetween between:
                return Between(between, isExact);
            case RqlIn list:
                return In(list, isExact);
            case RqlLiteral { Value: bool isTrue }:
                return () => isTrue;
            case RqlCall call:
                return Call(call, isExact);
            default:
                throw Error(expression, "expected a condition");
        }
    }

    private Func<bool> Comparison(RqlComparison comparison, bool isExact)
    {
        Action<List<FilterValue>> left = Operand(comparison.Left, isExact);
        Action<List<FilterValue>> right = Operand(comparison.Right, isExact);
        List<FilterValue> ours = [];
        List<FilterValue> others = [];
        if (comparison.Sign is not ("=" or "!=") && IsOpen(comparison.Right, comparison.Sign[0] == '<'))
        {
            return () => true;
        }

        Func<int, bool> isSo = comparison.Sign switch
        {
            "<" => order => order < 0,
            "<=" => order => order <= 0,
            ">" => order => order > 0,
            ">=" => order => order >= 0,
            _ => order => order == 0,
        };
        bool isNegated = comparison.Sign == "!=";
        bool isRange = comparison.Sign is not ("=" or "!=");
        return () =>
        {
            Fill(ours, left);
            Fill(others, right);
            return Any(ours, others, isSo, isRange) != isNegated;
        };
    }

    private Func<bool> Between(RqlBetween between, bool isExact)
    {
        Action<List<FilterValue>> field = Operand(between.Field, isExact);
        Action<List<FilterValue>> lower = Operand(between.Lower, isExact);
        Action<List<FilterValue>> upper = Operand(between.Upper, isExact);
        List<FilterValue> ours = [];
        List<FilterValue> from = [];
        List<FilterValue> to = [];
        bool isFromOpen = IsOpen(between.Lower, isUpper: false);
        bool isToOpen = IsOpen(between.Upper, isUpper: true);
        return () =>
        {
            Fill(ours, field);
            Fill(from, lower);
            Fill(to, upper);
            return (isFromOpen && isToOpen) || ours.Exists(value =>
                (isFromOpen || (from.Count == 1 && value.TryCompare(from[0], isRange: true, out int low) && low >= 0))
                && (isToOpen || (to.Count == 1 && value.TryCompare(to[0], isRange: true, out int high) && high <= 0)));
        };
    }

    /// <summary>Whether a bound is open, as it is the same for all results.</summary>
    private bool IsOpen(RqlExpression bound, bool isUpper) => bound is RqlLiteral or RqlParameter
        && RqlComparisons.IsOpen(_session.Translator.Evaluate(bound), isUpper);

    private Func<bool> In(RqlIn list, bool isExact)
    {
        Action<List<FilterValue>> field = Operand(list.Field, isExact);
        Action<List<FilterValue>>[] items = [.. list.Values.Select(value => Operand(value, isExact))];
        List<FilterValue> ours = [];
        List<FilterValue> wanted = [];
        return () =>
        {
            Fill(ours, field);
            wanted.Clear();
            foreach (Action<List<FilterValue>> item in items)
            {
                item(wanted);
            }

            int found = 0;
            foreach (FilterValue value in wanted)
            {
                found += ours.Exists(one => one.TryCompare(value, isRange: false, out int order) && order == 0) ? 1 : 0;
            }

            return list.IsAll ? found == wanted.Count && found > 0 : found > 0;
        };
    }

    private Func<bool> Call(RqlCall call, bool isExact)
    {
        if (QueryScript.IsDeclared(_input.Rql, call))
        {
            Action<List<FilterValue>> function = Operand(call, isExact);
            List<FilterValue> results = [];
            return () =>
            {
                Fill(results, function);
                return results.Count == 1 && results[0].IsTrue;
            };
        }

        switch (call.Name.ToLowerInvariant())
        {
            case "startswith" when call.Arguments.Count == 2:
                return Texts(call, isExact, (text, part) => text.StartsWith(part));
            case "endswith" when call.Arguments.Count == 2:
                return Texts(call, isExact, (text, part) => text.EndsWith(part));
            case "regex" when call.Arguments.Count == 2:
                return Matching(call, isExact);
            case "exists" when call.Arguments.Count == 1:
                Action<List<FilterValue>> field = Operand(call.Arguments[0], isExact);
                List<FilterValue> values = [];
                return () =>
                {
                    Fill(values, field);
                    return values.Count > 0;
                };
            case "boost" when call.Arguments.Count == 2:
                return Condition(call.Arguments[0], isExact);
            case "exact" when call.Arguments.Count == 1:
                return Condition(call.Arguments[0], isExact: true);
            case "intersect":
                Func<bool>[] all = [.. call.Arguments.Select(one => Condition(one, isExact))];
                return () => Array.TrueForAll(all, one => one());
            case "when" when call.Arguments.Count == 2:
                return _session.Translator.IsMet(call.Arguments[0])
                    ? Condition(call.Arguments[1], isExact)
                    : () => true;
            default:
                throw Error(
                    call, $"'{call.Name}' cannot be looked up in results; there are {Functions} and the functions that "
                    + "the query declares: what needs an index stands behind 'where'");
        }
    }

    private Func<bool> Texts(RqlCall call, bool isExact, SpanTest isLike)
    {
        Action<List<FilterValue>> field = Operand(call.Arguments[0], isExact);
        Action<List<FilterValue>> part = Operand(call.Arguments[1], isExact);
        List<FilterValue> ours = [];
        List<FilterValue> parts = [];
        return () =>
        {
            Fill(ours, field);
            Fill(parts, part);
            foreach (FilterValue value in ours)
            {
                foreach (FilterValue one in parts)
                {
                    if (value.Kind == FilterValueKind.Text && one.Kind == FilterValueKind.Text
                        && isLike(value.Text.Span, one.Text.Span))
                    {
                        return true;
                    }
                }
            }

            return false;
        };
    }

    private Func<bool> Matching(RqlCall call, bool isExact)
    {
        Action<List<FilterValue>> field = Operand(call.Arguments[0], isExact);
        Regex regex;
        try
        {
            string pattern = _session.Translator.Evaluate(call.Arguments[1]) as string
                ?? throw Error(call.Arguments[1], "expected a text");
            SearchQuery.ThrowIfTooLong(pattern);
            regex = new Regex(
                pattern, RegexOptions.NonBacktracking | RegexOptions.CultureInvariant, RegexTimeMax);
        }
        catch (Exception refused) when (refused is ArgumentException or NotSupportedException)
        {
            throw Error(call.Arguments[1], $"the regular expression is refused: {refused.Message}");
        }

        List<FilterValue> ours = [];
        return () =>
        {
            Fill(ours, field);
            return ours.Exists(value => value.Kind == FilterValueKind.Text
                && regex.IsMatch(Encoding.UTF8.GetString(value.Text.Span)));
        };
    }

    private Action<List<FilterValue>> Operand(RqlExpression expression, bool isExact)
    {
        if (expression is RqlCall call && QueryScript.IsDeclared(_input.Rql, call))
        {
            QueryScript script = _compile($"return {QueryScript.TextOf(_input, call)};");
            _scripts.Add(script);
            return values => _reader.Add(values, script.Run(in _hit), isExact, _scratch.Arena);
        }

        if (IndexFieldNames.PathOf(expression, _input.Rql) is { } path)
        {
            return Field(path, isExact);
        }

        List<FilterValue> constants = [];
        _reader.Add(constants, _session.Translator.Evaluate(expression), isExact, _kept.Arena);
        return values => values.AddRange(constants);
    }

    private Action<List<FilterValue>> Field(string path, bool isExact)
    {
        if (path == IndexFieldNames.Id)
        {
            return values =>
            {
                if (_hit.HasDocument)
                {
                    values.Add(_reader.Text(_hit.Document.Id.Span, isExact: false, _scratch.Arena));
                }
            };
        }

        int alias = _loaded.TakeAlias(ref path);
        var reader = new FieldPath(path);
        bool isOfMetadata = WholeMetadata.IsAsked(path);
        bool hasDurations = alias < 0 && _session.Reader?.HasDurations(path) == true;
        return values =>
        {
            _stored.Clear();
            if (alias < 0)
            {
                StoredDocument own = _hit.Document;
                reader.Collect(
                    isOfMetadata && _hit.HasDocument ? WholeMetadata.Of(in own, _scratch) : _result, _stored);
            }
            else if (!_result.IsNull)
            {
                foreach (StoredDocument document in _loaded.Load(alias, _data))
                {
                    StoredDocument loaded = document;
                    reader.Collect(
                        isOfMetadata ? WholeMetadata.Of(in loaded, _scratch) : document.Data.AsValue(), _stored);
                }
            }

            foreach (BlittableValue value in _stored)
            {
                _reader.Add(values, value, isExact, _scratch.Arena, hasDurations);
            }
        };
    }

    private static void Fill(List<FilterValue> values, Action<List<FilterValue>> operand)
    {
        values.Clear();
        operand(values);
    }

    private static bool Any(
        List<FilterValue> left, List<FilterValue> right, Func<int, bool> isSo, bool isRange)
    {
        foreach (FilterValue one in left)
        {
            foreach (FilterValue other in right)
            {
                if (one.TryCompare(other, isRange, out int order) && isSo(order))
                {
                    return true;
                }
            }
        }

        return false;
    }

    private RqlException Error(RqlExpression place, string problem) => new(_input.Text, place.Position, problem);

    private delegate bool SpanTest(ReadOnlySpan<byte> text, ReadOnlySpan<byte> part);
}
