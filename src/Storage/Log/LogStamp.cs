using Raven.Storage.Journal;

namespace Raven.Storage.Log;

/// <summary>What a transaction that another node has made keeps of that node's record.</summary>
/// <param name="Position">Its place in the log.</param>
/// <param name="EntriesHash">The hash of the entries of that record.</param>
/// <param name="CommitTimeTicks">When it was committed there.</param>
internal readonly record struct LogStamp(LogPosition Position, ulong EntriesHash, long CommitTimeTicks)
{
    internal void WriteTo(ref JournalRecordHeader header)
    {
        header.Flags |= JournalRecordHeader.LogFlag;
        header.Epoch = Position.Epoch;
        header.LogHash = Position.LogHash;
        header.EntriesHash = EntriesHash;
        header.CommitTimeTicks = CommitTimeTicks;
    }
}
