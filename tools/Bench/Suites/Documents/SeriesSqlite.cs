using System.Diagnostics;
using Microsoft.Data.Sqlite;

namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>
/// Points in SQLite, in this process: a table without row ids with a primary key of series and time, a write-ahead log,
/// every commit synced.
/// </summary>
internal sealed class SeriesSqlite : IDisposable
{
    private const int PointsOfCommit = 100_000;

    private readonly SqliteConnection _connection;
    private readonly string _file;

    internal SeriesSqlite(string directory)
    {
        Directory.CreateDirectory(directory);
        _file = Path.Combine(directory, "points.sqlite");
        _connection = new SqliteConnection($"Data Source={_file};Pooling=False");
        _connection.Open();
        Execute("pragma journal_mode=wal");
        Execute("pragma synchronous=full");
        Execute("pragma cache_size=-262144");
        Execute("pragma mmap_size=4294967296");
        Execute("create table points(series integer, time integer, value real, primary key (series, time)) "
            + "without rowid");
    }

    /// <summary>Empties the table, as if it had just been made.</summary>
    internal void Clear()
    {
        Execute("delete from points");
        Execute("vacuum");
        Execute("pragma wal_checkpoint(truncate)");
    }

    /// <summary>Writes series of one value, 100,000 points a transaction: points/s.</summary>
    internal double Load(SeriesKind kind, int first, int series, int points)
    {
        long start = Stopwatch.GetTimestamp();
        using SqliteCommand command = _connection.CreateCommand();
        command.CommandText = "insert into points values ($series, $time, $value)";
        SqliteParameter number = command.Parameters.Add("$series", SqliteType.Integer);
        SqliteParameter at = command.Parameters.Add("$time", SqliteType.Integer);
        SqliteParameter one = command.Parameters.Add("$value", SqliteType.Real);
        command.Prepare();
        long written = 0;
        Execute("begin");
        for (int i = first; i < first + series; i++)
        {
            long time = SeriesData.Start;
            number.Value = i;
            foreach (double[] values in SeriesData.Values(kind, i).Take(points))
            {
                at.Value = time;
                one.Value = values[0];
                command.ExecuteNonQuery();
                time += SeriesData.Step;
                if (++written % PointsOfCommit == 0)
                {
                    Execute("commit; begin");
                }
            }
        }

        Execute("commit");
        return (double)series * points / Stopwatch.GetElapsedTime(start).TotalSeconds;
    }

    /// <summary>Bytes of the file.</summary>
    internal long TotalBytes()
    {
        Execute("pragma wal_checkpoint(truncate)");
        return new FileInfo(_file).Length;
    }

    /// <summary>Microseconds of the mean, the least and the greatest value of each hour of a series.</summary>
    internal double Hours(int series) => Time(
        $"select time / 3600000, avg(value), min(value), max(value) from points where series = {series} group by 1");

    /// <summary>Microseconds of reading a range.</summary>
    internal double Range(int series, long from, long to) => Time(
        $"select time, value from points where series = {series} and time between {from} and {to} order by time");

    public void Dispose() => _connection.Dispose();

    private double Time(string sql)
    {
        using SqliteCommand command = _connection.CreateCommand();
        command.CommandText = sql;
        command.Prepare();
        long start = Stopwatch.GetTimestamp();
        using SqliteDataReader rows = command.ExecuteReader();
        while (rows.Read())
        {
            _ = rows.GetDouble(1);
        }

        return Stopwatch.GetElapsedTime(start).TotalMicroseconds;
    }

    private void Execute(string sql)
    {
        using SqliteCommand command = _connection.CreateCommand();
        command.CommandText = sql;
        command.ExecuteNonQuery();
    }
}
