using System.Globalization;

namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>
/// Time series over HTTP beside PostgreSQL (a plain table with a primary key of series and time, and a BRIN on time)
/// and SQLite: bulk insert, the bytes that points take, hours of a series, a range out of many points, and appends
/// beside PUTs of documents.
/// </summary>
internal sealed class TimeSeriesSuite : IBenchSuite
{
    private const string Postgres = "PostgreSQL";
    private const string Sqlite = "SQLite";
    private const int SeriesMax = 1000;
    private const int Connections = 64;

    /// <summary>The numbers of the series that are alone: those of the bulk insert come before them.</summary>
    private const int LongSeries = SeriesMax;

    private const int HoursSeries = SeriesMax + 1;

    public string Name => "timeseries";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        var sizes = new Sizes(context.Scale);
        if (!Array.Exists(sizes.Names, context.Wants))
        {
            yield break;
        }

        using BenchDatabase database = BenchDatabase.Start(Path.Combine(context.ScratchDirectory, "timeseries"));
        var ours = new SeriesLoad(database);
        using SeriesPostgres? postgres =
            SeriesPostgres.TryStart(Path.Combine(context.ScratchDirectory, "series-postgres"), out string why);
        if (postgres is null)
        {
            yield return BenchRow.Skip("everything beside PostgreSQL", "points/s", why);
        }

        using var sqlite = new SeriesSqlite(Path.Combine(context.ScratchDirectory, "series-sqlite"));
        foreach (BenchRow row in GetInsertRows(sizes, ours, postgres, sqlite)
            .Concat(GetSizeRows(context, sizes, ours, postgres, sqlite))
            .Concat(GetHoursRows(context, sizes, ours, postgres, sqlite))
            .Concat(GetRangeRows(context, sizes, ours, postgres, sqlite))
            .Concat(GetAppendRows(context, sizes, database, ours)))
        {
            yield return row;
        }
    }

    private static BenchRow Once(
        string name, string unit, BenchTarget target, Func<double> ours, string peerName = "",
        Func<double>? peer = null) => new()
        {
            Name = name,
            Unit = unit,
            Target = target,
            WarmUpRuns = 0,
            Runs = 1,
            Ours = ours,
            PeerName = peerName,
            Peer = peer,
        };

    private static IEnumerable<BenchRow> GetInsertRows(
        Sizes sizes, SeriesLoad ours, SeriesPostgres? postgres, SeriesSqlite sqlite)
    {
        double[]? figures = null;
        double[] Load()
        {
            // A server that has just begun is not what is measured: its code is compiled by what it does often.
            if (figures is null)
            {
                ours.Write("warm", SeriesKind.Sensor, 0, sizes.WarmSeries, sizes.PointsOfSeries);
            }

            return figures ??= ours.Write("points", SeriesKind.Sensor, 0, sizes.Series, sizes.PointsOfSeries);
        }

        yield return Once(
            sizes.Insert, "points/s", BenchTarget.RatioAtLeast(5), () => Load()[0], "PostgreSQL COPY",
            postgres is null
                ? null
                : () =>
                {
                    postgres.Load(SeriesKind.Sensor, 0, sizes.WarmSeries, sizes.PointsOfSeries);
                    postgres.Clear(SeriesKind.Sensor);
                    return postgres.Load(SeriesKind.Sensor, 0, sizes.Series, sizes.PointsOfSeries);
                });
        yield return Once(
            sizes.InsertBesideSqlite, "points/s", BenchTarget.None, () => Load()[0], "SQLite, 100,000 a transaction",
            () =>
            {
                sqlite.Load(SeriesKind.Sensor, 0, sizes.WarmSeries, sizes.PointsOfSeries);
                sqlite.Clear();
                return sqlite.Load(SeriesKind.Sensor, 0, sizes.Series, sizes.PointsOfSeries);
            });
        yield return Once(sizes.InsertCpu, "points/s", BenchTarget.AtLeast(1_000_000), () => Load()[1]);
    }

    private static IEnumerable<BenchRow> GetSizeRows(
        BenchContext context, Sizes sizes, SeriesLoad ours, SeriesPostgres? postgres, SeriesSqlite sqlite)
    {
        (string Name, SeriesKind Kind, double Target)[] rows =
        [
            (sizes.SensorBytes, SeriesKind.Sensor, 2), (sizes.WalkBytes, SeriesKind.Walk, 5),
            (sizes.PriceBytes, SeriesKind.Prices, 8),
        ];
        foreach ((string name, SeriesKind kind, double target) in rows.Where(row => context.Wants(row.Name)))
        {
            string prefix = $"size{kind}";
            ours.Write(prefix, kind, 0, 1, sizes.SizePoints);
            yield return Once(
                name, "B", BenchTarget.AtMost(target), () => ours.BytesOfPoint(prefix + "/0"), Postgres,
                postgres is null ? null : () => PostgresBytes(postgres, kind, sizes));
        }

        if (context.Wants(sizes.SensorBytesBesideSqlite))
        {
            ours.Write("sizeAgain", SeriesKind.Sensor, 0, 1, sizes.SizePoints);
            yield return Once(
                sizes.SensorBytesBesideSqlite, "B", BenchTarget.AtMost(2), () => ours.BytesOfPoint("sizeAgain/0"),
                Sqlite, () => SqliteBytes(sqlite, sizes));
        }
    }

    /// <summary>The tables of walks and prices are empty; that of the others is not.</summary>
    private static double PostgresBytes(SeriesPostgres postgres, SeriesKind kind, Sizes sizes)
    {
        const int number = SeriesMax + 2;
        double before = postgres.TotalBytes(kind);
        postgres.Load(kind, number, 1, sizes.SizePoints);
        return (postgres.TotalBytes(kind) - before) / sizes.SizePoints;
    }

    private static double SqliteBytes(SeriesSqlite sqlite, Sizes sizes)
    {
        const int number = SeriesMax + 2;
        long before = sqlite.TotalBytes();
        sqlite.Load(SeriesKind.Sensor, number, 1, sizes.SizePoints);
        return (double)(sqlite.TotalBytes() - before) / sizes.SizePoints;
    }

    private static IEnumerable<BenchRow> GetHoursRows(
        BenchContext context, Sizes sizes, SeriesLoad ours, SeriesPostgres? postgres, SeriesSqlite sqlite)
    {
        string[] names = [sizes.Hours, sizes.HoursBesidePostgres, sizes.HoursBesideSqlite, sizes.HoursMemory];
        if (!Array.Exists(names, context.Wants))
        {
            yield break;
        }

        const string id = "hours/1001";
        ours.Write("hours", SeriesKind.Sensor, HoursSeries, 1, sizes.HoursPoints);
        postgres?.Load(SeriesKind.Sensor, HoursSeries, 1, sizes.HoursPoints);
        sqlite.Load(SeriesKind.Sensor, HoursSeries, 1, sizes.HoursPoints);
        double Ours() => Median(9, () => ours.Hours(id));
        yield return new BenchRow
        {
            Name = sizes.Hours,
            Unit = "us",
            Target = BenchTarget.AtMost(10_000),
            WarmUpRuns = 3,
            Ours = Ours,
        };
        yield return new BenchRow
        {
            Name = sizes.HoursBesidePostgres,
            Unit = "us",
            Target = BenchTarget.RatioAtMost(0.2),
            WarmUpRuns = 1,
            Ours = Ours,
            PeerName = Postgres,
            Peer = postgres is null ? null : () => Median(9, () => postgres.Hours(HoursSeries)),
        };
        yield return new BenchRow
        {
            Name = sizes.HoursBesideSqlite,
            Unit = "us",
            WarmUpRuns = 1,
            Ours = Ours,
            PeerName = Sqlite,
            Peer = () => Median(9, () => sqlite.Hours(HoursSeries)),
        };
        yield return new BenchRow
        {
            Name = sizes.HoursMemory,
            Unit = "B/point",
            Target = BenchTarget.AtMost(0.1),
            WarmUpRuns = 1,
            Ours = () => Memory(ours, id, sizes.HoursPoints),
        };
    }

    /// <summary>What the server allocates for a query, without what it allocates to say so.</summary>
    private static double Memory(SeriesLoad ours, string id, int points)
    {
        const int queries = 10;
        double idle = -ours.AllocatedBytes() + ours.AllocatedBytes();
        double before = ours.AllocatedBytes();
        for (int i = 0; i < queries; i++)
        {
            ours.Hours(id);
        }

        return Math.Max(0, ours.AllocatedBytes() - before - idle) / queries / points;
    }

    private static IEnumerable<BenchRow> GetRangeRows(
        BenchContext context, Sizes sizes, SeriesLoad ours, SeriesPostgres? postgres, SeriesSqlite sqlite)
    {
        string[] names = [sizes.Range, sizes.RangeBesideSqlite, sizes.AppendLong];
        if (!Array.Exists(names, context.Wants))
        {
            yield break;
        }

        ours.Write("long", SeriesKind.Sensor, LongSeries, 1, sizes.LongPoints);
        postgres?.Load(SeriesKind.Sensor, LongSeries, 1, sizes.LongPoints);
        sqlite.Load(SeriesKind.Sensor, LongSeries, 1, sizes.LongPoints);
        double Ours() => Ranges(sizes, (from, to) => ours.Range("long/1000", from, to));
        yield return new BenchRow
        {
            Name = sizes.Range,
            Unit = "us",
            Target = BenchTarget.AtMost(1000),
            WarmUpRuns = 1,
            Ours = Ours,
            PeerName = Postgres,
            Peer = postgres is null
                ? null
                : () => Ranges(sizes, (from, to) => postgres.Range(LongSeries, from, to)),
        };
        yield return new BenchRow
        {
            Name = sizes.RangeBesideSqlite,
            Unit = "us",
            WarmUpRuns = 1,
            Ours = Ours,
            PeerName = Sqlite,
            Peer = () => Ranges(sizes, (from, to) => sqlite.Range(LongSeries, from, to)),
        };
    }

    private static IEnumerable<BenchRow> GetAppendRows(
        BenchContext context, Sizes sizes, BenchDatabase database, SeriesLoad ours)
    {
        if (!context.Wants(sizes.Append) && !context.Wants(sizes.AppendLong))
        {
            yield break;
        }

        ours.Write("each", SeriesKind.Sensor, 0, Connections, 1);
        ours.Write("empty", SeriesKind.Sensor, 0, 1, 1);
        string[] each = [.. Enumerable.Range(0, Connections).Select(
            number => string.Create(CultureInfo.InvariantCulture, $"each/{number}"))];
        yield return new BenchRow
        {
            Name = sizes.Append,
            Unit = "requests/s",
            Target = BenchTarget.RatioAtLeast(0.9),
            WarmUpRuns = 4,
            Ours = () => ours.Append(each),
            PeerName = "PUT of 1 KB",
            Peer = () => database.Run("PUT", "docs?id=", Connections).RequestsPerSecond,
        };
        yield return new BenchRow
        {
            Name = sizes.AppendLong,
            Unit = "requests/s",
            Target = BenchTarget.RatioAtLeast(0.9),
            WarmUpRuns = 4,
            Ours = () => ours.Append("long/1000"),
            PeerName = "to an empty one",
            Peer = () => ours.Append("empty/0"),
        };
    }

    /// <summary>The median of ranges of 1,000 points at random places of the long series.</summary>
    private static double Ranges(Sizes sizes, Func<long, long, double> read)
    {
        const int points = 1000;
        var random = new Random(1);
        return Median(200, () =>
        {
            long from = SeriesData.Start + (random.NextInt64(Math.Max(1, sizes.LongPoints - points)) * SeriesData.Step);
            return read(from, from + ((points - 1) * SeriesData.Step));
        });
    }

    private static double Median(int count, Func<double> measure)
    {
        double[] figures = [.. Enumerable.Range(0, count).Select(_ => measure()).Order()];
        return figures[count / 2];
    }

    /// <summary>How much data there is, and what the rows are called.</summary>
    private sealed class Sizes(double scale)
    {
        internal int Series { get; } = Scaled(SeriesMax, Math.Sqrt(scale));

        internal int WarmSeries => Math.Max(1, Series / 2);

        internal int PointsOfSeries { get; } = Scaled(10_000, Math.Sqrt(scale));

        internal int LongPoints { get; } = Scaled(10_000_000, scale);

        internal int HoursPoints { get; } = Scaled(1_000_000, scale);

        internal int SizePoints { get; } = Scaled(1_000_000, scale);

        internal string Insert => Text($"bulk insert of {(long)Series * PointsOfSeries:N0} regular points of 1 value, ")
            + Text($"{Series:N0} series, durable");

        internal string InsertBesideSqlite => Insert + ", beside SQLite";

        internal string InsertCpu => Insert + ", a second of the server's CPU";

        internal string SensorBytes => Text($"bytes a point, {SizePoints:N0} of a sensor of 2 decimals");

        internal string SensorBytesBesideSqlite => SensorBytes + ", beside SQLite";

        internal string WalkBytes => Text($"bytes a point, {SizePoints:N0} of a random walk");

        internal string PriceBytes => Text($"bytes a point, {SizePoints:N0} of prices of 4 values");

        internal string Hours => Text($"hourly mean, least and greatest of {HoursPoints:N0} points of one series");

        internal string HoursBesidePostgres => Hours + ", beside PostgreSQL";

        internal string HoursBesideSqlite => Hours + ", beside SQLite";

        internal string HoursMemory => Hours + ", memory";

        internal string Range => Text($"a range of 1,000 points out of {LongPoints:N0}, p50");

        internal string RangeBesideSqlite => Range + ", beside SQLite";

        internal string Append => "append of one point, 64 connections, in turn to 64 series";

        internal string AppendLong => Text($"append of one point to a series of {LongPoints:N0}, 64 connections");

        internal string[] Names =>
        [
            Insert, InsertBesideSqlite, InsertCpu, SensorBytes, SensorBytesBesideSqlite, WalkBytes, PriceBytes, Hours,
            HoursBesidePostgres, HoursBesideSqlite, HoursMemory, Range, RangeBesideSqlite, Append, AppendLong,
        ];

        private static int Scaled(int size, double scale) => Math.Max(10, (int)(size * scale));

        private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
    }
}
