using System.Globalization;

namespace Raven.Search.Automata;

/// <summary>The sets of code units that regular expressions of .NET have names for.</summary>
internal static class UnitCategories
{
    /// <summary>\d: decimal digits of any script.</summary>
    internal static readonly UnitRange[] Digits = Of(char.IsDigit);

    /// <summary>\s: white space.</summary>
    internal static readonly UnitRange[] Spaces = Of(char.IsWhiteSpace);

    /// <summary>\w: letters, marks that take no room, decimal digits, and what connects words such as _.</summary>
    internal static readonly UnitRange[] Words = Of(unit => char.GetUnicodeCategory(unit) is
        UnicodeCategory.UppercaseLetter or UnicodeCategory.LowercaseLetter or UnicodeCategory.TitlecaseLetter
        or UnicodeCategory.ModifierLetter or UnicodeCategory.OtherLetter or UnicodeCategory.NonSpacingMark
        or UnicodeCategory.DecimalDigitNumber or UnicodeCategory.ConnectorPunctuation);

    private static UnitRange[] Of(Predicate<char> isIn)
    {
        List<UnitRange> ranges = [];
        int first = -1;
        for (int unit = 0; unit <= char.MaxValue + 1; unit++)
        {
            bool isOne = unit <= char.MaxValue && isIn((char)unit);
            if (isOne && first < 0)
            {
                first = unit;
            }
            else if (!isOne && first >= 0)
            {
                ranges.Add(new UnitRange(first, unit - 1));
                first = -1;
            }
        }

        return [.. ranges];
    }
}
