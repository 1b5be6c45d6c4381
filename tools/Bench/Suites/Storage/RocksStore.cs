using System.Runtime.InteropServices;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>RocksDB by its C interface: a write batch for each transaction, synced.</summary>
internal sealed class RocksStore : Store
{
    private readonly nint _database;
    private readonly nint _write = NativeMethods.RocksWriteOptions();
    private readonly nint _read = NativeMethods.RocksReadOptions();

    internal RocksStore(string folder)
    {
        nint options = NativeMethods.RocksOptions();
        NativeMethods.RocksCreateIfMissing(options, 1);
        NativeMethods.RocksSync(_write, 1);
        _database = NativeMethods.RocksOpen(options, folder, out nint error);
        Check(error);
    }

    internal static bool IsInstalled(out string why)
    {
        bool isThere = NativeLibrary.TryLoad("librocksdb.so.7.8", out _);
        why = isThere ? "" : "librocksdb.so.7.8 is not installed: tools/Bench/peers/storage.sh";
        return isThere;
    }

    internal override void PutBatch(KeySet keys, int first, int count, ReadOnlySpan<byte> value)
    {
        nint batch = NativeMethods.RocksBatch();
        for (int i = first; i < first + count; i++)
        {
            ReadOnlySpan<byte> key = keys[i];
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

    public override void Dispose() => NativeMethods.RocksClose(_database);

    private static void Check(nint error)
    {
        if (error != 0)
        {
            throw new InvalidOperationException(Marshal.PtrToStringUTF8(error));
        }
    }
}
