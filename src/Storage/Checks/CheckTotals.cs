namespace Raven.Storage.Checks;

/// <summary>What a page and all that lies below it add to the counts of their structure.</summary>
internal struct CheckTotals
{
    /// <summary>Entries of a tree.</summary>
    internal long Entries;

    /// <summary>Leaf pages.</summary>
    internal long Leaves;

    /// <summary>Branch pages.</summary>
    internal long Branches;

    /// <summary>Pages of overflow runs.</summary>
    internal long OverflowPages;

    /// <summary>Pages of packed rows.</summary>
    internal long Sections;

    /// <summary>Rows of a heap; values of a multi-value tree; chunks of streams.</summary>
    internal long Rows;

    /// <summary>Bytes of rows, or of streams.</summary>
    internal long PayloadBytes;

    /// <summary>How many keys the free-space tree of a heap has, or should have.</summary>
    internal long Keys;

    /// <summary>
    /// The sum of the hashes of these keys (<see cref="HashMixer"/>): two sets with the same sum are taken as equal.
    /// </summary>
    internal ulong KeySum;

    /// <summary>Pages of the structures whose root records are entries here.</summary>
    internal long BelowPages;

    /// <summary>Entries and rows of the structures whose root records are entries here.</summary>
    internal long BelowEntries;

    /// <summary>All pages.</summary>
    internal readonly long Pages => Leaves + Branches + OverflowPages + Sections + BelowPages;

    /// <summary>All entries and rows.</summary>
    internal readonly long AllEntries => Entries + BelowEntries;

    internal void Add(in CheckTotals other)
    {
        Entries += other.Entries;
        Leaves += other.Leaves;
        Branches += other.Branches;
        OverflowPages += other.OverflowPages;
        Sections += other.Sections;
        Rows += other.Rows;
        PayloadBytes += other.PayloadBytes;
        Keys += other.Keys;
        KeySum += other.KeySum;
        BelowPages += other.BelowPages;
        BelowEntries += other.BelowEntries;
    }

    /// <summary>Adds a structure whose root record is an entry here.</summary>
    internal void AddBelow(in CheckTotals structure)
    {
        BelowPages += structure.Pages;
        BelowEntries += structure.AllEntries;
    }

    /// <summary>Adds a key of a heap's free-space tree.</summary>
    internal void AddKey(long key)
    {
        Keys++;
        KeySum += HashMixer.Mix((ulong)key, 0);
    }
}
