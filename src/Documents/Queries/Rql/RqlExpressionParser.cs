using System.Globalization;
using System.Text;
using Raven.Documents.Indexing.Maps;

namespace Raven.Documents.Queries.Rql;

/// <summary>Parses conditions, fields, values and calls, by recursive descent.</summary>
internal sealed class RqlExpressionParser(RqlReader reader)
{
    /// <summary>The most conditions, and arguments of functions, of one query: they are walked by recursion, so that a
    /// query must not be as deep as it is long.</summary>
    internal const int ConditionsMax = 4096;

    private const int DepthMax = 128;

    /// <summary>A list of vectors is a list of lists.</summary>
    private const int ListDepthMax = 2;

    /// <summary>Functions whose first argument is a field.</summary>
    private static readonly HashSet<string> OfFields = new(StringComparer.OrdinalIgnoreCase)
    {
        "search", "lucene", "startsWith", "endsWith", "regex", "exists", "spatial.within", "spatial.contains",
        "spatial.disjoint", "spatial.intersects", "spatial.distance", "highlight", "suggest", "facet", "custom", "sum",
        "min", "max", "avg", "average", "array", RqlVectors.Function,
    };

    private int _depth;
    private int _conditions;

    /// <summary>Whether a field may name an item of a list: <c>Values[0]</c>.</summary>
    internal bool AllowsIndexes { get; set; }

    /// <summary>A condition: bool = and {"or" ["not"] and}</summary>
    internal RqlExpression Condition() => Disjunction(allowsOperand: false);

    /// <summary>A field, a value, or a call: an argument of a function, or an item of a projection.</summary>
    internal RqlExpression Operand()
    {
        RqlToken token = reader.Current;
        switch (token.Kind)
        {
            case RqlTokenKind.Text:
                reader.Take();
                return reader.Current.IsSign('.') ? FieldBehind(token) : new RqlLiteral(token.Position, token.Text);
            case RqlTokenKind.Integer:
                reader.Take();
                return new RqlLiteral(token.Position, long.Parse(token.Text, CultureInfo.InvariantCulture));
            case RqlTokenKind.Number:
                reader.Take();
                return new RqlLiteral(token.Position, LargeInteger.TryRead(token.Text, out Int128 large)
                    ? large
                    : double.Parse(token.Text, CultureInfo.InvariantCulture));
            case RqlTokenKind.Parameter:
                reader.Take();
                return new RqlParameter(token.Position, token.Text);
            case RqlTokenKind.Name:
                return NameOrCall();
            case RqlTokenKind.Sign when token.IsSign('['):
                return new RqlList(token.Position, List(0));
            case RqlTokenKind.Sign when token.IsSign('{'):
                return reader.TakeScript("an object");
            default:
                reader.Fail("expected a field or a value");
                return null!;
        }
    }

    /// <summary>A value after an operator.</summary>
    internal RqlExpression Value(string after)
    {
        if (reader.Current.Kind is RqlTokenKind.End or RqlTokenKind.Sign or RqlTokenKind.Comparison)
        {
            reader.Fail($"expected a value {after}");
        }

        return Operand();
    }

    /// <summary>An expression in the place of a field: a text in quotes is the name of one, which clients write if the
    /// name has other characters than letters, or is a keyword.</summary>
    internal RqlExpression AsField(RqlExpression expression)
    {
        if (expression is not RqlLiteral { Value: string name })
        {
            return expression;
        }

        if (!name.StartsWith("spatial.", StringComparison.OrdinalIgnoreCase))
        {
            return new RqlField(expression.Position, name);
        }

        try
        {
            return new RqlExpressionParser(new RqlReader(name)).Operand();
        }
        catch (RqlException inner)
        {
            reader.FailAt(expression.Position, $"the field in quotes cannot be read: {inner.Message}");
            throw;
        }
    }

    /// <summary>A condition, or as an argument also a single field or value.</summary>
    private RqlExpression Disjunction(bool allowsOperand)
    {
        if (reader.Current.IsWord("not"))
        {
            reader.Fail("expected a condition; for 'not' write 'exists(Field) and not ...'");
        }

        if (++_depth > DepthMax)
        {
            reader.Fail($"expected no more than {DepthMax} conditions in one another");
        }

        RqlExpression left = Conjunction(isNegated: false, allowsOperand);
        while (reader.Current.IsWord("or"))
        {
            int position = reader.Take().Position;
            left = new RqlLogical(position, false, left, Conjunction(reader.TryTakeWord("not"), allowsOperand));
        }

        _depth--;
        return left;
    }

    private RqlExpression Conjunction(bool isNegated, bool allowsOperand)
    {
        RqlExpression left = Negated(isNegated, Term(allowsOperand));
        while (reader.Current.IsWord("and"))
        {
            int position = reader.Take().Position;
            bool isNext = reader.TryTakeWord("not");
            left = new RqlLogical(position, true, left, Negated(isNext, Term(allowsOperand)));
        }

        return left;
    }

    private static RqlExpression Negated(bool isNegated, RqlExpression term) =>
        isNegated ? new RqlNot(term.Position, term) : term;

    private RqlExpression Term(bool allowsOperand)
    {
        if (++_conditions > ConditionsMax)
        {
            reader.Fail($"expected no more than {ConditionsMax} conditions and arguments");
        }

        if (reader.TryTakeSign('('))
        {
            RqlExpression inner = Condition();
            reader.TakeSign(')', "after the condition");
            return inner;
        }

        RqlExpression left = Operand();
        RqlToken next = reader.Current;
        if (next.Kind == RqlTokenKind.Comparison)
        {
            reader.Take();
            string sign = next.Text == "==" ? "=" : next.Text == "<>" ? "!=" : next.Text;
            RqlExpression right = Value($"after '{next.Text}'");
            return new RqlComparison(next.Position, RequireField(left, allowsOperand), sign, right);
        }

        if (reader.TryTakeWord("between"))
        {
            RqlExpression lower = Value("after 'between'");
            reader.TakeWord("and", "between the bounds");
            return new RqlBetween(next.Position, RequireField(left, allowsOperand), lower, Value("after 'and'"));
        }

        if (next.IsWord("in") || next.IsWord("all"))
        {
            bool isAll = reader.TryTakeWord("all");
            reader.TakeWord("in", "after 'all'");
            return new RqlIn(next.Position, RequireField(left, allowsOperand), Values(), isAll);
        }

        if (!allowsOperand && left is not (RqlCall or RqlLiteral { Value: bool }))
        {
            if (next.IsWord("like") || next.IsWord("contains"))
            {
                reader.Fail(
                    "expected a comparison: parts of a text are asked for by startsWith(Name, 'a'), "
                    + "endsWith(Name, 'a'), search(Name, '*a*') or regex(Name, 'a')");
            }

            if (next.IsWord("is"))
            {
                reader.Fail("expected a comparison: what is null is asked for by \"Name = null\"");
            }

            reader.Fail("expected a comparison, 'between' or 'in' after the field");
        }

        return left;
    }

    /// <summary>Refuses a value on the left side, unless the condition is on parameters, inside of when().</summary>
    private RqlExpression RequireField(RqlExpression left, bool allowsValue)
    {
        left = allowsValue ? left : AsField(left);
        if (!allowsValue && left is (RqlLiteral or RqlList or RqlParameter or RqlScript))
        {
            reader.FailAt(left.Position, "expected a field before the comparison, found a value");
        }

        return left;
    }

    private List<RqlExpression> Values()
    {
        reader.TakeSign('(', "after 'in'");
        List<RqlExpression> values = [];
        if (!reader.TryTakeSign(')'))
        {
            do
            {
                values.Add(reader.Current.IsSign('[') ? Operand() : Value("in the list"));
            }
            while (reader.TryTakeSign(','));
            reader.TakeSign(')', "after the values");
        }

        return values;
    }

    /// <summary>A list in brackets: it may have any number of items, which are values and not expressions.</summary>
    private List<object?> List(int depth)
    {
        if (depth == ListDepthMax)
        {
            reader.Fail("expected numbers: a list of lists has no lists in these");
        }

        reader.Take();
        List<object?> values = [];
        if (reader.TryTakeSign(']'))
        {
            return values;
        }

        do
        {
            RqlToken token = reader.Current;
            switch (token.Kind)
            {
                case RqlTokenKind.Integer:
                    values.Add(long.Parse(token.Text, CultureInfo.InvariantCulture));
                    reader.Take();
                    break;
                case RqlTokenKind.Number:
                    values.Add(double.Parse(token.Text, CultureInfo.InvariantCulture));
                    reader.Take();
                    break;
                case RqlTokenKind.Text:
                    values.Add(token.Text);
                    reader.Take();
                    break;
                default:
                    if (!token.IsSign('['))
                    {
                        reader.Fail("expected a number, a text or a list");
                    }

                    values.Add(List(depth + 1));
                    break;
            }
        }
        while (reader.TryTakeSign(','));
        reader.TakeSign(']', "after the list");
        return values;
    }

    private RqlExpression NameOrCall()
    {
        RqlToken first = reader.Current;
        bool isWord = !reader.Peek().IsSign('.') && !reader.Peek().IsSign('(');
        if (isWord && (first.IsWord("true") || first.IsWord("false") || first.IsWord("null")))
        {
            reader.Take();
            return new RqlLiteral(first.Position, first.IsWord("null") ? null : first.IsWord("true"));
        }

        reader.Take();
        return FieldBehind(first);
    }

    /// <summary>field = id { "." id | "[]" }, or a call if a parenthesis follows.</summary>
    private RqlExpression FieldBehind(RqlToken first)
    {
        StringBuilder path = new(first.Text);
        while (true)
        {
            if (reader.TryTakeSign('.'))
            {
                path.Append('.').Append(reader.Current.Kind is RqlTokenKind.Text or RqlTokenKind.Integer
                    ? reader.Take().Text
                    : reader.TakeName("a name after '.'"));
            }
            else if (reader.Current.IsSign('['))
            {
                reader.Take();
                path.Append('[');
                if (AllowsIndexes && reader.Current.Kind == RqlTokenKind.Integer)
                {
                    path.Append(reader.Take().Text);
                }

                reader.TakeSign(']', "after '['");
                path.Append(']');
            }
            else
            {
                break;
            }
        }

        string name = path.ToString();
        if (!reader.Current.IsSign('('))
        {
            return new RqlField(first.Position, name);
        }

        reader.Take();
        if (reader.Current.IsWord("from") && name.Equals(
            RqlTimeSeriesParser.Function, StringComparison.OrdinalIgnoreCase))
        {
            if (++_depth > DepthMax)
            {
                reader.Fail($"expected no more than {DepthMax} calls in one another");
            }

            RqlTimeSeries series = new RqlTimeSeriesParser(reader, this).Read();
            reader.TakeSign(')', "after the query of a time series");
            _depth--;
            return series with { Position = first.Position };
        }

        RqlCall call = new(first.Position, name, Arguments(name));
        if (RqlVectors.IsOne(call) && call.Arguments is [var field, ..] && RqlVectors.ProblemOf(field) is { } problem)
        {
            reader.FailAt(field.Position, problem);
        }

        return call.Arguments.Count == 0 && name.Equals("id", StringComparison.OrdinalIgnoreCase)
            ? new RqlField(first.Position, "id()")
            : call;
    }

    private List<RqlExpression> Arguments(string name)
    {
        List<RqlExpression> arguments = [];
        if (reader.TryTakeSign(')'))
        {
            return arguments;
        }

        if (++_depth > DepthMax)
        {
            reader.Fail($"expected no more than {DepthMax} calls in one another");
        }

        bool isFacet = name.Equals("facet", StringComparison.OrdinalIgnoreCase);
        do
        {
            RqlExpression argument = Disjunction(allowsOperand: true);
            bool isFirst = arguments.Count == 0;
            bool isOfParameters = isFirst && name.Equals("when", StringComparison.OrdinalIgnoreCase);
            argument = isOfParameters ? argument : WithFields(argument);
            argument = isFirst && OfFields.Contains(name) ? AsField(argument) : argument;
            arguments.Add(isFacet && argument is RqlCall && reader.TryTakeWord("as")
                ? new RqlAliased(argument.Position, argument, reader.TakeAlias())
                : argument);
        }
        while (reader.TryTakeSign(','));
        reader.TakeSign(')', "after the arguments");
        _depth--;
        return arguments;
    }

    /// <summary>A condition that is an argument, whose left sides are fields.</summary>
    private RqlExpression WithFields(RqlExpression argument) => argument switch
    {
        RqlLogical logical => logical with { Left = WithFields(logical.Left), Right = WithFields(logical.Right) },
        RqlNot not => not with { Inner = WithFields(not.Inner) },
        RqlComparison comparison => comparison with { Left = AsField(comparison.Left) },
        RqlBetween between => between with { Field = AsField(between.Field) },
        RqlIn list => list with { Field = AsField(list.Field) },
        _ => argument,
    };
}
