using System.Linq.Expressions;
using Raven.Client.Documents.Queries;
using Raven.Client.Json;

namespace Raven.Client.Documents.Linq;

/// <summary>Makes RQL of a chain of LINQ calls, each in its turn; refuses what has no meaning there.</summary>
internal sealed class QueryTranslator(RavenQueryProvider provider)
{
    private readonly RqlBuilder _rql = new() { Source = provider.Source, IsIndex = provider.IsIndex };
    private readonly QueryOptions _options = new()
    {
        Statistics = provider.Statistics, NoTracking = provider.IsUntracked, Wait = provider.Wait,
    };

    private LambdaExpression? _groupKey;
    private bool _isProjected;
    private bool _isOrdered;
    private bool _isPaged;

    private FieldTranslator Fields => new(_rql, provider.Session.Conventions);

    internal LinqQuery Translate(Expression expression)
    {
        var query = new LinqQuery(_rql, _options, provider.IsUncached);
        if (expression is MethodCallExpression { Method.Name: var name } call && IsEnding(name))
        {
            Visit(call.Arguments[0]);
            End(query, call);
        }
        else
        {
            Visit(expression);
        }

        if (_groupKey != null)
        {
            throw new NotSupportedException(
                $"'{_groupKey}': a GroupBy has to be followed by a Select of its key and aggregates.");
        }

        if (provider.RandomOrder is { } random)
        {
            _rql.OrderBy(random);
        }

        return query;
    }

    private static bool IsEnding(string name) =>
        name is "First" or "FirstOrDefault" or "Single" or "SingleOrDefault" or "Any" or "Count" or "LongCount";

    private void End(LinqQuery query, MethodCallExpression call)
    {
        if (call.Arguments.Count > 1)
        {
            Where(call, LambdaOf(call.Arguments[1]));
        }

        query.Ending = call.Method.Name;
        switch (call.Method.Name)
        {
            case "First" or "FirstOrDefault":
                _rql.Take = Math.Min(_rql.Take ?? 1, 1);
                break;
            case "Single" or "SingleOrDefault":
                _rql.Take = Math.Min(_rql.Take ?? 2, 2);
                break;
            default:
                if (_rql.IsDistinct)
                {
                    throw Refuse(call, "what is distinct is not counted by the server");
                }

                query.Counted = (_rql.Skip ?? 0, _rql.Take);
                _rql.Skip = null;
                _rql.Take = 0;
                break;
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
        switch (call.Method.Name)
        {
            case "Where":
                Where(call, LambdaOf(call.Arguments[1]));
                break;
            case "OrderBy" or "ThenBy":
                Order(call, isDescending: false);
                break;
            case "OrderByDescending" or "ThenByDescending":
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
            case "Distinct":
                Distinct(call);
                break;
            case "Select":
                Select(call, LambdaOf(call.Arguments[1]));
                break;
            case "GroupBy" when call.Arguments.Count == 2:
                Group(call, LambdaOf(call.Arguments[1]));
                break;
            default:
                VisitOurs(call);
                break;
        }
    }

    private void VisitOurs(MethodCallExpression call)
    {
        if (call.Method.DeclaringType != typeof(LinqExtensions))
        {
            throw Refuse(call, "the server cannot do this; ask for the list first where it is to be done here");
        }

        switch (call.Method.Name)
        {
            case nameof(LinqExtensions.Search):
                string field = Fields.PathOf(LambdaOf(call.Arguments[1]).Body);
                var operation = (SearchOperator)ConstantOf(call.Arguments[3])!;
                string terms = _rql.Parameter(ConstantOf(call.Arguments[2]));
                _rql.And($"search({field}, {terms}{(operation == SearchOperator.And ? ", and" : "")})");
                break;
            case nameof(LinqExtensions.Include):
                _rql.Include(call.Arguments[1] is ConstantExpression { Value: string path }
                    ? path
                    : MemberPath.Of(LambdaOf(call.Arguments[1])));
                break;
            case nameof(LinqExtensions.OfType):
                break;
            default:
                throw Refuse(call, "it has no translation");
        }
    }

    private void Where(MethodCallExpression call, LambdaExpression predicate)
    {
        RequireOpen(call);
        string condition = new ConditionTranslator(Fields).Translate(predicate.Body);
        _rql.And(_rql.HasWhere || condition.Contains(" or ", StringComparison.Ordinal) ? $"({condition})" : condition);
    }

    private void Order(MethodCallExpression call, bool isDescending)
    {
        RequireOpen(call);
        if (call.Method.Name.StartsWith("OrderBy", StringComparison.Ordinal) && _isOrdered)
        {
            _rql.ClearOrder();
        }

        _isOrdered = true;
        Expression key = LambdaOf(call.Arguments[1]).Body;
        _rql.OrderBy(Fields.PathOf(key) + FieldTranslator.OrderSuffix(key.Type) + (isDescending ? " desc" : ""));
    }

    private void Distinct(MethodCallExpression call)
    {
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

        if (_groupKey is { } key)
        {
            _groupKey = null;
            _rql.Select = new GroupTranslator(Fields, key).Translate(selector);
        }
        else
        {
            var projection = new ProjectionTranslator(Fields, _rql, selector);
            _rql.Select = projection.Translate();
            _options.SingleField = projection.SingleField;
        }

        _isProjected = true;
        _options.IsProjection = true;
    }

    private void Group(MethodCallExpression call, LambdaExpression key)
    {
        RequireOpen(call);
        _groupKey = key;
        _rql.GroupBy = string.Join(", ", GroupTranslator.KeysOf(key).Select(pair => Fields.PathOf(pair.Path)));
    }

    private void RequireOpen(MethodCallExpression call)
    {
        if (_isProjected || _groupKey != null || _isPaged)
        {
            throw Refuse(call, "it comes after Select, GroupBy, Skip or Take: write it before them");
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
        new($"{call.Method.Name} cannot be translated: {why}. The expression is '{call}'.");
}
