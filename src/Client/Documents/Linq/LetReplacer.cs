using System.Linq.Expressions;

namespace Raven.Client.Documents.Linq;

/// <summary>
/// Replaces the names of <c>let</c> by their values. The compiler turns <c>let</c> into a Select of an object that
/// holds the document and the value; the later calls read that object.
/// </summary>
/// <param name="parameter">The parameter that such an object is.</param>
/// <param name="value">The expression that makes the object.</param>
internal sealed class LetReplacer(ParameterExpression parameter, Expression value) : ExpressionVisitor
{
    /// <summary>Whether a Select may be a <c>let</c>: it keeps the document beside other values.</summary>
    internal static bool IsLet(LambdaExpression selector) =>
        selector.Body is NewExpression { Members: not null, Arguments: [ParameterExpression or NewExpression, _] };

    protected override Expression VisitParameter(ParameterExpression node) => node == parameter ? value : node;

    protected override Expression VisitMember(MemberExpression node)
    {
        Expression? owner = Visit(node.Expression);
        if (owner is NewExpression { Members: { } members } made)
        {
            for (int i = 0; i < members.Count; i++)
            {
                if (members[i].Name == node.Member.Name)
                {
                    return made.Arguments[i];
                }
            }
        }

        return node.Update(owner);
    }
}
