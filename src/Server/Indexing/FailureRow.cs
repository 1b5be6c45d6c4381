using Raven.Server.Indexing.Storage;
using Raven.Storage.Errors;

namespace Raven.Server.Indexing;

/// <summary>
/// The failures of an index since a batch of it last succeeded, and whether it is worth another try. For one thread at
/// a time.
/// </summary>
internal sealed class FailureRow
{
    private const int OwnMax = 3;

    // What is short of memory may be another; but one that always is keeps the server busy.
    private const int OfMemoryMax = 10;

    private IndexStorage? _damaged;
    private int _own;
    private int _ofMemory;

    /// <summary>A batch succeeded.</summary>
    internal void Clear() => (_own, _ofMemory, _damaged) = (0, 0, null);

    /// <summary>A batch failed.</summary>
    /// <returns>Why the index has to stand still; null where it is tried again: what the machine lacks, as a disk that
    /// is full, may come back.</returns>
    internal string? Note(Exception failure)
    {
        bool isOfMachine = failure is IOException or UnauthorizedAccessException or StoragePoisonedException
            or StorageBusyException;
        bool isTooMuch = failure is OutOfMemoryException ? ++_ofMemory >= OfMemoryMax
            : !isOfMachine && ++_own >= OwnMax;
        return isTooMuch ? $"it failed {_own + _ofMemory} times in a row: {failure.Message}" : null;
    }

    /// <summary>Files were damaged. Those that were not made anew yet count once.</summary>
    /// <returns>Why the index has to stand still; null where its files are to be made anew.</returns>
    internal string? Note(IndexStorage damaged, StorageCorruptedException damage)
    {
        _own += ReferenceEquals(_damaged, damaged) ? 0 : 1;
        _damaged = damaged;
        return _own >= OwnMax ? $"its files were damaged {_own} times in a row: {damage.Message}" : null;
    }
}
