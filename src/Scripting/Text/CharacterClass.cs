using System.Globalization;

namespace Raven.Scripting.Text;

/// <summary>The classes of characters that JavaScript's grammar distinguishes (ECMA-262, 12).</summary>
internal static class CharacterClass
{
    internal static bool IsLineEnd(char c) => c is '\n' or '\r' or '\u2028' or '\u2029';

    /// <summary>White space, line ends not counted.</summary>
    internal static bool IsSpace(char c) =>
        c is ' ' or '\t' or '\v' or '\f' or '\u00A0' or '\uFEFF'
        || (c >= '\u1680' && CharUnicodeInfo.GetUnicodeCategory(c) == UnicodeCategory.SpaceSeparator);

    /// <summary>White space by the rules of <c>String.prototype.trim</c>.</summary>
    internal static bool IsSpaceOrLineEnd(char c) => IsSpace(c) || IsLineEnd(c);

    internal static bool IsIdentifierStart(char c) =>
        char.IsAsciiLetter(c) || c is '_' or '$' || (c >= 0x80 && IsLetter(c));

    internal static bool IsIdentifierPart(char c) =>
        char.IsAsciiLetterOrDigit(c) || c is '_' or '$' || (c >= 0x80 && IsLetterOrMark(c));

    /// <summary>The value of a digit in any radix up to 36; a large number for other characters.</summary>
    internal static int DigitValue(char c) => c switch
    {
        >= '0' and <= '9' => c - '0',
        >= 'a' and <= 'z' => c - 'a' + 10,
        >= 'A' and <= 'Z' => c - 'A' + 10,
        _ => int.MaxValue,
    };

    private static bool IsLetter(char c) => CharUnicodeInfo.GetUnicodeCategory(c) is UnicodeCategory.UppercaseLetter
        or UnicodeCategory.LowercaseLetter or UnicodeCategory.TitlecaseLetter or UnicodeCategory.ModifierLetter
        or UnicodeCategory.OtherLetter or UnicodeCategory.LetterNumber;

    private static bool IsLetterOrMark(char c) => c is '\u200C' or '\u200D' || IsLetter(c)
        || CharUnicodeInfo.GetUnicodeCategory(c) is UnicodeCategory.NonSpacingMark
            or UnicodeCategory.SpacingCombiningMark or UnicodeCategory.DecimalDigitNumber
            or UnicodeCategory.ConnectorPunctuation;
}
