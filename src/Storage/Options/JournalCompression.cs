namespace Raven.Storage.Options;

/// <summary>Which journal records are packed by LZ4.</summary>
public enum JournalCompression
{
    /// <summary>
    /// Records that become shorter; of a megabyte and more only while packing and writing them is measured to take at
    /// most a tenth longer than writing them as they are. As <see cref="Always"/> if commits are lazy.
    /// </summary>
    Adaptive,

    /// <summary>All records that become shorter.</summary>
    Always,

    /// <summary>None: the journal is longer, and so is what a recovery reads.</summary>
    Never,
}
