namespace Raven.Storage.Options;

/// <summary>When a journal record is packed by LZ4.</summary>
public enum JournalCompression
{
    /// <summary>
    /// If that makes it shorter; records of a megabyte and more only while packing and writing them does not take a
    /// tenth longer than writing them as they are, which is measured. As <see cref="Always"/> if commits are lazy.
    /// </summary>
    Adaptive,

    /// <summary>Wherever that makes it shorter.</summary>
    Always,

    /// <summary>Never: the journal is longer, and so is what a recovery reads.</summary>
    Never,
}
