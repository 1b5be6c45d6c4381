using Raven.Storage.Journal;
using Raven.Storage.Paging;

namespace Raven.Storage.Transactions;

/// <summary>A commit of which only the journal write is left.</summary>
internal readonly record struct PreparedCommit(
    CommitRecord Record, JournalFile File, CommitPoint Point, bool HasDirectRuns);
