using System.Diagnostics;
using Npgsql;
using NpgsqlTypes;

namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>
/// Points in PostgreSQL: a plain table with a primary key of series and time, and a BRIN on time, written by COPY and
/// read by prepared statements.
/// </summary>
internal sealed class SeriesPostgres : IDisposable
{
    private const string Table =
        "create table points(series int not null, time timestamp not null, value float8 not null, "
        + "primary key (series, time)); create index on points using brin (time);"
        + "create table walks(like points including all);"
        + "create table prices(series int not null, time timestamp not null, open float8 not null, "
        + "close float8 not null, high float8 not null, low float8 not null, primary key (series, time));"
        + "create index on prices using brin (time)";

    private readonly PostgresPeer _peer;

    private SeriesPostgres(PostgresPeer peer)
    {
        _peer = peer;
        peer.Execute(Table);
    }

    /// <summary>Starts it; null, with the reason, if that is not possible.</summary>
    internal static SeriesPostgres? TryStart(string directory, out string why) =>
        PostgresPeer.TryStart(directory, out why) is { } peer ? new SeriesPostgres(peer) : null;

    /// <summary>Writes series by one COPY: points/s.</summary>
    /// <param name="kind">What they are like; each kind has its table.</param>
    /// <param name="first">The number of the first series.</param>
    /// <param name="series">How many there are.</param>
    /// <param name="points">The points of each.</param>
    internal double Load(SeriesKind kind, int first, int series, int points)
    {
        string columns = kind == SeriesKind.Prices ? "open, close, high, low" : "value";
        long start = Stopwatch.GetTimestamp();
        using (NpgsqlConnection connection = _peer.Source.OpenConnection())
        using (NpgsqlBinaryImporter importer = connection.BeginBinaryImport(
            $"copy {TableOf(kind)}(series, time, {columns}) from stdin (format binary)"))
        {
            for (int i = first; i < first + series; i++)
            {
                Write(importer, kind, i, points);
            }

            importer.Complete();
        }

        return (double)series * points / Stopwatch.GetElapsedTime(start).TotalSeconds;
    }

    /// <summary>Empties the table of a kind, as if it had just been made.</summary>
    internal void Clear(SeriesKind kind) => _peer.Execute($"truncate {TableOf(kind)}; checkpoint");

    /// <summary>Bytes of a table with its indexes.</summary>
    internal double TotalBytes(SeriesKind kind)
    {
        _peer.Execute("checkpoint");
        using NpgsqlCommand command =
            _peer.Source.CreateCommand($"select pg_total_relation_size('{TableOf(kind)}')");
        return (long)command.ExecuteScalar()!;
    }

    /// <summary>Microseconds of the mean, the least and the greatest value of each hour of a series.</summary>
    internal double Hours(int series) => Time(
        "select date_trunc('hour', time), avg(value), min(value), max(value) from points where series = $1 "
        + "group by 1 order by 1",
        command => command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = series }));

    /// <summary>Microseconds of reading a range.</summary>
    internal double Range(int series, long from, long to) => Time(
        "select time, value from points where series = $1 and time between $2 and $3 order by time",
        command =>
        {
            command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = series });
            command.Parameters.Add(Parameter(from));
            command.Parameters.Add(Parameter(to));
        });

    public void Dispose() => _peer.Dispose();

    private static string TableOf(SeriesKind kind) =>
        kind switch { SeriesKind.Sensor => "points", SeriesKind.Walk => "walks", _ => "prices" };

    private static void Write(NpgsqlBinaryImporter importer, SeriesKind kind, int series, int points)
    {
        long time = SeriesData.Start;
        foreach (double[] values in SeriesData.Values(kind, series).Take(points))
        {
            importer.StartRow();
            importer.Write(series, NpgsqlDbType.Integer);
            importer.Write(TimeOf(time), NpgsqlDbType.Timestamp);
            foreach (double value in values)
            {
                importer.Write(value, NpgsqlDbType.Double);
            }

            time += SeriesData.Step;
        }
    }

    private static NpgsqlParameter<DateTime> Parameter(long time) =>
        new NpgsqlParameter<DateTime> { TypedValue = TimeOf(time), NpgsqlDbType = NpgsqlDbType.Timestamp };

    private static DateTime TimeOf(long time) =>
        DateTime.SpecifyKind(DateTime.UnixEpoch.AddMilliseconds(time), DateTimeKind.Unspecified);

    private double Time(string sql, Action<NpgsqlCommand> prepare)
    {
        using NpgsqlConnection connection = _peer.Source.OpenConnection();
        using var command = new NpgsqlCommand(sql, connection);
        prepare(command);
        command.Prepare();
        long start = Stopwatch.GetTimestamp();
        using NpgsqlDataReader rows = command.ExecuteReader();
        while (rows.Read())
        {
            _ = rows.GetDouble(1);
        }

        return Stopwatch.GetElapsedTime(start).TotalMicroseconds;
    }
}
