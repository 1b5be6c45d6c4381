namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>An embedded store under test: the same keys, values, batches and durability for each.</summary>
internal abstract class Store(StoreFolder folder) : IDisposable
{
    /// <summary>Writes keys in a row, each with its value, as one durable transaction.</summary>
    internal abstract void PutBatch(KeySet keys, int first, int count, ValueSet values);

    /// <summary>Reads so many keys, in the order of the set, within one snapshot.</summary>
    /// <returns>The bytes of the values found.</returns>
    internal abstract long GetAll(KeySet keys, int count);

    /// <summary>Reads every entry in order.</summary>
    /// <returns>The entries.</returns>
    internal abstract long Scan();

    /// <summary>Reads one key in a snapshot of its own.</summary>
    /// <returns>The bytes of its value; 0 if there is none.</returns>
    internal abstract long Get(ReadOnlySpan<byte> key);

    /// <summary>Reads so many entries from a key on, in a snapshot of their own.</summary>
    /// <returns>The entries found.</returns>
    internal abstract int ScanFrom(ReadOnlySpan<byte> key, int count);

    /// <summary>Deletes keys in a row as one durable transaction.</summary>
    internal abstract void DeleteBatch(KeySet keys, int first, int count);

    /// <summary>How often what was written has been brought to its final place since the open; 0 if unknown.</summary>
    internal virtual long Flushes => 0;

    /// <summary>Brings all that was written to its final place, synced.</summary>
    internal virtual void Settle()
    {
    }

    /// <summary>Closes it, and deletes its files: a suite would fill the disk otherwise.</summary>
    public void Dispose()
    {
        Close();
        folder.Dispose();
    }

    private protected abstract void Close();
}
