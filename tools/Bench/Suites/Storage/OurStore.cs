using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>Our storage, with one tree.</summary>
internal sealed class OurStore : Store
{
    private StorageOptions _options;

    internal OurStore(StoreFolder folder)
        : this(folder, folder.Options)
    {
    }

    internal OurStore(StoreFolder folder, StorageOptions options)
        : base(folder)
    {
        _options = options;
        Environment = StorageEnvironment.Open(options);
    }

    internal StorageEnvironment Environment { get; private set; }

    /// <summary>
    /// Opened again if flushes should begin after another length of journal; all of it is read, so that no page waits
    /// for its first verification afterwards.
    /// </summary>
    internal void FlushAfter(long bytes)
    {
        if (_options.FlushAfterBytes != bytes)
        {
            Environment.Dispose();
            _options = _options with { FlushAfterBytes = bytes };
            Environment = StorageEnvironment.Open(_options);
            _ = Scan();
        }
    }

    internal override void PutBatch(KeySet keys, int first, int count, ValueSet values)
    {
        using WriteTransaction transaction = Environment.BeginWrite();
        Tree tree = transaction.OpenOrCreateTree("t"u8);
        for (int i = first; i < first + count; i++)
        {
            tree.Put(keys[i], values[i]);
        }

        transaction.Commit();
    }

    internal override long GetAll(KeySet keys, int count)
    {
        using ReadTransaction transaction = Environment.BeginRead();
        Tree tree = transaction.TryOpenTree("t"u8)!;
        long bytes = 0;
        for (int i = 0; i < count; i++)
        {
            bytes += tree.TryGet(keys[i], out Raven.Blittable.Memory.NativeSlice value) ? value.Length : 0;
        }

        return bytes;
    }

    internal override long Scan()
    {
        using ReadTransaction transaction = Environment.BeginRead();
        TreeCursor cursor = transaction.TryOpenTree("t"u8)!.GetCursor();
        long count = 0;
        long bytes = 0;
        for (bool found = cursor.SeekFirst(); found; found = cursor.MoveNext())
        {
            count++;
            bytes += cursor.Value.Length;
        }

        return bytes > 0 ? count : 0;
    }

    internal override long Get(ReadOnlySpan<byte> key)
    {
        using ReadTransaction transaction = Environment.BeginRead();
        return transaction.TryOpenTree("t"u8)!.TryGet(key, out Raven.Blittable.Memory.NativeSlice value)
            ? value.Length
            : 0;
    }

    internal override int ScanFrom(ReadOnlySpan<byte> key, int count)
    {
        using ReadTransaction transaction = Environment.BeginRead();
        TreeCursor cursor = transaction.TryOpenTree("t"u8)!.GetCursor();
        int found = 0;
        for (bool isValid = cursor.Seek(key); isValid && found < count; isValid = cursor.MoveNext())
        {
            found++;
        }

        return found;
    }

    internal override void DeleteBatch(KeySet keys, int first, int count)
    {
        using WriteTransaction transaction = Environment.BeginWrite();
        Tree tree = transaction.OpenOrCreateTree("t"u8);
        for (int i = first; i < first + count; i++)
        {
            tree.Delete(keys[i]);
        }

        transaction.Commit();
    }

    internal override long Flushes => Environment.GetStatistics().Flushes;

    /// <summary>A flush that is under way ends with the commits it began with; the next one takes the rest.</summary>
    internal override void Settle() => _ = Environment.Flush() && Environment.Flush();

    private protected override void Close() => Environment.Dispose();
}
