using static Raven.Scripting.Syntax.TokenKind;

namespace Raven.Scripting.Syntax;

/// <summary>Finds the longest punctuator at the start of a text.</summary>
internal static class Punctuators
{
    private static readonly (string Text, TokenKind Kind)[][] ByFirst = Build(
        ("{", LeftBrace), ("}", RightBrace), ("(", LeftParen), (")", RightParen), ("[", LeftBracket),
        ("]", RightBracket), (".", Dot), ("...", Ellipsis), (";", Semicolon), (",", Comma), ("?", Question),
        ("?.", QuestionDot), (":", Colon), ("=>", Arrow), ("<", Less), (">", Greater), ("<=", LessEqual),
        (">=", GreaterEqual), ("==", EqualEqual), ("!=", NotEqual), ("===", EqualEqualEqual), ("!==", NotEqualEqual),
        ("+", Plus), ("-", Minus), ("*", Star), ("/", Slash), ("%", Percent), ("**", StarStar), ("++", PlusPlus),
        ("--", MinusMinus), ("<<", ShiftLeft), (">>", ShiftRight), (">>>", ShiftRightUnsigned), ("&", Ampersand),
        ("|", Bar), ("^", Caret), ("!", Not), ("~", Tilde), ("&&", AndAnd), ("||", OrOr), ("??", QuestionQuestion),
        ("=", Assign), ("+=", PlusAssign), ("-=", MinusAssign), ("*=", StarAssign), ("/=", SlashAssign),
        ("%=", PercentAssign), ("**=", StarStarAssign), ("<<=", ShiftLeftAssign), (">>=", ShiftRightAssign),
        (">>>=", ShiftRightUnsignedAssign), ("&=", AmpersandAssign), ("|=", BarAssign), ("^=", CaretAssign),
        ("&&=", AndAndAssign), ("||=", OrOrAssign), ("??=", QuestionQuestionAssign));

    internal static TokenKind Read(ReadOnlySpan<char> text, out int length)
    {
        char first = text[0];
        if (first < ByFirst.Length)
        {
            foreach ((string candidate, TokenKind kind) in ByFirst[first])
            {
                if (text.StartsWith(candidate, StringComparison.Ordinal)
                    && !(kind == QuestionDot && text.Length > 2 && char.IsAsciiDigit(text[2])))
                {
                    length = candidate.Length;
                    return kind;
                }
            }
        }

        length = 0;
        return EndOfFile;
    }

    private static (string, TokenKind)[][] Build(params (string Text, TokenKind Kind)[] all)
    {
        (string, TokenKind)[][] table = new (string, TokenKind)[128][];
        for (int c = 0; c < table.Length; c++)
        {
            table[c] = [.. all.Where(one => one.Text[0] == c).OrderByDescending(one => one.Text.Length)];
        }

        return table;
    }
}
