using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Raven.Documents.Indexing.Static.Compilation;

/// <summary>
/// Refuses code of a reduce that counts the items of a group. A reduce also runs over its own results, so it would
/// count those; the message says what to write instead.
/// </summary>
internal static class GroupRules
{
    /// <param name="body">The clauses after the group.</param>
    /// <param name="group">The name of the group in them.</param>
    /// <param name="isGroup">Whether the name is a group.</param>
    internal static void Check(SyntaxNode body, string group, bool isGroup)
    {
        foreach (InvocationExpressionSyntax call in body.DescendantNodesAndSelf().OfType<InvocationExpressionSyntax>())
        {
            if (isGroup && call.Expression is MemberAccessExpressionSyntax member
                && member.Name.Identifier.Text is "Count" or "LongCount" or "Average" && IsOn(call, member, group))
            {
                string name = member.Name.Identifier.Text;
                string instead = name == "Average"
                    ? "Map a sum and a count, sum up both, and divide in the reduce."
                    : $"Map 'Count = 1' and use '{group}.Sum(x => x.Count)'.";
                throw MapSyntaxException.At(
                    call, $"{name} over a group does not hold: a reduce runs over its own results again. {instead}");
            }
        }
    }

    private static bool IsOn(InvocationExpressionSyntax call, MemberAccessExpressionSyntax member, string group) =>
        member.Expression.ToString() == group
        || (member.Expression.ToString() is "Enumerable" && call.ArgumentList.Arguments is [{ } first, ..]
            && first.Expression.ToString() == group);
}
