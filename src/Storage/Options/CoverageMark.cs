namespace Raven.Storage.Options;

/// <summary>States of the protocol that crash tests must have met, each many times.</summary>
internal enum CoverageMark
{
    WholePageJournaled,
    PatchJournaled,
    RecordCompressed,
    JournalStarted,
    JournalCreated,
    JournalRecycled,
    JournalSwitched,
    BoundaryChosen,
    FlushWaited,
    FlushApplied,
    DataFileGrew,
    HeaderAWritten,
    HeaderBWritten,
    TableExchanged,
    TableGrew,
    SupersededFreed,
    RolledBack,
    RunAllocated,
    ClosedCleanly,
    NothingToRecover,
    TransactionReplayed,
    SwitchFollowed,
    PageReplayedTwice,
    TailTorn,
    DirectRunWritten,
    DirectRunRecovered,
    DirectRunReplaced,
}
