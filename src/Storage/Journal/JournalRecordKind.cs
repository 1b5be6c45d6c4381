namespace Raven.Storage.Journal;

/// <summary>What a journal record says. The numbers are on disk.</summary>
internal enum JournalRecordKind
{
    /// <summary>A committed transaction.</summary>
    Transaction = 1,

    /// <summary>The journal continues in another file; the last record of its file.</summary>
    Switch = 2,
}
