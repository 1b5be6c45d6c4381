namespace Shared.Cluster;

/// <summary>
/// The log of a node in the model: up to three transactions, of each the epoch that it was made in. Two bits say how
/// many there are, three bits are each one; those that are not there are 0.
/// </summary>
internal readonly record struct ModelLog(ushort Bits)
{
    internal const int BitCount = 11;
    internal const int TransactionsMax = 3;

    internal int Count => Bits & 3;

    /// <summary>True if both have so many transactions, and the same ones.</summary>
    internal bool Agrees(ModelLog other, int count) =>
        Count >= count && other.Count >= count && ((Bits ^ other.Bits) >> 2 & ((1 << (3 * count)) - 1)) == 0;

    internal ModelLog With(int epoch) => new((ushort)((Bits + 1) | epoch << (2 + 3 * Count)));

    /// <summary>The first so many transactions.</summary>
    internal ModelLog First(int count) => new((ushort)(count | (Bits & ((1 << (3 * count)) - 1) << 2)));

    internal int EpochAt(int index) => Bits >> (2 + 3 * index) & 7;
}
