using Raven.Documents.Indexing.Storage;
using Raven.Storage.Errors;

namespace Raven.Documents.Indexing;

/// <summary>
/// The failures of an index since its last successful batch, which decide whether it is tried again. For one thread at
/// a time.
/// </summary>
internal sealed class FailureStreak
{
    private const int OwnMax = 3;

    // A lack of memory may have another cause than the index; but if it fails so every time, the index keeps the server
    // busy and has to stop.
    private const int OfMemoryMax = 10;

    private IndexStorage? _damaged;
    private int _own;
    private int _ofMemory;

    /// <summary>Called after a batch that succeeded.</summary>
    internal void Clear() => (_own, _ofMemory, _damaged) = (0, 0, null);

    /// <summary>Called after a batch that failed.</summary>
    /// <returns>Why the index has to stop; null if it is tried again: a resource of the machine, such as room on a
    /// disk, may be there again later.</returns>
    internal string? Note(Exception failure)
    {
        bool isOfMachine = failure is IOException or UnauthorizedAccessException or StoragePoisonedException
            or StorageBusyException;
        bool isTooMuch = failure is OutOfMemoryException ? ++_ofMemory >= OfMemoryMax
            : !isOfMachine && ++_own >= OwnMax;
        return isTooMuch ? $"it failed {_own + _ofMemory} times in a row: {failure.Message}" : null;
    }

    /// <summary>Called when files were damaged. Damage of the same files counts once, until they are rebuilt.</summary>
    /// <returns>Why the index has to stop; null if its files must be rebuilt.</returns>
    internal string? Note(IndexStorage damaged, StorageCorruptedException damage)
    {
        _own += ReferenceEquals(_damaged, damaged) ? 0 : 1;
        _damaged = damaged;
        return _own >= OwnMax ? $"its files were damaged {_own} times in a row: {damage.Message}" : null;
    }
}
