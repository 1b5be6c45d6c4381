using System.Globalization;

namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>
/// The five kinds of work of YCSB over HTTP, one document of 1 KB each, sixteen connections, beside PostgreSQL by its
/// own protocol; and all of them again while both keep an index of a property. Four of five must be ahead.
/// </summary>
internal sealed class YcsbSuite : IBenchSuite
{
    private const int Connections = 16;
    private const string Indexed = ", one index of names";
    private const string Docs = "docs?id=";
    private const string Scan = "docs?startsWith=bench/&pageSize=50&startAfter=";

    private static readonly (string Kind, string Method, string Path, string Sql)[] Works =
    [
        ("insert", "PUT", Docs, PostgresPeer.Insert),
        ("update", "PUT", Docs, PostgresPeer.Upsert),
        ("read", "GET", Docs, PostgresPeer.Select),
        ("scan of 50", "GET", Scan, PostgresPeer.Scan),
        ("delete", "DELETE", Docs, PostgresPeer.Delete),
    ];

    public string Name => "documents";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!Array.Exists(Works, work => context.Wants(NameOf(work.Kind))))
        {
            yield break;
        }

        using PostgresPeer? postgres =
            PostgresPeer.TryStart(Path.Combine(context.ScratchDirectory, "postgres-ycsb"), out string why);
        if (postgres is null)
        {
            yield return BenchRow.Skip("YCSB", "requests/s", why);
            yield break;
        }

        using BenchDatabase ours = BenchDatabase.Start(Path.Combine(context.ScratchDirectory, "ycsb"));
        ours.Load();
        postgres.Copy(BenchDatabase.DocumentCount, BenchDatabase.BodyOf);
        bool wantsIndexed = Array.Exists(Works, work => context.Wants(NameOf(work.Kind) + Indexed));
        foreach (bool isIndexed in wantsIndexed ? [false, true] : (bool[])[false])
        {
            if (isIndexed)
            {
                ours.CreateIndex();
                ours.CatchUp();
                postgres.Execute(PostgresPeer.Index);
            }

            foreach ((string kind, string method, string path, string sql) in Works)
            {
                yield return Row(ours, postgres, (kind, method, path, sql), isIndexed);
            }
        }
    }

    private static BenchRow Row(
        BenchDatabase ours, PostgresPeer postgres, (string Kind, string Method, string Path, string Sql) work,
        bool isIndexed)
    {
        // What is inserted was not there; what is deleted was.
        var numbers = new Numbers(work.Kind == "insert", isIndexed);
        bool isDelete = work.Method == "DELETE";
        return new BenchRow
        {
            Name = NameOf(work.Kind) + (isIndexed ? Indexed : ""),
            Unit = "requests/s",
            PeerName = "PostgreSQL",
            Target = BenchTarget.RatioAtLeast(1),
            WarmUpRuns = 1,
            Ours = () =>
            {
                if (isDelete)
                {
                    ours.Load();
                }

                if (isIndexed)
                {
                    ours.CatchUp();
                }

                return numbers.Begin(ours, work.Method, work.Path);
            },
            Peer = () =>
            {
                _ = isDelete ? postgres.Copy(BenchDatabase.DocumentCount, BenchDatabase.BodyOf) : 0;
                return numbers.Begin(postgres, work.Sql, withBody: work.Method == "PUT");
            },
        };
    }

    private static string NameOf(string kind) => $"YCSB {kind}, 1 KB, {Connections} connections";

    /// <summary>Which documents the runs of a work name: an inserted one never twice.</summary>
    private sealed class Numbers(bool isInsert, bool isIndexed)
    {
        private const long RunCount = 10_000_000;
        private long _ours = isIndexed ? 100 * RunCount : RunCount;
        private long _peer = isIndexed ? 100 * RunCount : RunCount;

        internal double Begin(BenchDatabase ours, string method, string path)
        {
            long first = isInsert ? _ours += RunCount : 0;
            long count = isInsert ? RunCount : BenchDatabase.DocumentCount;
            return ours.Run(method, path, Connections, rate: 0, first, count).RequestsPerSecond;
        }

        internal double Begin(PostgresPeer postgres, string sql, bool withBody)
        {
            long first = isInsert ? _peer += RunCount : 0;
            return postgres.Run(
                Connections, BenchDatabase.RunTime, sql,
                n => isInsert
                    ? string.Create(CultureInfo.InvariantCulture, $"bench/{first + n:D10}")
                    : BenchDatabase.IdOf(n),
                withBody ? BenchDatabase.BodyOf : null);
        }
    }
}
