using Raven.Storage.Platform;

namespace Raven.Storage.Transactions;

// READERS-1  A reader writes its slot, then checks again that its snapshot is still the published one: either a thread
//            that computes the oldest reader after publishing another snapshot sees the slot, or the reader takes the
//            newer snapshot.

/// <summary>Which snapshots are open. Registering takes no lock. Any thread.</summary>
internal sealed class ReaderRegistry
{
    private readonly Lock _lock = new();
    private ReaderSlot[] _slots = [];

    /// <summary>A slot for a new transaction object.</summary>
    internal ReaderSlot AddSlot()
    {
        var slot = new ReaderSlot();
        lock (_lock)
        {
            Volatile.Write(ref _slots, [.. _slots, slot]);
        }

        return slot;
    }

    /// <summary>Forgets the slot of a transaction object that is not kept.</summary>
    internal void RemoveSlot(ReaderSlot slot)
    {
        lock (_lock)
        {
            Volatile.Write(ref _slots, [.. _slots.Where(present => present != slot)]);
        }
    }

    /// <summary>All slots, of readers and of others, held or not.</summary>
    internal ReadOnlySpan<ReaderSlot> Slots => Volatile.Read(ref _slots);

    /// <summary>True if a version from one to another is held, both included, or the table itself is.</summary>
    internal bool Holds(long first, long last, PageTable? table)
    {
        foreach (ReaderSlot slot in Volatile.Read(ref _slots))
        {
            long version = Volatile.Read(ref slot.Version);
            if (version != 0 && ((version >= first && version <= last) || (table is not null && slot.Table == table)))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>The oldest transaction whose state is held, or <see cref="long.MaxValue"/>.</summary>
    internal long OldestTransaction()
    {
        long oldest = long.MaxValue;
        foreach (ReaderSlot slot in Volatile.Read(ref _slots))
        {
            long version = Volatile.Read(ref slot.Version);
            oldest = version != 0 ? Math.Min(oldest, Volatile.Read(ref slot.TransactionId)) : oldest;
        }

        return oldest;
    }

    /// <summary>
    /// The transactions whose states are held, in no order, and the oldest of them
    /// (<see cref="long.MaxValue"/> for none).
    /// </summary>
    /// <returns>False if there are more than fit; then only the oldest is given.</returns>
    internal bool TryCopyTransactions(Span<long> transactions, out int count, out long oldest)
    {
        count = 0;
        oldest = long.MaxValue;
        bool fits = true;
        foreach (ReaderSlot slot in Volatile.Read(ref _slots))
        {
            if (Volatile.Read(ref slot.Version) == 0)
            {
                continue;
            }

            long transaction = Volatile.Read(ref slot.TransactionId);
            oldest = Math.Min(oldest, transaction);
            fits &= count < transactions.Length;
            if (fits)
            {
                transactions[count++] = transaction;
            }
        }

        return fits;
    }

    /// <summary>The reader with the oldest snapshot, if any.</summary>
    internal ReaderSlot? Oldest()
    {
        ReaderSlot? oldest = null;
        foreach (ReaderSlot slot in Volatile.Read(ref _slots))
        {
            bool isReader = Volatile.Read(ref slot.Version) != 0 && !slot.IsInternal;
            if (isReader && (oldest is null || slot.TransactionId < oldest.TransactionId))
            {
                oldest = slot;
            }
        }

        return oldest;
    }

    /// <summary>Refuses the next page of every open reader.</summary>
    internal void CancelAll()
    {
        foreach (ReaderSlot slot in Volatile.Read(ref _slots))
        {
            long number = Volatile.Read(ref slot.Number);
            if (!slot.IsInternal && Volatile.Read(ref slot.Version) != 0)
            {
                slot.TryCancel(number);
            }
        }
    }

    /// <summary>The open readers.</summary>
    internal int Count()
    {
        int count = 0;
        foreach (ReaderSlot slot in Volatile.Read(ref _slots))
        {
            count += Volatile.Read(ref slot.Version) != 0 && !slot.IsInternal ? 1 : 0;
        }

        return count;
    }
}
