using System.Runtime.InteropServices;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>LMDB by its C library: synced commits, a copied value for each put, as its interface asks.</summary>
internal sealed class LmdbStore : Store
{
    private const int ReadOnlyFlag = 0x20000;
    private const uint NoThreadLocalsFlag = 0x200000;
    private const uint AppendFlag = 0x20000;
    private const int FirstOperation = 0;
    private const int NextOperation = 8;
    private static readonly ulong MapBytes = 16UL << 30;

    private readonly nint _environment;
    private readonly uint _database;
    private readonly uint _putFlags;

    internal LmdbStore(StoreFolder folder, bool appends = false)
        : base(folder)
    {
        _putFlags = appends ? AppendFlag : 0;
        Directory.CreateDirectory(folder.Path);
        Check(NativeMethods.LmdbCreate(out _environment));
        Check(NativeMethods.LmdbSetMapSize(_environment, (nuint)MapBytes));
        Check(NativeMethods.LmdbOpen(_environment, folder.Path, NoThreadLocalsFlag, 0x1A4));
        Check(NativeMethods.LmdbBegin(_environment, 0, 0, out nint transaction));
        Check(NativeMethods.LmdbOpenDatabase(transaction, 0, 0, out _database));
        Check(NativeMethods.LmdbCommit(transaction));
    }

    internal static bool IsInstalled(out string why)
    {
        bool isThere = NativeLibrary.TryLoad("liblmdb.so.0", out _);
        why = isThere ? "" : "liblmdb.so.0 is not installed: tools/Bench/peers/storage.sh";
        return isThere;
    }

    internal override void PutBatch(KeySet keys, int first, int count, ValueSet values)
    {
        Check(NativeMethods.LmdbBegin(_environment, 0, 0, out nint transaction));
        for (int i = first; i < first + count; i++)
        {
            Check(NativeMethods.LmdbPut(transaction, _database, keys[i], values[i], _putFlags));
        }

        Check(NativeMethods.LmdbCommit(transaction));
    }

    internal override long GetAll(KeySet keys, int count)
    {
        Check(NativeMethods.LmdbBegin(_environment, 0, ReadOnlyFlag, out nint transaction));
        long bytes = 0;
        for (int i = 0; i < count; i++)
        {
            Check(NativeMethods.LmdbGet(transaction, _database, keys[i], out nuint length));
            bytes += (long)length;
        }

        NativeMethods.LmdbAbort(transaction);
        return bytes;
    }

    internal override long Scan()
    {
        Check(NativeMethods.LmdbBegin(_environment, 0, ReadOnlyFlag, out nint transaction));
        Check(NativeMethods.LmdbOpenCursor(transaction, _database, out nint cursor));
        long count = 0;
        int operation = FirstOperation;
        while (NativeMethods.LmdbMove(cursor, out _, out _, operation) == 0)
        {
            count++;
            operation = NextOperation;
        }

        NativeMethods.LmdbCloseCursor(cursor);
        NativeMethods.LmdbAbort(transaction);
        return count;
    }

    internal override long Get(ReadOnlySpan<byte> key)
    {
        Check(NativeMethods.LmdbBegin(_environment, 0, ReadOnlyFlag, out nint transaction));
        int result = NativeMethods.LmdbGet(transaction, _database, key, out nuint length);
        NativeMethods.LmdbAbort(transaction);
        return result == 0 ? (long)length : 0;
    }

    internal override int ScanFrom(ReadOnlySpan<byte> key, int count)
    {
        Check(NativeMethods.LmdbBegin(_environment, 0, ReadOnlyFlag, out nint transaction));
        Check(NativeMethods.LmdbOpenCursor(transaction, _database, out nint cursor));
        int found = 0;
        for (int result = NativeMethods.LmdbSeek(cursor, key); result == 0 && found < count; found++)
        {
            result = NativeMethods.LmdbMove(cursor, out _, out _, NextOperation);
        }

        NativeMethods.LmdbCloseCursor(cursor);
        NativeMethods.LmdbAbort(transaction);
        return found;
    }

    internal override void DeleteBatch(KeySet keys, int first, int count)
    {
        Check(NativeMethods.LmdbBegin(_environment, 0, 0, out nint transaction));
        for (int i = first; i < first + count; i++)
        {
            _ = NativeMethods.LmdbDelete(transaction, _database, keys[i]);
        }

        Check(NativeMethods.LmdbCommit(transaction));
    }

    private protected override void Close() => NativeMethods.LmdbClose(_environment);

    private static void Check(int result)
    {
        if (result != 0)
        {
            throw new InvalidOperationException($"LMDB answered {result}.");
        }
    }
}
