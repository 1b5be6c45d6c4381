using Raven.Storage.Journal;
using Raven.Storage.Log;
using Raven.Storage.Paging;

namespace Raven.Storage.Transactions;

/// <summary>A commit of which the journal write is left, and that it is published.</summary>
/// <param name="Record">Its record.</param>
/// <param name="File">The file that it goes to.</param>
/// <param name="Point">The state that it makes.</param>
/// <param name="HasDirectRuns">Whether runs that the record refers to are in the data file, and not synced yet.</param>
/// <param name="Gate">What decides on it; null if nothing does, or another node.</param>
/// <param name="IsParked">Whether it is published only when somebody says so (PARK-1).</param>
internal readonly record struct PreparedCommit(
    CommitRecord Record, JournalFile File, CommitPoint Point, bool HasDirectRuns, ICommitGate? Gate, bool IsParked);
