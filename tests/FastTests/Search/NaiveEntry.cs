namespace FastTests.Search;

/// <summary>One entry as the naive evaluator sees it: values as they are, words as the analyzer gives them.</summary>
internal sealed class NaiveEntry
{
    internal required string Id { get; init; }

    /// <summary>Null, bool, decimal or string, by field.</summary>
    internal Dictionary<string, List<object?>> Values { get; } = [];

    /// <summary>The words of the text and their positions.</summary>
    internal List<(string Word, int Position)> Words { get; } = [];

    /// <summary>All entries of its document.</summary>
    internal List<NaiveEntry> Siblings { get; init; } = [];

    internal List<object?> Of(string field) => Values.GetValueOrDefault(field) ?? [];

    /// <summary>The order of values: null, false, true, numbers, strings by their bytes.</summary>
    internal static int Compare(object? left, object? right)
    {
        int order = RankOf(left).CompareTo(RankOf(right));
        return order != 0 ? order
            : left is decimal number ? number.CompareTo((decimal)right!)
            : left is string text ? CompareBytes(text, (string)right!) : 0;
    }

    internal static int RankOf(object? value) => value switch
    {
        null => 0,
        false => 1,
        true => 2,
        decimal => 3,
        _ => 4,
    };

    /// <summary>The order of the bytes of UTF-8 is that of code points: surrogates are behind all that is one
    /// unit.</summary>
    private static int CompareBytes(string left, string right)
    {
        int same = left.AsSpan().CommonPrefixLength(right);
        if (same == left.Length || same == right.Length)
        {
            return left.Length.CompareTo(right.Length);
        }

        (char one, char other) = (left[same], right[same]);
        return (char.IsSurrogate(one), one).CompareTo((char.IsSurrogate(other), other));
    }
}
