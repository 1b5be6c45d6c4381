using Raven.Blittable.Text;

namespace Raven.Search.Searchers;

/// <summary>How similar two words are, from 0 to 1, by the measures for suggestions.</summary>
public static class WordSimilarity
{
    private const double WinklerThreshold = 0.7;

    /// <summary>One minus the changes of a character between the two, as a share of the longer one.</summary>
    public static double Levenshtein(string left, string right)
    {
        ArgumentNullException.ThrowIfNull(left);
        ArgumentNullException.ThrowIfNull(right);
        int longest = Math.Max(left.Length, right.Length);
        if (longest == 0)
        {
            return 1;
        }

        return 1 - ((double)EditDistance.Between(left, right) / longest);
    }

    /// <summary>
    /// Characters in common near the same place, those at the beginning counted more (Jaro and Winkler).
    /// </summary>
    public static double JaroWinkler(string left, string right)
    {
        ArgumentNullException.ThrowIfNull(left);
        ArgumentNullException.ThrowIfNull(right);
        if (left.Length == 0 || right.Length == 0)
        {
            return left.Length == right.Length ? 1 : 0;
        }

        (string longer, string shorter) = left.Length > right.Length ? (left, right) : (right, left);
        int reach = Math.Max((longer.Length / 2) - 1, 0);
        var isTaken = new bool[longer.Length];
        List<char> found = [];
        for (int i = 0; i < shorter.Length; i++)
        {
            int end = Math.Min(longer.Length - 1, i + reach);
            for (int j = Math.Max(0, i - reach); j <= end; j++)
            {
                if (!isTaken[j] && longer[j] == shorter[i])
                {
                    isTaken[j] = true;
                    found.Add(shorter[i]);
                    break;
                }
            }
        }

        if (found.Count == 0)
        {
            return 0;
        }

        IEnumerable<char> others = longer.Where((_, at) => isTaken[at]);
        int moved = found.Zip(others).Count(pair => pair.First != pair.Second) / 2;
        double common = found.Count;
        double jaro = ((common / left.Length) + (common / right.Length) + ((common - moved) / common)) / 3;
        int prefix = left.Zip(right).TakeWhile(pair => pair.First == pair.Second).Count();
        return jaro < WinklerThreshold
            ? jaro
            : jaro + (Math.Min(0.1, 1.0 / longer.Length) * prefix * (1 - jaro));
    }

    /// <summary>
    /// Pairs of neighbouring characters in common, in their order, as a share of the longer word; the beginning counts
    /// no more than the middle.
    /// </summary>
    public static double Pairs(string left, string right)
    {
        ArgumentNullException.ThrowIfNull(left);
        ArgumentNullException.ThrowIfNull(right);
        if (left.Length < 2 || right.Length < 2)
        {
            int same = left.Zip(right).Count(pair => pair.First == pair.Second);
            return left.Length == 0 && right.Length == 0 ? 1 : (double)same / Math.Max(left.Length, right.Length);
        }

        double[] row = [.. Enumerable.Range(0, right.Length + 1)];
        for (int i = 0; i < left.Length; i++)
        {
            double diagonal = row[0];
            row[0] = i + 1;
            for (int j = 0; j < right.Length; j++)
            {
                double cost = diagonal + CostOfPair(left, i, right, j);
                diagonal = row[j + 1];
                row[j + 1] = Math.Min(cost, Math.Min(diagonal, row[j]) + 1);
            }
        }

        return 1 - (row[^1] / Math.Max(left.Length, right.Length));
    }

    /// <summary>The share of a pair that differs; before the first character a special one is assumed.</summary>
    private static double CostOfPair(string left, int i, string right, int j)
    {
        if (i == 0 || j == 0)
        {
            return i == 0 && j == 0 && left[0] == right[0] ? 0 : left[i] == right[j] ? 0.5 : 1;
        }

        return ((left[i] == right[j] ? 0 : 1) + (left[i - 1] == right[j - 1] ? 0 : 1)) / 2.0;
    }
}
