namespace Raven.Blittable.Text;

/// <summary>The distance of two words (Levenshtein).</summary>
public static class EditDistance
{
    private const int RowOnStack = 128;

    /// <summary>How many characters must be inserted, removed or changed to turn one into the other.</summary>
    public static int Between(ReadOnlySpan<char> left, ReadOnlySpan<char> right)
    {
        Span<int> row = right.Length < RowOnStack ? stackalloc int[RowOnStack] : new int[right.Length + 1];
        for (int j = 0; j <= right.Length; j++)
        {
            row[j] = j;
        }

        for (int i = 0; i < left.Length; i++)
        {
            int diagonal = row[0];
            row[0] = i + 1;
            for (int j = 0; j < right.Length; j++)
            {
                int cost = diagonal + (left[i] == right[j] ? 0 : 1);
                diagonal = row[j + 1];
                row[j + 1] = Math.Min(cost, Math.Min(diagonal, row[j]) + 1);
            }
        }

        return row[right.Length];
    }
}
