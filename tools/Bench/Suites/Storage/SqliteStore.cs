namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>
/// The SQLite of Microsoft.Data.Sqlite by its C interface: write-ahead log, every commit synced, a table without row
/// ids.
/// </summary>
internal sealed class SqliteStore : Store
{
    private const int Row = 100;
    private const int Done = 101;
    private const nint Transient = -1;

    private readonly nint _database;
    private readonly nint _put;
    private readonly nint _get;
    private readonly nint _delete;
    private readonly nint _scan;

    internal SqliteStore(StoreFolder folder)
        : base(folder)
    {
        Directory.CreateDirectory(folder.Path);
        Check(NativeMethods.SqliteOpen(Path.Combine(folder.Path, "data.sqlite"), out _database));
        Execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;");
        Execute("PRAGMA cache_size=-262144; PRAGMA mmap_size=4294967296;");
        Execute("CREATE TABLE t(k BLOB PRIMARY KEY, v BLOB) WITHOUT ROWID;");
        _put = Prepare("INSERT OR REPLACE INTO t VALUES(?1, ?2)");
        _get = Prepare("SELECT v FROM t WHERE k = ?1");
        _delete = Prepare("DELETE FROM t WHERE k = ?1");
        _scan = Prepare("SELECT k, v FROM t WHERE k >= ?1 ORDER BY k");
    }

    internal static bool IsInstalled(out string why)
    {
        bool isThere = NativeMethods.IsThere(NativeMethods.Sqlite);
        why = isThere ? "" : "the package has no SQLite for this machine";
        return isThere;
    }

    internal override void PutBatch(KeySet keys, int first, int count, ValueSet values)
    {
        Execute("BEGIN");
        for (int i = first; i < first + count; i++)
        {
            Bind(_put, 1, keys[i]);
            Bind(_put, 2, values[i]);
            Run(_put);
        }

        Execute("COMMIT");
    }

    internal override void DeleteBatch(KeySet keys, int first, int count)
    {
        Execute("BEGIN");
        for (int i = first; i < first + count; i++)
        {
            Bind(_delete, 1, keys[i]);
            Run(_delete);
        }

        Execute("COMMIT");
    }

    internal override long GetAll(KeySet keys, int count)
    {
        Execute("BEGIN");
        long bytes = 0;
        for (int i = 0; i < count; i++)
        {
            bytes += Get(keys[i]);
        }

        Execute("COMMIT");
        return bytes;
    }

    internal override long Get(ReadOnlySpan<byte> key)
    {
        Bind(_get, 1, key);
        long length = NativeMethods.SqliteStep(_get) == Row ? NativeMethods.SqliteLength(_get, 0) : 0;
        _ = NativeMethods.SqliteReset(_get);
        return length;
    }

    internal override long Scan() => ScanFrom([0], int.MaxValue);

    internal override int ScanFrom(ReadOnlySpan<byte> key, int count)
    {
        Bind(_scan, 1, key);
        int found = 0;
        while (found < count && NativeMethods.SqliteStep(_scan) == Row)
        {
            found += NativeMethods.SqliteLength(_scan, 1) >= 0 ? 1 : 0;
        }

        _ = NativeMethods.SqliteReset(_scan);
        return found;
    }

    internal override void Settle() => Execute("PRAGMA wal_checkpoint(TRUNCATE)");

    private protected override void Close()
    {
        foreach (nint statement in (ReadOnlySpan<nint>)[_put, _get, _delete, _scan])
        {
            _ = NativeMethods.SqliteFinalize(statement);
        }

        Check(NativeMethods.SqliteClose(_database));
    }

    private static void Bind(nint statement, int index, ReadOnlySpan<byte> value) =>
        Check(NativeMethods.SqliteBind(statement, index, in value[0], value.Length, Transient));

    private static void Run(nint statement)
    {
        int result = NativeMethods.SqliteStep(statement);
        Check(result == Done ? 0 : result);
        Check(NativeMethods.SqliteReset(statement));
    }

    private static void Check(int result)
    {
        if (result != 0)
        {
            throw new InvalidOperationException($"SQLite answered {result}.");
        }
    }

    private void Execute(string sql) => Check(NativeMethods.SqliteExecute(_database, sql, 0, 0, 0));

    private nint Prepare(string sql)
    {
        Check(NativeMethods.SqlitePrepare(_database, sql, -1, out nint statement, 0));
        return statement;
    }
}
