using System.Diagnostics.CodeAnalysis;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Raven.Documents.Indexing.Static.Compilation;

/// <summary>The source of a query: <c>docs.Companies</c>, <c>docs["a-b"]</c>, <c>docs</c>, <c>results</c>.</summary>
internal static class QuerySource
{
    internal const string Documents = "docs";
    internal const string Results = "results";

    internal const string Counters = "counters";
    internal const string TimeSeries = "timeSeries";

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

    /// <summary>Reads a source of counters or time series: <c>counters</c>,
    /// <c>counters.Companies</c>, <c>timeSeries.Companies.HeartRate</c>.</summary>
    /// <param name="node">The expression.</param>
    /// <param name="root">The name that it must start with.</param>
    /// <param name="collections">The collections of their documents; empty for all documents.</param>
    /// <param name="counter">Their name; null for all of them.</param>
    internal static bool TryReadLinked(
        ExpressionSyntax node, string root, [NotNullWhen(true)] out IReadOnlyList<string>? collections,
        out string? counter)
    {
        counter = null;
        if (TryRead(node, root, out collections))
        {
            return true;
        }

        (ExpressionSyntax? owner, counter) = node switch
        {
            MemberAccessExpressionSyntax member => (member.Expression, member.Name.Identifier.Text),
            ElementAccessExpressionSyntax { ArgumentList.Arguments: [{ Expression: var one }] } element
                when Texts([one]) is [var text] => (element.Expression, text),
            _ => (null, null),
        };
        return owner is not null and not IdentifierNameSyntax && TryRead(owner, root, out collections);
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
