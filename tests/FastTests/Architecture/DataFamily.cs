using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace FastTests.Architecture;

/// <summary>
/// Public types that may share a file: each is data, or says what is asked of the server in one expression, and their
/// names say that they belong together.
/// </summary>
internal static partial class DataFamily
{
    private const int LinesMax = 40;

    /// <summary>
    /// True if all types are data, and the first word of the file's name begins, or its last one, in the singular or
    /// the plural, ends the name of each.
    /// </summary>
    internal static bool IsOne(string fileName, IEnumerable<MemberDeclarationSyntax> types)
    {
        MatchCollection words = Word().Matches(fileName);
        string first = words[0].Value;
        string last = words[^1].Value;
        return types.All(type => IsData(type) && type is BaseTypeDeclarationSyntax { Identifier.Text: { } name }
            && (name.StartsWith(first, StringComparison.Ordinal) || name.EndsWith(last, StringComparison.Ordinal)
                || name.EndsWith(last.TrimEnd('s'), StringComparison.Ordinal)));
    }

    /// <summary>
    /// True for an enum, and for a class, a record or a struct of few lines without statements: it has properties,
    /// constructors that assign, constants, and methods that are one expression.
    /// </summary>
    internal static bool IsData(MemberDeclarationSyntax type) => type switch
    {
        EnumDeclarationSyntax => true,
        InterfaceDeclarationSyntax => false,
        TypeDeclarationSyntax named => LinesOf(named) <= LinesMax
            && !named.Modifiers.Any(SyntaxKind.StaticKeyword) && !named.Modifiers.Any(SyntaxKind.PartialKeyword)
            && named.Members.All(IsPlain),
        _ => false,
    };

    private static bool IsPlain(MemberDeclarationSyntax member) => member switch
    {
        ConstructorDeclarationSyntax { Body: { } body } => body.Statements.All(
            statement => statement is ExpressionStatementSyntax { Expression: AssignmentExpressionSyntax }),
        MethodDeclarationSyntax method => method.ExpressionBody is not null && !HasBlock(method),
        PropertyDeclarationSyntax property => !HasBlock(property),
        FieldDeclarationSyntax field =>
            field.Modifiers.Any(SyntaxKind.ConstKeyword) || field.Modifiers.Any(SyntaxKind.ReadOnlyKeyword),
        _ => false,
    };

    private static bool HasBlock(SyntaxNode node) => node.DescendantNodes().Any(inner => inner is BlockSyntax);

    private static int LinesOf(SyntaxNode node)
    {
        FileLinePositionSpan span = node.SyntaxTree.GetLineSpan(node.Span);
        return span.EndLinePosition.Line - span.StartLinePosition.Line + 1;
    }

    [GeneratedRegex("[A-Z][a-z0-9]*|.+")]
    private static partial Regex Word();
}
