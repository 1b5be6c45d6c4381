using System.Diagnostics.CodeAnalysis;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Raven.Server.Indexing.Static.Compilation;

/// <summary>Where a query starts: <c>docs.Companies</c>, <c>docs["a-b"]</c>, <c>docs</c>, <c>results</c>.</summary>
internal static class QuerySource
{
    internal const string Documents = "docs";
    internal const string Results = "results";

    /// <summary>Reads a source.</summary>
    /// <param name="node">The expression.</param>
    /// <param name="root">The name that it must start with.</param>
    /// <param name="collections">The collections; empty for all documents.</param>
    internal static bool TryRead(
        ExpressionSyntax node, string root, [NotNullWhen(true)] out IReadOnlyList<string>? collections)
    {
        collections = node switch
        {
            IdentifierNameSyntax name when IsRoot(name, root) => [],
            MemberAccessExpressionSyntax { Expression: IdentifierNameSyntax name } member when IsRoot(name, root) =>
                [member.Name.Identifier.Text],
            ElementAccessExpressionSyntax { Expression: IdentifierNameSyntax name } element
                when IsRoot(name, root) && element.ArgumentList.Arguments is [{ Expression: var one }] =>
                Texts([one]),
            InvocationExpressionSyntax
            {
                Expression: MemberAccessExpressionSyntax
                {
                    Expression: IdentifierNameSyntax name, Name.Identifier.Text: "WhereEntityIs",
                },
            } call when IsRoot(name, root) => Texts(call.ArgumentList.Arguments.Select(one => one.Expression)),
            _ => null,
        };
        return collections is not null;
    }

    private static bool IsRoot(IdentifierNameSyntax name, string root) => name.Identifier.Text == root;

    private static List<string>? Texts(IEnumerable<ExpressionSyntax> arguments)
    {
        List<string> texts = [];
        foreach (ExpressionSyntax argument in arguments)
        {
            if (argument is ImplicitArrayCreationExpressionSyntax list
                && Texts(list.Initializer.Expressions) is { } inner)
            {
                texts.AddRange(inner);
            }
            else if (argument.IsKind(SyntaxKind.StringLiteralExpression))
            {
                texts.Add(((LiteralExpressionSyntax)argument).Token.ValueText);
            }
            else
            {
                return null;
            }
        }

        return texts;
    }
}
