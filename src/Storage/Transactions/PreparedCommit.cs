using Raven.Storage.Journal;
using Raven.Storage.Paging;

namespace Raven.Storage.Transactions;

/// <summary>A commit that has only its journal write before it.</summary>
internal readonly record struct PreparedCommit(
    CommitRecord Record, JournalFile File, CommitPoint Point, bool HasDirectRuns);
