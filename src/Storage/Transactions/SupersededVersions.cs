using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Options;
using Raven.Storage.Platform;

namespace Raven.Storage.Transactions;

// SUPERSEDED-1  A version of transaction t, superseded by transaction u, is seen by the snapshots from t on and before
//               u. It is freed once u is published and no open reader, nor the flush, holds one of those.
// SUPERSEDED-2  The published transaction is read before the list of readers: so a reader that is not on the list gets
//               that transaction's state or a later one (READERS-1).

/// <summary>
/// Frees versions of pages that newer ones have replaced, without waiting for a flush: so scratch memory holds only
/// the pages changed since the last flush and what readers see, however often pages change. For the holder of the
/// write lock.
/// </summary>
internal sealed class SupersededVersions(ReaderRegistry readers, ScratchPool scratch, StorageHooks hooks)
{
    private const int ReadersMax = 64;
    private const int KeptMax = 1 << 16;

    private readonly List<Version> _versions = [];
    private int _held;
    private int _lookAgainAt;
    private long _oldestAtLastLook;

    /// <summary>Notes a version, which its table has.</summary>
    internal void Add(long page, long transactionId, long by) => _versions.Add(new Version(page, transactionId, by));

    /// <summary>Frees what no reader can reach anymore.</summary>
    /// <param name="table">The table in use.</param>
    /// <param name="published">The transaction whose state is published; read before this call.</param>
    internal void Free(PageTable table, long published)
    {
        if (_versions.Count == 0)
        {
            return;
        }

        // This thread may be the one that published it.
        Interlocked.MemoryBarrier();
        hooks.BetweenReclaimReads?.Invoke();
        Span<long> held = stackalloc long[ReadersMax];
        bool isExact = readers.TryCopyTransactions(held, out int count, out long oldest);
        held = held[..count];

        // Versions that a reader held last time are checked again when the oldest reader has gone, or when there
        // are many.
        bool isForAll = oldest != _oldestAtLastLook || _versions.Count >= _lookAgainAt;
        int kept = isForAll ? 0 : _held;
        Span<Version> versions = CollectionsMarshal.AsSpan(_versions);
        _held = kept;
        for (int i = kept; i < versions.Length; i++)
        {
            Version version = versions[i];
            bool isReached = version.By > published || (isExact ? IsHeld(version, held) : version.By > oldest);
            if (isReached)
            {
                versions[kept++] = version;
                _held += version.By <= published ? 1 : 0;
                continue;
            }

            NativeSlice place = table.Take(version.Page, version.TransactionId);
            if (!place.IsEmpty)
            {
                hooks.Mark(CoverageMark.SupersededFreed);
                scratch.Free(place);
            }
        }

        _versions.RemoveRange(kept, versions.Length - kept);
        if (isForAll)
        {
            _oldestAtLastLook = oldest;
            _lookAgainAt = 2 * kept + ReadersMax;
        }

        if (kept == 0 && _versions.Capacity > KeptMax)
        {
            _versions.TrimExcess();
        }
    }

    private static bool IsHeld(in Version version, ReadOnlySpan<long> held)
    {
        foreach (long transaction in held)
        {
            if (transaction >= version.TransactionId && transaction < version.By)
            {
                return true;
            }
        }

        return false;
    }

    private readonly record struct Version(long Page, long TransactionId, long By);
}
