namespace Raven.Documents.Indexing;

/// <summary>
/// Orders names as dictionaries of most languages do: signs before digits before letters, letters of either case
/// together, and only if all else is equal, lower case first. The names of automatic indexes list their fields in this
/// order, which users rely on.
/// </summary>
internal sealed class NameCollation : IComparer<string>
{
    /// <summary>The only instance.</summary>
    internal static NameCollation Comparer { get; } = new();

    /// <inheritdoc/>
    public int Compare(string? x, string? y)
    {
        ReadOnlySpan<char> left = x;
        ReadOnlySpan<char> right = y;
        for (int i = 0; i < Math.Min(left.Length, right.Length); i++)
        {
            int order = KeyOf(left[i]).CompareTo(KeyOf(right[i]));
            if (order != 0)
            {
                return order;
            }
        }

        // In the order of code points upper case is first.
        return left.Length != right.Length ? left.Length - right.Length : right.SequenceCompareTo(left);
    }

    private static (int Class, char Folded) KeyOf(char letter) => (
        char.IsLetter(letter) ? 2 : char.IsDigit(letter) ? 1 : 0,
        char.ToLowerInvariant(letter));
}
