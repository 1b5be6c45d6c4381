using static Shared.Mutants.MutantCheck;

namespace Shared.Mutants;

/// <summary>Mistakes in the files of the journal, in their use and in their reading.</summary>
internal static class JournalMutants
{
    private const string Files = "src/Storage/Journal/JournalFiles.cs";
    private const string Reader = "src/Storage/Recovery/JournalReader.cs";
    private const string Writer = "src/Storage/Journal/JournalWriter.cs";

    internal static IReadOnlyList<Mutant> All { get; } =
    [
        new("AdoptedJournalNotSynced", [CrashesAndFaults], new SourceEdit(
            Files,
            "file.Sync(); long length = file.Length",
            "long length = file.Length")),
        new("JournalNotWriteThrough", [CrashesAndFaults], new SourceEdit(
            Files,
            "FileOpenMode.Direct | FileOpenMode.WriteThrough",
            "FileOpenMode.Existing")),
        new("JournalNotSyncedWhenMade", [CrashesAndFaults], new SourceEdit(
            Files,
            "file.Preallocate(length); file.Sync();",
            "file.Preallocate(length);")),
        new("FolderNotSyncedForJournal", [CrashesAndFaults, EveryCut], new SourceEdit(
            Files,
            "_files.SyncDirectory(); var made",
            "var made")),
        new("RecycledOneTooMany", [CrashesAndFaults], new SourceEdit(
            Writer,
            "_inUse.FindIndex(file => file.Number == number);",
            "_inUse.FindIndex(file => file.Number == number) + (_inUse.Count > 1 ? 1 : 0);")),
        new("IncarnationNotCounted", [CrashesAndFaults], new SourceEdit(
            Writer,
            "_files.Take(WithSwitch(record.SizeInFileBytes), _nextIncarnation++);",
            "_files.Take(WithSwitch(record.SizeInFileBytes), current.Incarnation);")),
        new("SwitchNotWritten", [CrashesAndFaults], new SourceEdit(
            Writer,
            "Write(current, header.FileOffset, buffer[..(int)header.SizeInFileBytes]);",
            "")),
        new("RecordHashIgnored", [CrashesAndFaults, RecordBits], new SourceEdit(
            Reader,
            "if (!header.HashMatches(record)) { return false; }",
            "")),
        new("FailedReadEndsJournal", [CrashesAndFaults], new SourceEdit(
            Reader,
            "_buffered = _file.ReadAt(offset, _buffer.Span[..wanted]);",
            """
            try
            {
                _buffered = _file.ReadAt(offset, _buffer.Span[..wanted]);
            }
            catch (StorageIOException)
            {
                _buffer.Span[..wanted].Clear();
                _buffered = wanted;
            }
            """)),
    ];
}
