using System.Runtime.InteropServices;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>
/// SQLite's full-text index, the library of Microsoft.Data.Sqlite by its C interface: one table with the text, ranked
/// by its own BM25.
/// </summary>
internal sealed class SqliteSearch : IDisposable
{
    private const int Row = 100;
    private const int Done = 101;
    private const nint Transient = -1;

    private readonly nint _database;

    internal SqliteSearch(string file)
    {
        Check(NativeMethods.SqliteOpen(file, out _database));
        Execute("pragma journal_mode=wal");
        Execute("pragma synchronous=off");
        Execute("create virtual table m using fts5(id unindexed, keyword unindexed, number unindexed, body)");
    }

    internal static bool IsInstalled(out string why)
    {
        bool isThere = NativeMethods.IsThere(NativeMethods.Sqlite);
        why = isThere ? "" : "the package has no SQLite for this machine";
        return isThere;
    }

    internal void Fill(SearchDocuments documents)
    {
        Execute("begin");
        nint insert = Prepare("insert into m values (?1, ?2, ?3, ?4)");
        for (int i = 0; i < documents.Count; i++)
        {
            Bind(insert, 1, documents.Ids[i]);
            Bind(insert, 2, documents.Keywords[i] is [var first, ..] ? first : []);
            Check(NativeMethods.SqliteBindInt64(insert, 3, documents.Numbers[i] ?? 0));
            Bind(insert, 4, documents.Texts[i]);
            Step(insert);
            Check(NativeMethods.SqliteReset(insert));
        }

        Check(NativeMethods.SqliteFinalize(insert));
        Execute("commit");
    }

    /// <summary>Texts alone.</summary>
    internal void Fill(byte[][] texts)
    {
        Execute("begin");
        nint insert = Prepare("insert into m (body) values (?1)");
        foreach (byte[] text in texts)
        {
            Bind(insert, 1, text);
            Step(insert);
            Check(NativeMethods.SqliteReset(insert));
        }

        Check(NativeMethods.SqliteFinalize(insert));
        Execute("commit");
    }

    /// <summary>The best texts with all of the words.</summary>
    internal long Search(string words, int take)
    {
        nint select = Prepare($"select rowid from m where body match '{words}' order by rank limit {take}");
        long rows = 0;
        while (Step(select) == Row)
        {
            rows++;
        }

        Check(NativeMethods.SqliteFinalize(select));
        return rows;
    }

    public void Dispose() => Check(NativeMethods.SqliteClose(_database));

    private static void Bind(nint statement, int index, byte[] text)
    {
        ReadOnlySpan<byte> bytes = text.Length > 0 ? text : " "u8;
        ref readonly byte first = ref MemoryMarshal.GetReference(bytes);
        Check(NativeMethods.SqliteBindText(statement, index, in first, text.Length, Transient));
    }

    private static int Step(nint statement)
    {
        int result = NativeMethods.SqliteStep(statement);
        if (result is not (Row or Done))
        {
            throw new InvalidOperationException($"SQLite answers {result}.");
        }

        return result;
    }

    private static void Check(int result)
    {
        if (result != 0)
        {
            throw new InvalidOperationException($"SQLite answers {result}.");
        }
    }

    private nint Prepare(string sql)
    {
        Check(NativeMethods.SqlitePrepare(_database, sql, -1, out nint statement, 0));
        return statement;
    }

    private void Execute(string sql)
    {
        nint statement = Prepare(sql);
        Step(statement);
        Check(NativeMethods.SqliteFinalize(statement));
    }
}
