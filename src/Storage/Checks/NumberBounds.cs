namespace Raven.Storage.Checks;

/// <summary>The numbers between which the keys of a page of a fixed tree lie, both included.</summary>
/// <param name="Low">The first one.</param>
/// <param name="High">The last one.</param>
internal readonly record struct NumberBounds(long Low, long High) : IPageBounds
{
    /// <summary>The bounds of the root: all numbers.</summary>
    internal static NumberBounds All => new(long.MinValue, long.MaxValue);

    public ulong PlaceAt(int levelsBelow) =>
        HashMixer.Mix(HashMixer.Mix((ulong)Low, (ulong)High), (ulong)levelsBelow) | 1;
}
