namespace Raven.Storage.Transactions;

/// <summary>
/// Mistakes that a test can switch on, to see that the crash, fault and damage tests find them: a tester that was never
/// seen to fail proves nothing.
/// </summary>
internal enum PlantedBug
{
    None,
    JournalNotWritten,
    JournalNotWriteThrough,
    PatchesAcrossBoundary,
    BoundaryOffByOne,
    LastPageNotJournaled,
    CatalogNotSaved,
    PublishedBeforeDurable,
    IncarnationNotCounted,
    SwitchNotWritten,
    SwitchNotFollowed,
    RecycledBeforeHeader,
    RecycledOneTooMany,
    FirstHeaderNotWritten,
    JournalNotSyncedWhenMade,
    FolderNotSyncedForJournal,
    DataFileNotSyncedWhenMade,
    FolderNotSyncedForDataFile,
    DataNotSyncedBeforeHeader,
    HeaderNotSynced,
    HeaderBeforeData,
    HeaderAlwaysInOneSlot,
    FlushAboveBoundary,
    FlushIgnoresReaders,
    FlushSkipsAPage,
    DropsMoreThanFlushed,
    FreedPageKeepsOldVersion,
    RollbackKeepsFreeSpace,
    ScratchFreedEarly,
    PageHashIgnored,
    PageNumberIgnored,
    RecordHashIgnored,
    RecoveryNotSynced,
    RecoveryKeepsOldState,
    TornTailRefused,
    LaterRecordsIgnored,
    WritesGoOnAfterFailedWrite,
    WritesGoOnAfterFailedSync,
    LazyJournalNotSynced,
}
