using System.Globalization;
using System.Text;

namespace FastTests.Search;

/// <summary>The characters of which an analyzer of the engine and its judge make different words, and who is right:
/// kept in a file, which a slow test compares with all characters that there are.</summary>
internal static class AnalyzerDifferences
{
    private const string Ours = "ours: ";

    internal static string FilePath { get; } = Path.Combine(Root(), "tests/FastTests/Search/AnalyzerDifferences.txt");

    /// <summary>The characters that the file lists for an analyzer.</summary>
    internal static HashSet<int> ListedFor(string analyzer)
    {
        HashSet<int> listed = [];
        foreach (string line in File.ReadLines(FilePath))
        {
            string[] parts = line.Split(" | ");
            if (parts[0] != analyzer)
            {
                continue;
            }

            foreach (string range in parts[2].Split(' '))
            {
                int[] ends = [.. range.Split('-').Select(end => int.Parse(end, NumberStyles.HexNumber, null))];
                listed.UnionWith(Enumerable.Range(ends[0], ends[^1] - ends[0] + 1));
            }
        }

        return listed;
    }

    /// <summary>The lines for an analyzer as they should be: one for each reason.</summary>
    internal static IEnumerable<string> Describe(AnalyzerPair pair) =>
        from code in Enumerable.Range(1, 0x10FFFF)
        where Rune.IsValid(code) && IsDifferent(pair, new Rune(code).ToString())
        group code by ReasonOf(pair.Ours.Name, code) into reason
        orderby reason.Key
        select $"{pair.Ours.Name} | {reason.Key} | {string.Join(' ', RangesOf([.. reason]))}";

    /// <summary>Whether the two differ on a character in some surroundings: alone, between spaces, letters, digits,
    /// ideographs and Hebrew letters, and before a quote.</summary>
    private static bool IsDifferent(AnalyzerPair pair, string one) =>
        new[]
        {
            one, $"x {one} y", $"x{one}y", $"1{one}2", $"x{one}", $"{one}x", $"x{one}1", one + one, $"か{one}",
            $"カ{one}カ", $"א{one}א", $"{one}'1",
        }.Any(text => pair.Difference(text) is not null);

    private static string ReasonOf(string analyzer, int code) => analyzer switch
    {
        "WhitespaceAnalyzer" =>
            Ours + "white space of Unicode; Java's has the separators 1C to 1F, and no no-break spaces",
        "StandardAnalyzer" =>
            Ours + "letters, digits and ideographs of Unicode today; the grammar has those of Unicode 3.0 up to U+FFFF",
        _ when code is (>= 0x0E00 and <= 0x0EFF) or (>= 0x1000 and <= 0x109F) or (>= 0x1780 and <= 0x17FF)
            or (>= 0x1950 and <= 0x19DF) or (>= 0x1A20 and <= 0x1AAF) or (>= 0xA9E0 and <= 0xA9FF)
            or (>= 0xAA60 and <= 0xAADF) =>
            Ours + "UAX #29 breaks between the characters of scripts without spaces; Lucene keeps runs of them",
        _ when code is (>= 0x5D0 and <= 0x5F3) or (>= 0xFB1D and <= 0xFB4F) =>
            Ours + "behind a Hebrew letter and a single quote a digit is a word of its own (WB7a); Lucene joins it",
        _ => Ours + "classes of Unicode today; Lucene has those of Unicode 6.3",
    };

    /// <summary>The folder of the repository.</summary>
    internal static string Root()
    {
        DirectoryInfo folder = new(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "Raven.sln")))
        {
            folder = folder.Parent!;
        }

        return folder.FullName;
    }

    private static List<string> RangesOf(int[] codes)
    {
        List<string> ranges = [];
        for (int first = 0; first < codes.Length;)
        {
            int last = first;
            while (last + 1 < codes.Length && codes[last + 1] == codes[last] + 1)
            {
                last++;
            }

            ranges.Add(first == last ? $"{codes[first]:X4}" : $"{codes[first]:X4}-{codes[last]:X4}");
            first = last + 1;
        }

        return ranges;
    }
}
