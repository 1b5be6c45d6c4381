using System.Text;

namespace FastTests.Search;

/// <summary>Random texts of all scripts, in which what makes words is frequent: letters, digits, marks and the
/// punctuation that joins words.</summary>
/// <param name="seed">The seed.</param>
/// <param name="left">The characters that are left out.</param>
internal sealed class RandomTexts(int seed, IReadOnlySet<int> left)
{
    private const int RunesMax = 60;

    private static readonly int[] Frequent =
    [
        .. ("etaoins rhdlucmfywgpbvkxqjz ETAINS YMB 0123456789 ''..,,--__@&/:; \"\t()!éèüßñçıİşğÆŒ"
            + "Σσςάλόγдшыжñخسنनमकでカアｱ漢字한국\u0301\u0308\u200d\u00ad’“”・ー々").EnumerateRunes().Select(rune => rune.Value),
    ];

    private readonly Random _random = new(seed);
    private readonly StringBuilder _text = new();

    internal string Next()
    {
        _text.Clear();
        int count = _random.Next(1, RunesMax);
        while (count-- > 0)
        {
            _text.Append(NextRune());
        }

        return _text.ToString();
    }

    private Rune NextRune()
    {
        while (true)
        {
            int kind = _random.Next(20);
            int code = kind < 14 ? Frequent[_random.Next(Frequent.Length)]
                : kind < 19 ? _random.Next(1, 0x3100)
                : _random.Next(1, 0x30000);
            if (Rune.IsValid(code) && !left.Contains(code))
            {
                return new Rune(code);
            }
        }
    }
}
