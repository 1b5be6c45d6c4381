namespace Raven.Storage;

/// <summary>When a journal record is packed by LZ4.</summary>
public enum JournalCompression
{
    /// <summary>
    /// Where that makes it shorter; of large records only while the disk takes longer for the bytes that packing saves
    /// than packing does. As <see cref="Always"/> where commits are lazy.
    /// </summary>
    Adaptive,

    /// <summary>Wherever that makes it shorter.</summary>
    Always,

    /// <summary>Never: the journal is longer, and so is what a recovery reads.</summary>
    Never,
}
