using System.IO.Hashing;

namespace Raven.Storage.Checks;

/// <summary>The separators between which the keys of a tree page lie.</summary>
internal readonly ref struct KeyBounds : IPageBounds
{
    private readonly ulong _lowHash;
    private readonly ulong _highHash;

    private KeyBounds(ReadOnlySpan<byte> low, ulong lowHash, ReadOnlySpan<byte> high, ulong highHash, bool hasHigh)
    {
        Low = low;
        High = high;
        HasHigh = hasHigh;
        _lowHash = lowHash;
        _highHash = highHash;
    }

    /// <summary>The smallest key that can be in the page; empty if there is no lower bound.</summary>
    internal ReadOnlySpan<byte> Low { get; }

    /// <summary>The first key behind the range; undefined without <see cref="HasHigh"/>.</summary>
    internal ReadOnlySpan<byte> High { get; }

    internal bool HasHigh { get; }

    public ulong PlaceAt(int levelsBelow) => HashMixer.Mix(HashMixer.Mix(_lowHash, _highHash), (ulong)levelsBelow) | 1;

    /// <summary>The bounds of the keys before a separator.</summary>
    internal KeyBounds Before(ReadOnlySpan<byte> separator) =>
        new(Low, _lowHash, separator, XxHash3.HashToUInt64(separator, 1), true);

    /// <summary>The bounds of the keys from the separator of <see cref="Before"/> on.</summary>
    internal KeyBounds Behind(KeyBounds before) =>
        new(before.High, before._highHash, High, _highHash, HasHigh);
}
