using System.Runtime.InteropServices;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>
/// The RocksDB of its package by its C interface: a write batch for each transaction, synced; with a cache and filters
/// as its guide says.
/// </summary>
internal sealed class RocksStore : Store
{
    private const int CacheBytes = 512 << 20;
    private const double BloomBitsPerKey = 10;

    private readonly nint _database;
    private readonly nint _write = NativeMethods.RocksWriteOptions();
    private readonly nint _read = NativeMethods.RocksReadOptions();
    private readonly nint _flush = NativeMethods.RocksFlushOptions();

    internal RocksStore(StoreFolder folder)
        : base(folder)
    {
        nint options = NativeMethods.RocksOptions();
        nint table = NativeMethods.RocksTableOptions();
        NativeMethods.RocksSetCache(table, NativeMethods.RocksCache(CacheBytes));
        NativeMethods.RocksSetFilter(table, NativeMethods.RocksBloom(BloomBitsPerKey));
        NativeMethods.RocksSetTable(options, table);
        NativeMethods.RocksCreateIfMissing(options, 1);
        NativeMethods.RocksSync(_write, 1);
        _database = NativeMethods.RocksOpen(options, folder.Path, out nint error);
        Check(error);
    }

    internal static bool IsInstalled(out string why)
    {
        bool isThere = NativeMethods.IsThere(NativeMethods.Rocks);
        why = isThere ? "" : "the package has no RocksDB for this machine";
        return isThere;
    }

    internal override void PutBatch(KeySet keys, int first, int count, ValueSet values)
    {
        nint batch = NativeMethods.RocksBatch();
        for (int i = first; i < first + count; i++)
        {
            ReadOnlySpan<byte> key = keys[i];
            ReadOnlySpan<byte> value = values[i];
            NativeMethods.RocksBatchPut(
                batch, in key[0], (nuint)key.Length, in value[0], (nuint)value.Length);
        }

        NativeMethods.RocksWrite(_database, _write, batch, out nint error);
        NativeMethods.RocksDestroyBatch(batch);
        Check(error);
    }

    internal override long GetAll(KeySet keys, int count)
    {
        long bytes = 0;
        for (int i = 0; i < count; i++)
        {
            ReadOnlySpan<byte> key = keys[i];
            nint value = NativeMethods.RocksGet(
                _database, _read, in key[0], (nuint)key.Length, out nuint length, out nint error);
            Check(error);
            bytes += (long)length;
            NativeMethods.RocksFree(value);
        }

        return bytes;
    }

    internal override long Scan()
    {
        nint iterator = NativeMethods.RocksIterator(_database, _read);
        long count = 0;
        NativeMethods.RocksSeekFirst(iterator);
        while (NativeMethods.RocksIsValid(iterator) != 0)
        {
            count++;
            NativeMethods.RocksNext(iterator);
        }

        NativeMethods.RocksDestroyIterator(iterator);
        return count;
    }

    internal override long Get(ReadOnlySpan<byte> key)
    {
        nint value = NativeMethods.RocksGet(
            _database, _read, in key[0], (nuint)key.Length, out nuint length, out nint error);
        Check(error);
        NativeMethods.RocksFree(value);
        return value == 0 ? 0 : (long)length;
    }

    internal override int ScanFrom(ReadOnlySpan<byte> key, int count)
    {
        nint iterator = NativeMethods.RocksIterator(_database, _read);
        NativeMethods.RocksSeek(iterator, in key[0], (nuint)key.Length);
        int found = 0;
        for (; found < count && NativeMethods.RocksIsValid(iterator) != 0; found++)
        {
            NativeMethods.RocksNext(iterator);
        }

        NativeMethods.RocksDestroyIterator(iterator);
        return found;
    }

    internal override void DeleteBatch(KeySet keys, int first, int count)
    {
        nint batch = NativeMethods.RocksBatch();
        for (int i = first; i < first + count; i++)
        {
            ReadOnlySpan<byte> key = keys[i];
            NativeMethods.RocksBatchDelete(batch, in key[0], (nuint)key.Length);
        }

        NativeMethods.RocksWrite(_database, _write, batch, out nint error);
        NativeMethods.RocksDestroyBatch(batch);
        Check(error);
    }

    /// <summary>Its memory goes to a table file: until then the data are in its log alone.</summary>
    internal override void Settle()
    {
        NativeMethods.RocksFlush(_database, _flush, out nint error);
        Check(error);
    }

    private protected override void Close() => NativeMethods.RocksClose(_database);

    private static void Check(nint error)
    {
        if (error != 0)
        {
            throw new InvalidOperationException(Marshal.PtrToStringUTF8(error));
        }
    }
}
