namespace Raven.Scripting.Text;

/// <summary>A set of code points: ranges in order that do not touch.</summary>
internal sealed class CodePointSet
{
    private const int Largest = 0x10FFFF;

    internal static readonly CodePointSet All = Of(0, Largest);

    private readonly (int First, int Last)[] _ranges;

    private CodePointSet((int, int)[] ranges) => _ranges = ranges;

    internal IReadOnlyList<(int First, int Last)> Ranges => _ranges;

    internal static CodePointSet Of(int first, int last) => new([(first, last)]);

    /// <summary>The set of ranges in any order.</summary>
    internal static CodePointSet Union(IEnumerable<(int First, int Last)> ranges)
    {
        List<(int First, int Last)> merged = [];
        foreach ((int first, int last) in ranges.Order())
        {
            if (merged.Count > 0 && first <= merged[^1].Last + 1)
            {
                merged[^1] = (merged[^1].First, Math.Max(last, merged[^1].Last));
            }
            else
            {
                merged.Add((first, last));
            }
        }

        return new CodePointSet([.. merged]);
    }

    internal CodePointSet Complement()
    {
        List<(int, int)> rest = [];
        int next = 0;
        foreach ((int first, int last) in _ranges)
        {
            if (first > next)
            {
                rest.Add((next, first - 1));
            }

            next = last + 1;
        }

        if (next <= Largest)
        {
            rest.Add((next, Largest));
        }

        return new CodePointSet([.. rest]);
    }

    /// <summary>The set with the other case of each of its letters.</summary>
    internal CodePointSet WithOtherCases()
    {
        List<(int, int)> ranges = [.. _ranges];
        foreach ((int first, int last) in _ranges)
        {
            for (int c = first; c <= Math.Min(last, char.MaxValue); c++)
            {
                char upper = char.ToUpperInvariant((char)c);
                char lower = char.ToLowerInvariant((char)c);
                if (upper != lower)
                {
                    ranges.Add((upper, upper));
                    ranges.Add((lower, lower));
                }
            }
        }

        return Union(ranges);
    }
}
