using System.Text;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>
/// Texts of the words of a set, drawn by Zipf's law: the word of rank r is drawn as often as 1 / r says.
/// </summary>
internal sealed class ZipfTexts
{
    private const int Seed = 20_261_126;
    private const int WordsMin = 20;
    private const int WordsMax = 120;

    private readonly string[] _words;
    private readonly double[] _sums;

    internal ZipfTexts(MovieWords words)
    {
        _words = words.ByFrequency();
        _sums = new double[_words.Length];
        double sum = 0;
        for (int i = 0; i < _sums.Length; i++)
        {
            _sums[i] = sum += 1.0 / (i + 1);
        }
    }

    /// <summary>The text of a number.</summary>
    internal byte[] Draw(int number)
    {
        var random = new Random(Seed + number);
        var text = new StringBuilder();
        for (int words = random.Next(WordsMin, WordsMax); words > 0; words--)
        {
            int at = Array.BinarySearch(_sums, random.NextDouble() * _sums[^1]);
            text.Append(_words[Math.Min(at < 0 ? ~at : at, _words.Length - 1)]).Append(' ');
        }

        return Encoding.UTF8.GetBytes(text.ToString());
    }
}
