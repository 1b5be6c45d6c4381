namespace Raven.Storage.Journal;

/// <summary>How a journal entry gives a page. The numbers are on disk.</summary>
internal enum JournalEntryKind
{
    /// <summary>Whole: the patch is against zeros.</summary>
    Whole = 1,

    /// <summary>The patch is against the page as the records before left it.</summary>
    Patch = 2,

    /// <summary>The run is in the data file already; the data are one hash for each 64 KB of it.</summary>
    Direct = 3,
}
