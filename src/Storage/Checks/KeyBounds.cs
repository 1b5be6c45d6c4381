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

    /// <summary>The first key that can be there; empty if there is no bound.</summary>
    internal ReadOnlySpan<byte> Low { get; }

    /// <summary>The first key behind the range; meaningless without <see cref="HasHigh"/>.</summary>
    internal ReadOnlySpan<byte> High { get; }

    internal bool HasHigh { get; }

    public ulong PlaceAt(int levelsBelow) => HashMixer.Mix(HashMixer.Mix(_lowHash, _highHash), (ulong)levelsBelow) | 1;

    /// <summary>The lower part of this, up to a separator.</summary>
    internal KeyBounds Before(ReadOnlySpan<byte> separator) =>
        new(Low, _lowHash, separator, XxHash3.HashToUInt64(separator, 1), true);

    /// <summary>The upper part of this, from the separator that <see cref="Before"/> cut at.</summary>
    internal KeyBounds Behind(KeyBounds before) =>
        new(before.High, before._highHash, High, _highHash, HasHigh);
}
