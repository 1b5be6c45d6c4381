using System.Globalization;
using System.Text;
using Raven.Scripting.Text;

namespace Raven.Scripting.Syntax;

/// <summary>
/// Sets of code points as patterns of .NET, which match one UTF-16 unit at a place: units, and pairs of them if the
/// text has any. Half of a pair matches no set, as a look around it would take time that is not linear.
/// </summary>
internal static class UnicodeClass
{
    private const int SurrogateFirst = 0xD800;
    private const int SurrogateLast = 0xDFFF;
    private const int LowFirst = 0xDC00;
    private const int PlaneSize = 0x10000;
    private const int PairsOfHigh = 0x400;

    private static readonly CodePointSet Digits = CodePointSet.Of('0', '9');
    private static readonly CodePointSet LineEnds =
        CodePointSet.Union([('\n', '\n'), ('\r', '\r'), (0x2028, 0x2029)]);

    private static readonly CodePointSet Word =
        CodePointSet.Union([('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')]);

    /// <summary>With the flag i, the long s and the sign of kelvin are forms of letters of words.</summary>
    private static readonly CodePointSet WordOfAnyCase =
        CodePointSet.Union([.. Word.Ranges, (0x17F, 0x17F), (0x212A, 0x212A)]);

    private static readonly CodePointSet Space = CodePointSet.Union(
        [
            ('\t', '\r'), (' ', ' '), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029),
            (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF),
        ]);

    /// <summary>The set of a dot.</summary>
    internal static CodePointSet Dot(bool dotAll) => dotAll ? CodePointSet.All : LineEnds.Complement();

    /// <summary>The set of \d and the like; null if the letter stands for none.</summary>
    internal static CodePointSet? Escape(char c, bool ignoreCase) => c switch
    {
        'd' => Digits,
        'D' => Digits.Complement(),
        'w' => ignoreCase ? WordOfAnyCase : Word,
        'W' => (ignoreCase ? WordOfAnyCase : Word).Complement(),
        's' => Space,
        'S' => Space.Complement(),
        _ => null,
    };

    /// <summary>The set of a property from its brace on, at which the position stands behind it.</summary>
    /// <exception cref="FormatException">There is no such property.</exception>
    internal static CodePointSet Property(string pattern, ref int position, bool negated)
    {
        int end = position < pattern.Length && pattern[position] == '{' ? pattern.IndexOf('}', position) : -1;
        string text = end < 0 ? "" : pattern[(position + 1)..end];
        int equals = text.IndexOf('=', StringComparison.Ordinal);
        CodePointSet set = (equals < 0 ? UnicodeTables.Find(text, null)
            : UnicodeTables.Find(text[..equals], text[(equals + 1)..])) ?? throw new FormatException(
                "Invalid property name");
        position = end + 1;
        return negated ? set.Complement() : set;
    }

    /// <summary>The set as a pattern, and how many parts it has, all but one of them for pairs.</summary>
    internal static (string Pattern, int Parts) Render(CodePointSet set, bool withPairs)
    {
        StringBuilder units = new();
        SortedDictionary<int, List<(int First, int Last)>> byHigh = [];
        foreach ((int first, int last) in set.Ranges)
        {
            AppendUnits(units, first, Math.Min(last, SurrogateFirst - 1));
            AppendUnits(units, Math.Max(first, SurrogateLast + 1), Math.Min(last, PlaneSize - 1));
            if (withPairs)
            {
                AddPairs(byHigh, Math.Max(first, PlaneSize), last);
            }
        }

        List<string> parts = units.Length > 0 ? [$"[{units}]"] : [];

        // First units whose second ones are the same share one part.
        foreach (var group in byHigh.GroupBy(one => string.Concat(one.Value.Select(range => Range(range)))))
        {
            StringBuilder highs = new();
            foreach ((int first, int last) in CodePointSet.Union(group.Select(one => (one.Key, one.Key))).Ranges)
            {
                highs.Append(Range((first, last)));
            }

            parts.Add($"[{highs}][{group.Key}]");
        }

        return parts.Count switch
        {
            0 => (@"[^\s\S]", 1),
            1 when units.Length > 0 => (parts[0], 1),
            _ => ($"(?:{string.Join('|', parts)})", parts.Count),
        };
    }

    private static void AppendUnits(StringBuilder units, int first, int last)
    {
        if (first <= last)
        {
            units.Append(Range((first, last)));
        }
    }

    private static void AddPairs(SortedDictionary<int, List<(int, int)>> byHigh, int first, int last)
    {
        while (first <= last)
        {
            int offset = first - PlaneSize;
            int end = Math.Min(last, first + PairsOfHigh - 1 - (offset % PairsOfHigh));
            int high = SurrogateFirst + (offset / PairsOfHigh);
            if (!byHigh.TryGetValue(high, out List<(int, int)>? lows))
            {
                byHigh.Add(high, lows = []);
            }

            int low = LowFirst + (offset % PairsOfHigh);
            lows.Add((low, low + end - first));
            first = end + 1;
        }
    }

    private static string Range((int First, int Last) range) => range.First == range.Last ? Unit(range.First)
        : $"{Unit(range.First)}-{Unit(range.Last)}";

    private static string Unit(int c) => "\\u" + c.ToString("x4", CultureInfo.InvariantCulture);
}
