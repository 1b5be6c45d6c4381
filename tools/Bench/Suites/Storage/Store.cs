namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>An embedded store under test: the same keys, values, batches and durability for each.</summary>
internal abstract class Store : IDisposable
{
    /// <summary>Writes keys in a row, each with the same value, as one durable transaction.</summary>
    internal abstract void PutBatch(KeySet keys, int first, int count, ReadOnlySpan<byte> value);

    /// <summary>Reads so many keys, in the order of the set, within one snapshot.</summary>
    /// <returns>The bytes of the values found.</returns>
    internal abstract long GetAll(KeySet keys, int count);

    /// <summary>Reads every entry in order.</summary>
    /// <returns>The entries.</returns>
    internal abstract long Scan();

    /// <summary>Brings all that was written to its final place, synced.</summary>
    internal virtual void Settle()
    {
    }

    public abstract void Dispose();
}
