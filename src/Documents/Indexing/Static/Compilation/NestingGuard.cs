using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Text;

namespace Raven.Documents.Indexing.Static.Compilation;

/// <summary>
/// Refuses texts whose nesting would take Roslyn quadratic time, before it parses them. At a bracket that may begin a
/// cast, a tuple, a lambda or a list of types, Roslyn looks ahead to the end of the bracket. The check reads the tokens
/// alone, in linear time.
/// </summary>
internal static class NestingGuard
{
    /// <summary>How deep brackets may nest: no deeper than expressions (<see cref="DepthGuard"/>).</summary>
    private const int DepthMax = 200;

    /// <summary>How many signs <c>&lt;</c> and <c>?</c> may be open: those of comparisons and
    /// <c>?.</c> count.</summary>
    private const int SignsMax = 1000;

    /// <summary>How many words may begin a lambda (<c>async</c>, <c>static</c>, <c>ref</c>): at each, Roslyn looks
    /// ahead over all that follow.</summary>
    private const int ModifiersMax = 100;

    /// <summary>How many interpolated texts there may be: they can nest within one token.</summary>
    private const int InterpolatedMax = 200;

    /// <summary>Checks the tokens of a text.</summary>
    /// <exception cref="MapSyntaxException">It nests too deep; the message says where.</exception>
    internal static void Check(string text)
    {
        CheckInterpolated(text);
        int depth = 0;
        int angles = 0;
        int questions = 0;
        int modifiers = 0;
        foreach (SyntaxToken token in SyntaxFactory.ParseTokens(text))
        {
            switch (token.Kind())
            {
                case SyntaxKind.OpenParenToken or SyntaxKind.OpenBracketToken or SyntaxKind.OpenBraceToken:
                    if (++depth > DepthMax)
                    {
                        throw At(text, token.SpanStart, $"Brackets nest deeper than {DepthMax} levels.");
                    }

                    break;
                case SyntaxKind.CloseParenToken or SyntaxKind.CloseBracketToken or SyntaxKind.CloseBraceToken:
                    depth = Math.Max(0, depth - 1);
                    break;
                case SyntaxKind.RefKeyword or SyntaxKind.StaticKeyword or SyntaxKind.IdentifierToken
                    when IsModifier(token) && ++modifiers > ModifiersMax:
                    throw At(
                        text, token.SpanStart, $"There are more than {ModifiersMax} words async, static and ref.");
                case SyntaxKind.LessThanToken:
                    angles++;
                    break;
                case SyntaxKind.GreaterThanToken:
                    angles = Math.Max(0, angles - 1);
                    break;
                case SyntaxKind.QuestionToken:
                    questions++;
                    break;
                case SyntaxKind.ColonToken:
                    questions = Math.Max(0, questions - 1);
                    break;
            }

            if (Math.Max(angles, questions) > SignsMax)
            {
                throw At(text, token.SpanStart, $"There are more than {SignsMax} signs < or ? that are not closed.");
            }
        }
    }

    private static bool IsModifier(SyntaxToken token) =>
        !token.IsKind(SyntaxKind.IdentifierToken) || token.ValueText == "async";

    /// <summary>Counts interpolated texts without the lexer, which follows them into each other.</summary>
    private static void CheckInterpolated(string text)
    {
        int count = 0;
        for (int i = 0; i + 1 < text.Length; i++)
        {
            bool isOne = text[i] == '$' && text[i + 1] is '"' or '@' or '$';
            count += isOne ? 1 : 0;
            if (count > InterpolatedMax)
            {
                throw At(text, i, $"There are more than {InterpolatedMax} interpolated texts.");
            }
        }
    }

    private static MapSyntaxException At(string text, int position, string message)
    {
        LinePosition start = SourceText.From(text).Lines.GetLinePosition(position);
        return new MapSyntaxException(message, start.Line + 1, start.Character + 1);
    }
}
