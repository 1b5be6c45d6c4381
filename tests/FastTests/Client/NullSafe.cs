using System.Linq.Expressions;

namespace FastTests.Client;

/// <summary>
/// Makes an expression over objects that has the server's result if something on the path is null: there is no value,
/// and no comparison with it is true.
/// </summary>
internal sealed class NullSafe : ExpressionVisitor
{
    internal static Func<TSource, TResult> Compile<TSource, TResult>(Expression<Func<TSource, TResult>> lambda) =>
        ((Expression<Func<TSource, TResult>>)new NullSafe().Visit(lambda)).Compile();

    protected override Expression VisitMember(MemberExpression node)
    {
        Expression? owner = Visit(node.Expression);
        if (owner is null or ParameterExpression or ConstantExpression)
        {
            return node.Update(owner);
        }

        if (Nullable.GetUnderlyingType(owner.Type) != null)
        {
            return node.Member.Name == "Value"
                ? Expression.Call(owner, nameof(Nullable<int>.GetValueOrDefault), Type.EmptyTypes)
                : node.Update(owner);
        }

        return owner.Type.IsValueType ? node.Update(owner) : Guard(owner, node.Update(owner));
    }

    protected override Expression VisitMethodCall(MethodCallExpression node)
    {
        Expression? target = Visit(node.Object);
        MethodCallExpression call = node.Update(target, node.Arguments.Select(argument => Visit(argument)!));
        return target is null or ParameterExpression or ConstantExpression || target.Type.IsValueType
            ? call
            : Guard(target, call);
    }

    private static ConditionalExpression Guard(Expression owner, Expression access) => Expression.Condition(
        Expression.Equal(owner, Expression.Constant(null, owner.Type)), Expression.Default(access.Type), access);
}
