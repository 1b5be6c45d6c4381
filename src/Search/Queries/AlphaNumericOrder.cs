namespace Raven.Search.Queries;

/// <summary>Compares texts with runs of digits compared as numbers: "a9" comes before "a10".</summary>
internal static class AlphaNumericOrder
{
    internal static int Compare(ReadOnlySpan<byte> left, ReadOnlySpan<byte> right)
    {
        while (!left.IsEmpty && !right.IsEmpty)
        {
            if (IsDigit(left[0]) && IsDigit(right[0]))
            {
                ReadOnlySpan<byte> leftDigits = TakeDigits(ref left);
                ReadOnlySpan<byte> rightDigits = TakeDigits(ref right);
                int order = leftDigits.Length != rightDigits.Length
                    ? leftDigits.Length.CompareTo(rightDigits.Length)
                    : leftDigits.SequenceCompareTo(rightDigits);
                if (order != 0)
                {
                    return order;
                }
            }
            else if (left[0] != right[0])
            {
                return left[0].CompareTo(right[0]);
            }
            else
            {
                left = left[1..];
                right = right[1..];
            }
        }

        return left.Length.CompareTo(right.Length);
    }

    private static bool IsDigit(byte letter) => letter is >= (byte)'0' and <= (byte)'9';

    /// <summary>The digits at the start, without leading zeros.</summary>
    private static ReadOnlySpan<byte> TakeDigits(ref ReadOnlySpan<byte> text)
    {
        int end = text.IndexOfAnyExceptInRange((byte)'0', (byte)'9');
        ReadOnlySpan<byte> digits = end < 0 ? text : text[..end];
        text = text[digits.Length..];
        return digits.TrimStart((byte)'0');
    }
}
