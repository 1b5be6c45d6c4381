using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Raven.Tools.Bench;

/// <summary>The calls of the C library and of the native peers.</summary>
internal static partial class NativeMethods
{
    /// <summary>SQLite, from the package of Microsoft.Data.Sqlite.</summary>
    internal const string Sqlite = "e_sqlite3";

    /// <summary>RocksDB, from its package.</summary>
    internal const string Rocks = "rocksdb";

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    internal static partial int ReadClock(int clock, out TimeSpec time);

    [LibraryImport("libc", EntryPoint = "posix_fadvise")]
    internal static partial int AdviseFile(SafeFileHandle file, long offset, long length, int advice);

    [LibraryImport("libxxhash.so.0")]
    internal static partial ulong XXH3_64bits_withSeed(in byte data, nuint length, ulong seed);

    [LibraryImport(Sqlite, EntryPoint = "sqlite3_open", StringMarshalling = StringMarshalling.Utf8)]
    internal static partial int SqliteOpen(string file, out nint database);

    [LibraryImport(Sqlite, EntryPoint = "sqlite3_close")]
    internal static partial int SqliteClose(nint database);

    [LibraryImport(Sqlite, EntryPoint = "sqlite3_prepare_v2", StringMarshalling = StringMarshalling.Utf8)]
    internal static partial int SqlitePrepare(nint database, string sql, int length, out nint statement, nint tail);

    [LibraryImport(Sqlite, EntryPoint = "sqlite3_step")]
    internal static partial int SqliteStep(nint statement);

    [LibraryImport(Sqlite, EntryPoint = "sqlite3_reset")]
    internal static partial int SqliteReset(nint statement);

    [LibraryImport(Sqlite, EntryPoint = "sqlite3_finalize")]
    internal static partial int SqliteFinalize(nint statement);

    [LibraryImport(Sqlite, EntryPoint = "sqlite3_bind_int64")]
    internal static partial int SqliteBindInt64(nint statement, int index, long value);

    [LibraryImport(Sqlite, EntryPoint = "sqlite3_bind_text")]
    internal static partial int SqliteBindText(nint statement, int index, in byte text, int length, nint destructor);

    [LibraryImport("liblmdb.so.0", EntryPoint = "mdb_env_create")]
    internal static partial int LmdbCreate(out nint environment);

    [LibraryImport("liblmdb.so.0", EntryPoint = "mdb_env_set_mapsize")]
    internal static partial int LmdbSetMapSize(nint environment, nuint bytes);

    [LibraryImport("liblmdb.so.0", EntryPoint = "mdb_env_open", StringMarshalling = StringMarshalling.Utf8)]
    internal static partial int LmdbOpen(nint environment, string path, uint flags, int mode);

    [LibraryImport("liblmdb.so.0", EntryPoint = "mdb_env_close")]
    internal static partial void LmdbClose(nint environment);

    [LibraryImport("liblmdb.so.0", EntryPoint = "mdb_txn_begin")]
    internal static partial int LmdbBegin(nint environment, nint parent, uint flags, out nint transaction);

    [LibraryImport("liblmdb.so.0", EntryPoint = "mdb_txn_commit")]
    internal static partial int LmdbCommit(nint transaction);

    [LibraryImport("liblmdb.so.0", EntryPoint = "mdb_txn_abort")]
    internal static partial void LmdbAbort(nint transaction);

    [LibraryImport("liblmdb.so.0", EntryPoint = "mdb_dbi_open")]
    internal static partial int LmdbOpenDatabase(nint transaction, nint name, uint flags, out uint database);

    [LibraryImport("liblmdb.so.0", EntryPoint = "mdb_cursor_open")]
    internal static partial int LmdbOpenCursor(nint transaction, uint database, out nint cursor);

    [LibraryImport("liblmdb.so.0", EntryPoint = "mdb_cursor_close")]
    internal static partial void LmdbCloseCursor(nint cursor);

    [LibraryImport("liblmdb.so.0", EntryPoint = "mdb_cursor_get")]
    internal static partial int LmdbMove(nint cursor, out LmdbValue key, out LmdbValue value, int operation);

    [LibraryImport(Rocks, EntryPoint = "rocksdb_options_create")]
    internal static partial nint RocksOptions();

    [LibraryImport(Rocks, EntryPoint = "rocksdb_options_set_create_if_missing")]
    internal static partial void RocksCreateIfMissing(nint options, byte isOn);

    [LibraryImport(Rocks, EntryPoint = "rocksdb_block_based_options_create")]
    internal static partial nint RocksTableOptions();

    [LibraryImport(Rocks, EntryPoint = "rocksdb_cache_create_lru")]
    internal static partial nint RocksCache(nuint bytes);

    [LibraryImport(Rocks, EntryPoint = "rocksdb_block_based_options_set_block_cache")]
    internal static partial void RocksSetCache(nint options, nint cache);

    [LibraryImport(Rocks, EntryPoint = "rocksdb_filterpolicy_create_bloom")]
    internal static partial nint RocksBloom(double bitsPerKey);

    [LibraryImport(Rocks, EntryPoint = "rocksdb_block_based_options_set_filter_policy")]
    internal static partial void RocksSetFilter(nint options, nint filter);

    [LibraryImport(Rocks, EntryPoint = "rocksdb_options_set_block_based_table_factory")]
    internal static partial void RocksSetTable(nint options, nint tableOptions);

    [LibraryImport(Rocks, EntryPoint = "rocksdb_flushoptions_create")]
    internal static partial nint RocksFlushOptions();

    [LibraryImport(Rocks, EntryPoint = "rocksdb_flush")]
    internal static partial void RocksFlush(nint database, nint options, out nint error);

    [LibraryImport(Rocks, EntryPoint = "rocksdb_writebatch_delete")]
    internal static partial void RocksBatchDelete(nint batch, in byte key, nuint keyLength);

    [LibraryImport(Rocks, EntryPoint = "rocksdb_iter_seek")]
    internal static partial void RocksSeek(nint iterator, in byte key, nuint keyLength);

    [LibraryImport(Sqlite, EntryPoint = "sqlite3_exec", StringMarshalling = StringMarshalling.Utf8)]
    internal static partial int SqliteExecute(nint database, string sql, nint callback, nint state, nint error);

    [LibraryImport(Sqlite, EntryPoint = "sqlite3_bind_blob")]
    internal static partial int SqliteBind(nint statement, int index, in byte value, int length, nint lifetime);

    [LibraryImport(Sqlite, EntryPoint = "sqlite3_column_bytes")]
    internal static partial int SqliteLength(nint statement, int column);

    [LibraryImport(Rocks, EntryPoint = "rocksdb_writeoptions_create")]
    internal static partial nint RocksWriteOptions();

    [LibraryImport(Rocks, EntryPoint = "rocksdb_writeoptions_set_sync")]
    internal static partial void RocksSync(nint options, byte isOn);

    [LibraryImport(Rocks, EntryPoint = "rocksdb_readoptions_create")]
    internal static partial nint RocksReadOptions();

    [LibraryImport(Rocks, EntryPoint = "rocksdb_open", StringMarshalling = StringMarshalling.Utf8)]
    internal static partial nint RocksOpen(nint options, string path, out nint error);

    [LibraryImport(Rocks, EntryPoint = "rocksdb_close")]
    internal static partial void RocksClose(nint database);

    [LibraryImport(Rocks, EntryPoint = "rocksdb_writebatch_create")]
    internal static partial nint RocksBatch();

    [LibraryImport(Rocks, EntryPoint = "rocksdb_writebatch_destroy")]
    internal static partial void RocksDestroyBatch(nint batch);

    [LibraryImport(Rocks, EntryPoint = "rocksdb_writebatch_put")]
    internal static partial void RocksBatchPut(
        nint batch, in byte key, nuint keyLength, in byte value, nuint valueLength);

    [LibraryImport(Rocks, EntryPoint = "rocksdb_write")]
    internal static partial void RocksWrite(nint database, nint options, nint batch, out nint error);

    [LibraryImport(Rocks, EntryPoint = "rocksdb_get")]
    internal static partial nint RocksGet(
        nint database, nint options, in byte key, nuint keyLength, out nuint length, out nint error);

    [LibraryImport(Rocks, EntryPoint = "rocksdb_free")]
    internal static partial void RocksFree(nint memory);

    [LibraryImport(Rocks, EntryPoint = "rocksdb_create_iterator")]
    internal static partial nint RocksIterator(nint database, nint options);

    [LibraryImport(Rocks, EntryPoint = "rocksdb_iter_destroy")]
    internal static partial void RocksDestroyIterator(nint iterator);

    [LibraryImport(Rocks, EntryPoint = "rocksdb_iter_seek_to_first")]
    internal static partial void RocksSeekFirst(nint iterator);

    [LibraryImport(Rocks, EntryPoint = "rocksdb_iter_next")]
    internal static partial void RocksNext(nint iterator);

    [LibraryImport(Rocks, EntryPoint = "rocksdb_iter_valid")]
    internal static partial byte RocksIsValid(nint iterator);

    /// <summary>Whether a library that came with a package runs on this machine.</summary>
    internal static bool IsThere(string library) =>
        NativeLibrary.TryLoad(library, typeof(NativeMethods).Assembly, null, out _);

    internal static unsafe int LmdbPut(
        nint transaction, uint database, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, uint flags = 0)
    {
        fixed (byte* keyStart = key)
        fixed (byte* valueStart = value)
        {
            var keyValue = new LmdbValue { Length = (nuint)key.Length, Data = (nint)keyStart };
            var dataValue = new LmdbValue { Length = (nuint)value.Length, Data = (nint)valueStart };
            return LmdbPutCore(transaction, database, in keyValue, in dataValue, flags);
        }
    }

    internal static unsafe int LmdbDelete(nint transaction, uint database, ReadOnlySpan<byte> key)
    {
        fixed (byte* keyStart = key)
        {
            var keyValue = new LmdbValue { Length = (nuint)key.Length, Data = (nint)keyStart };
            return LmdbDeleteCore(transaction, database, in keyValue, 0);
        }
    }

    /// <summary>Puts a cursor on the first key that is not before this one.</summary>
    internal static unsafe int LmdbSeek(nint cursor, ReadOnlySpan<byte> key)
    {
        const int FirstNotBefore = 17;
        fixed (byte* keyStart = key)
        {
            var keyValue = new LmdbValue { Length = (nuint)key.Length, Data = (nint)keyStart };
            return LmdbSeekCore(cursor, ref keyValue, out _, FirstNotBefore);
        }
    }

    internal static unsafe int LmdbGet(nint transaction, uint database, ReadOnlySpan<byte> key, out nuint length)
    {
        fixed (byte* keyStart = key)
        {
            var keyValue = new LmdbValue { Length = (nuint)key.Length, Data = (nint)keyStart };
            int result = LmdbGetCore(transaction, database, in keyValue, out LmdbValue value);
            length = value.Length;
            return result;
        }
    }

    [LibraryImport("liblmdb.so.0", EntryPoint = "mdb_put")]
    private static partial int LmdbPutCore(
        nint transaction, uint database, in LmdbValue key, in LmdbValue value, uint flags);

    [LibraryImport("liblmdb.so.0", EntryPoint = "mdb_del")]
    private static partial int LmdbDeleteCore(nint transaction, uint database, in LmdbValue key, nint value);

    [LibraryImport("liblmdb.so.0", EntryPoint = "mdb_cursor_get")]
    private static partial int LmdbSeekCore(nint cursor, ref LmdbValue key, out LmdbValue value, int operation);

    [LibraryImport("liblmdb.so.0", EntryPoint = "mdb_get")]
    private static partial int LmdbGetCore(nint transaction, uint database, in LmdbValue key, out LmdbValue value);

    [StructLayout(LayoutKind.Sequential)]
    internal struct LmdbValue
    {
        public nuint Length;
        public nint Data;
    }

    [StructLayout(LayoutKind.Sequential)]
    internal struct TimeSpec
    {
        public long Seconds;
        public long Nanoseconds;
    }
}
