using System.Linq.Expressions;
using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Queries;

namespace Raven.Client.Documents.Linq;

/// <summary>
/// Translates a chain of LINQ calls to RQL, one after the other; refuses calls without a counterpart.
/// </summary>
/// <param name="query">The query that the chain begins with. It is changed.</param>
/// <param name="conventions">Names.</param>
internal sealed class QueryTranslator(PreparedQuery query, DocumentConventions conventions)
{
    private readonly RqlBuilder _rql = query.Rql;
    private LambdaExpression? _groupKey;
    private string? _arrayKey;
    private LambdaExpression? _let;
    private bool _isProjected = query.Rql.Select != null;
    private bool _isPaged = query.Rql.Skip != null || query.Rql.Take != null;

    internal PreparedQuery Query => query;

    internal RqlBuilder Rql => _rql;

    internal QueryOptions Options => query.Options;

    internal FieldTranslator Fields { get; } = new(query.Rql, conventions);

    /// <summary>The query of an expression that gives a list.</summary>
    internal PreparedQuery Translate(Expression expression)
    {
        Visit(expression);
        return End();
    }

    /// <summary>The query of an expression that gives one value.</summary>
    /// <param name="expression">The expression.</param>
    /// <param name="ending">The call that makes one value of the results, such as First.</param>
    internal PreparedQuery Translate(Expression expression, out string ending)
    {
        if (expression is not MethodCallExpression { Method.Name: var name } call || !IsEnding(call))
        {
            throw new NotSupportedException(
                $"'{expression}' cannot be translated: the server does not work out such a value. Ask for the list "
                + "first where it is to be done here.");
        }

        ending = name;
        switch (name)
        {
            case "Sum" or "Average":
                string path = Fields.PathOf(FieldOf(call).Body);
                _rql.Select = $"facet({(name == "Sum" ? "sum" : "avg")}({path}))";
                break;
            case "Min" or "Max":
                LambdaExpression field = FieldOf(call);
                OrderFirst(call, field, name == "Max");
                Project(field);
                _rql.Take = 1;
                break;
            case "Contains":
                Contain(call);
                break;
            default:
                Visit(call.Arguments[0]);
                if (call.Arguments.Count > 1)
                {
                    LambdaExpression predicate = Open(LambdaOf(call.Arguments[1]));
                    Where(call, name == "All" ? Not(predicate) : predicate, isExact: false);
                }

                break;
        }

        return End();
    }

    /// <summary>
    /// The field of an ending, only of results that have a value in it: its own selector, or that of the Select in
    /// front of it.
    /// </summary>
    private LambdaExpression FieldOf(MethodCallExpression call)
    {
        bool isSelected = call.Arguments.Count == 1;
        LambdaExpression selector = isSelected
            ? SelectorOf(call.Arguments[0]) ?? throw Refuse(call, "it is not said of which field")
            : LambdaOf(call.Arguments[1]);
        Visit(isSelected ? ((MethodCallExpression)call.Arguments[0]).Arguments[0] : call.Arguments[0]);
        RequireOpen(call.Method.Name, call);
        LambdaExpression field = Open(selector);
        string path = Fields.PathOf(field.Body);
        if (path != "id()")
        {
            // A field that does not exist is not equal to null for the server, either.
            _rql.And($"(exists({path}) and {path} != null)");
        }

        return field;
    }

    /// <summary>The lambda of a Select; null if an expression is none.</summary>
    private static LambdaExpression? SelectorOf(Expression expression) =>
        expression is MethodCallExpression { Method.Name: "Select" } select
        && select.Method.DeclaringType == typeof(Queryable) && Takes(select, 1) ? LambdaOf(select.Arguments[1]) : null;

    private static LambdaExpression Not(LambdaExpression predicate) =>
        Expression.Lambda(Expression.Not(predicate.Body), predicate.Parameters);

    /// <summary>
    /// Whether an item is among the results: a value of the field that is selected, or a document by its id.
    /// </summary>
    private void Contain(MethodCallExpression call)
    {
        if (SelectorOf(call.Arguments[0]) is { } selector)
        {
            Visit(((MethodCallExpression)call.Arguments[0]).Arguments[0]);
            LambdaExpression field = Open(selector);
            Expression equal = Expression.Equal(field.Body, Expression.Convert(call.Arguments[1], field.Body.Type));
            Where(call, Expression.Lambda(equal, field.Parameters), isExact: false);
            return;
        }

        Visit(call.Arguments[0]);
        object? item = ConstantOf(call.Arguments[1]);
        object? id = item is null ? null : conventions.Serializer.GetId(item);
        Where("Contains", id is null ? "false" : $"id() = {_rql.Parameter(id)}");
    }

    /// <summary>Adds a condition that is no lambda.</summary>
    internal void Where(string name, string condition)
    {
        RequireOpen(name, null);
        _rql.And(condition);
    }

    /// <summary>Adds a filter: a condition that is checked on each result.</summary>
    internal void Filter(LambdaExpression predicate, int limit)
    {
        RequireOpen(nameof(LinqExtensions.Filter), null);
        string condition = new ConditionTranslator(Fields, comparesFields: true).Translate(Open(predicate).Body);
        _rql.Filter = _rql.Filter is null ? condition : $"({_rql.Filter}) and ({condition})";
        if (limit != int.MaxValue)
        {
            _rql.FilterLimit = Math.Min(_rql.FilterLimit ?? limit, limit);
        }
    }

    /// <summary>Adds an order that is no lambda.</summary>
    internal void Order(string name, string key)
    {
        RequireOpen(name, null);
        _rql.OrderBy(key);
    }

    /// <summary>Begins a projection that is no lambda.</summary>
    internal void BeginProjection(string name)
    {
        if (_isProjected || _groupKey != null)
        {
            throw Refuse(name, null, "one Select is all that a query has");
        }

        _isProjected = true;
    }

    /// <summary>Groups by the values of a list.</summary>
    /// <param name="field">The list.</param>
    /// <param name="isContent">Whether all of it is one key; each of its values is a key otherwise.</param>
    internal void GroupByArray(LambdaExpression field, bool isContent)
    {
        const string name = nameof(LinqExtensions.GroupByArrayValues);
        RequireOpen(name, null);
        string path = Fields.PathOf(Open(field).Body);
        string values = path.Contains("[]", StringComparison.Ordinal) ? path : path + "[]";
        _groupKey = field;
        _arrayKey = isContent ? "key()" : values;
        _rql.GroupBy = isContent ? $"array({values})" : values;
    }

    private static bool IsEnding(MethodCallExpression call) =>
        call.Method.DeclaringType == typeof(Queryable) && (call.Method.Name switch
        {
            "First" or "FirstOrDefault" or "Single" or "SingleOrDefault" or "Any" or "Count" or "LongCount" or "Sum"
                or "Average" or "Min" or "Max" =>
                call.Arguments.Count == 1 || (call.Arguments.Count == 2 && IsLambda(call.Arguments[1])),
            "All" or "Contains" => call.Arguments.Count == 2,
            _ => false,
        });

    private static bool IsLambda(Expression expression) => FieldTranslator.Strip(expression) is LambdaExpression;

    private PreparedQuery End()
    {
        if (_groupKey != null)
        {
            throw new NotSupportedException(
                $"'{_groupKey}': a GroupBy has to be followed by a Select of its key and aggregates.");
        }

        CloseLet();
        return query;
    }

    /// <summary>Makes a projection of the last Select, which was taken for a <c>let</c>.</summary>
    private void CloseLet()
    {
        if (_let is { } last)
        {
            Project(last);
        }
    }

    private void Visit(Expression expression)
    {
        if (expression is ConstantExpression)
        {
            return;
        }

        if (expression is not MethodCallExpression call)
        {
            throw new NotSupportedException($"'{expression}' is no part of a query.");
        }

        Visit(call.Arguments[0]);
        if (QueryAnnotations.Of(call) is { } apply)
        {
            apply(this);
            return;
        }

        if (call.Method.DeclaringType != typeof(Queryable))
        {
            throw Refuse(call, "it has no translation");
        }

        switch (call.Method.Name)
        {
            case "Where" when Takes(call, 1):
                Where(call, Open(LambdaOf(call.Arguments[1])), isExact: false);
                break;
            case "OrderBy" or "ThenBy" when call.Arguments.Count == 2:
                Order(call, isDescending: false);
                break;
            case "OrderByDescending" or "ThenByDescending" when call.Arguments.Count == 2:
                Order(call, isDescending: true);
                break;
            case "Skip":
                _isPaged = true;
                _rql.Skip = (_rql.Skip ?? 0) + NumberOf(call);
                _rql.Take = _rql.Take is { } rest ? Math.Max(0, rest - NumberOf(call)) : null;
                break;
            case "Take":
                _isPaged = true;
                _rql.Take = Math.Min(_rql.Take ?? int.MaxValue, NumberOf(call));
                break;
            case "OfType" or "Cast" or "AsQueryable":
                break;
            case "Distinct" when call.Arguments.Count == 1:
                Distinct(call);
                break;
            case "Select" when Takes(call, 1):
                Select(call, Open(LambdaOf(call.Arguments[1])));
                break;
            case "GroupBy" when call.Arguments.Count == 2:
                Group(call, Open(LambdaOf(call.Arguments[1])));
                break;
            default:
                throw Refuse(call, "the server cannot do this; ask for the list first where it is to be done here");
        }
    }

    /// <summary>
    /// Whether a call has one lambda of so many parameters: Where and Select have others with an index.
    /// </summary>
    private static bool Takes(MethodCallExpression call, int parameters) =>
        call.Arguments.Count == 2 && LambdaOf(call.Arguments[1]).Parameters.Count == parameters;

    internal void Where(MethodCallExpression? call, LambdaExpression predicate, bool isExact)
    {
        RequireOpen("Where", call);
        string condition = new ConditionTranslator(Fields, isExact: isExact).Translate(predicate.Body);
        _rql.And(isExact ? $"exact({condition})"
            : condition.Contains(" or ", StringComparison.Ordinal) || _rql.HasWhere ? $"({condition})" : condition);
    }

    private void Order(MethodCallExpression call, bool isDescending)
    {
        RequireOpen(call.Method.Name, call);
        LambdaExpression key = Open(LambdaOf(call.Arguments[1]));
        if (call.Method.Name.StartsWith("OrderBy", StringComparison.Ordinal))
        {
            OrderFirst(call, key, isDescending);
        }
        else
        {
            OrderNext(call, key, isDescending);
        }
    }

    private void OrderFirst(MethodCallExpression call, LambdaExpression selector, bool isDescending)
    {
        _rql.BeginOrder();
        OrderNext(call, selector, isDescending);
    }

    private void OrderNext(MethodCallExpression call, LambdaExpression selector, bool isDescending)
    {
        Expression key = TextFold.Inside(selector.Body);
        string field = Fields.PathOf(key);
        if (Fields.OrderProblemOf(Fields.Read(key).Type) is { } problem)
        {
            throw Refuse(call, problem);
        }

        _rql.OrderBy(field + Fields.OrderSuffix(key) + (isDescending ? " desc" : ""));
    }

    private void Distinct(MethodCallExpression call)
    {
        CloseLet();
        if (!_isProjected)
        {
            throw Refuse(call, "documents are distinct; select the fields that are to be");
        }

        if (_isPaged)
        {
            throw Refuse(call, "it comes after Skip or Take");
        }

        _rql.IsDistinct = true;
    }

    private void Select(MethodCallExpression call, LambdaExpression selector)
    {
        if (_isProjected)
        {
            throw Refuse(call, "one Select is all that a query has");
        }

        if (selector.Body == selector.Parameters[0])
        {
            return;
        }

        if (_groupKey is null && LetReplacer.IsLet(selector))
        {
            _let = selector;
            return;
        }

        Project(selector);
    }

    private void Project(LambdaExpression selector)
    {
        _let = null;
        if (_groupKey is { } key)
        {
            _groupKey = null;
            _rql.Select = new GroupTranslator(Fields, key, _arrayKey).Translate(selector);
        }
        else
        {
            var projection = new ProjectionTranslator(Fields, _rql, selector);
            _rql.Select = projection.Translate();
            Options.SingleField = projection.SingleField;
        }

        _isProjected = true;
        Options.IsProjection = true;
    }

    /// <summary>Turns a lambda over the results so far into one over the document.</summary>
    private LambdaExpression Open(LambdaExpression lambda)
    {
        if (_let is not { } let)
        {
            return lambda;
        }

        Expression body = new LetReplacer(lambda.Parameters[0], let.Body).Visit(lambda.Body);
        return Expression.Lambda(body, let.Parameters);
    }

    private void Group(MethodCallExpression call, LambdaExpression key)
    {
        RequireOpen(call.Method.Name, call);
        if (GroupTranslator.KeysOf(key).Any(pair =>
            Conversions.PlainOf(Fields.Read(pair.Path).Type) == typeof(DateTimeOffset)))
        {
            throw Refuse(call, FieldTranslator.OffsetProblem);
        }

        _groupKey = key;
        _rql.GroupBy = string.Join(", ", GroupTranslator.KeysOf(key).Select(pair => Fields.PathOf(pair.Path)));
    }

    private void RequireOpen(string name, MethodCallExpression? call)
    {
        if (_isProjected || _groupKey != null || _isPaged)
        {
            throw Refuse(name, call, "it comes after Select, GroupBy, Skip or Take: write it before them");
        }
    }

    private static int NumberOf(MethodCallExpression call) => ConstantOf(call.Arguments[1]) is int number and >= 0
        ? number
        : throw Refuse(call, "it needs a number that is not negative");

    private static object? ConstantOf(Expression expression) => FieldTranslator.Evaluate(expression);

    private static LambdaExpression LambdaOf(Expression expression) =>
        expression is UnaryExpression { NodeType: ExpressionType.Quote, Operand: LambdaExpression quoted }
            ? quoted
            : (LambdaExpression)expression;

    private static NotSupportedException Refuse(MethodCallExpression call, string why) =>
        Refuse(call.Method.Name, call, why);

    private static NotSupportedException Refuse(string name, MethodCallExpression? call, string why) =>
        new($"{name} cannot be translated: {why}.{(call is null ? "" : $" The expression is '{call}'.")}");
}
