namespace Raven.Search.Analysis;

/// <summary>The English words that the standard analyzer drops.</summary>
internal static class StopWords
{
    private const int LengthMax = 5;

    // Each word packed into a number, one byte a letter, so that a lookup compares no strings.
    private static readonly ulong[] Packed =
    [
        .. "a an and are as at be but by for if in into is it no not of on or such that the their then there these they"
            .Split(' ').Concat(["this", "to", "was", "will", "with"])
            .Select(word => Pack(System.Text.Encoding.ASCII.GetBytes(word))).Order(),
    ];

    /// <summary>Whether a word in lower case is one of them.</summary>
    internal static bool Contains(ReadOnlySpan<byte> word) =>
        word.Length is > 0 and <= LengthMax && Array.BinarySearch(Packed, Pack(word)) >= 0;

    private static ulong Pack(ReadOnlySpan<byte> word)
    {
        ulong packed = 0;
        foreach (byte letter in word)
        {
            packed = (packed << 8) | letter;
        }

        return packed;
    }
}
