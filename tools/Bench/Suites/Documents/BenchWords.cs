namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>Texts of words that nobody knows, some of them often and most of them seldom, as in texts of people. Each
/// number has its own, which is always the same.</summary>
internal static class BenchWords
{
    private const int Count = 4096;

    private static readonly string[] Words = [.. MakeAll()];

    /// <summary>A text of so many letters.</summary>
    internal static string TextOf(long number, int length) => string.Create(length, number, static (text, number) =>
    {
        ulong state = (ulong)number;
        while (true)
        {
            // The product of two numbers below 1: the first words come most often.
            double rank = Next(ref state) * Next(ref state);
            string word = Words[(int)(rank * Count)];
            if (word.Length >= text.Length)
            {
                word.AsSpan(0, text.Length).CopyTo(text);
                return;
            }

            word.CopyTo(text);
            text[word.Length] = ' ';
            text = text[(word.Length + 1)..];
        }
    });

    private static IEnumerable<string> MakeAll()
    {
        var random = new Random(1);
        for (int i = 0; i < Count; i++)
        {
            int length = Math.Min(2 + (int)Math.Log2(i + 1), random.Next(2, 14));
            yield return string.Create(length, random, static (letters, random) =>
            {
                for (int at = 0; at < letters.Length; at++)
                {
                    letters[at] = at % 2 == 0 ? "bdfgklmnprstvz"[random.Next(14)] : "aeiou"[random.Next(5)];
                }
            });
        }
    }

    /// <summary>The next of a sequence of numbers from 0 to below 1 (SplitMix64, Steele and others, 2014).</summary>
    private static double Next(ref ulong state)
    {
        ulong mixed = state += 0x9E3779B97F4A7C15;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
        return ((mixed ^ (mixed >> 31)) >> 11) * (1.0 / (1UL << 53));
    }
}
