using System.Diagnostics;
using System.Globalization;
using Npgsql;
using NpgsqlTypes;
using Raven.Tools.Load;

namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>
/// PostgreSQL with one table of id and jsonb, by its own protocol and prepared statements: what one would use instead.
/// Started by <c>peers/postgresql.sh</c> on loopback, in a folder of this run, and stopped with it.
/// </summary>
internal sealed class PostgresPeer : IDisposable
{
    internal const string Upsert =
        "insert into docs(id, body) values ($1, $2::jsonb) on conflict (id) do update set body = excluded.body";

    internal const string Insert = "insert into docs(id, body) values ($1, $2::jsonb)";
    internal const string Select = "select body::text from docs where id = $1";
    internal const string Scan = "select body::text from docs where id > $1 order by id limit 50";
    internal const string Delete = "delete from docs where id = $1";
    internal const string Index = "create index on docs ((body->>'Name'))";

    private readonly string _directory;
    private readonly int _port;
    private readonly NpgsqlDataSource _source;

    private PostgresPeer(string directory, int port)
    {
        _directory = directory;
        _port = port;
        _source = NpgsqlDataSource.Create(
            $"Host=127.0.0.1;Port={port};Username=bench;Database=postgres;Maximum Pool Size=150;Max Auto Prepare=10;" +
            "Auto Prepare Min Usages=1;Command Timeout=120");
        Execute("create table docs(id text primary key, body jsonb not null)");
    }

    /// <summary>Its port.</summary>
    internal int Port => _port;

    /// <summary>Its connections.</summary>
    internal NpgsqlDataSource Source => _source;

    /// <summary>Starts it; null, with the reason, if that is not possible.</summary>
    internal static PostgresPeer? TryStart(string directory, out string why)
    {
        (int exitCode, string output, string error) = PeerScript.Run("postgresql.sh", "start", directory);
        if (exitCode != 0
            || !int.TryParse(output.Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out int port))
        {
            why = $"PostgreSQL did not start: {error.Trim()}";
            return null;
        }

        why = "";
        return new PostgresPeer(directory, port);
    }

    /// <summary>Requests/s of many connections that each do one thing at a time.</summary>
    /// <param name="connections">The connections.</param>
    /// <param name="duration">For how long.</param>
    /// <param name="work">What they do: its first parameter is an id, its second, if it has one, a document.</param>
    /// <param name="idOf">The id of the n-th request.</param>
    /// <param name="bodyOf">The document of the n-th request, or null.</param>
    /// <param name="latency">Takes how long each took, if anybody wants to know.</param>
    internal double Run(
        int connections, TimeSpan duration, string work, Func<long, string> idOf, Func<long, string>? bodyOf,
        LatencyHistogram? latency = null)
    {
        long done = 0;
        long end = Stopwatch.GetTimestamp() + (long)(duration.TotalSeconds * Stopwatch.Frequency);
        long start = Stopwatch.GetTimestamp();
        Task[] clients = [.. Enumerable.Range(0, connections).Select(n => Task.Run(() => RunClientAsync(n)))];
        Task.WaitAll(clients);
        return done / Stopwatch.GetElapsedTime(start).TotalSeconds;

        async Task RunClientAsync(int client)
        {
            await using NpgsqlConnection connection = await _source.OpenConnectionAsync();
            await using var command = new NpgsqlCommand(work, connection);
            var id = new NpgsqlParameter<string> { NpgsqlDbType = NpgsqlDbType.Text };
            var body = new NpgsqlParameter<string> { NpgsqlDbType = NpgsqlDbType.Text };
            command.Parameters.Add(id);
            if (bodyOf is not null)
            {
                command.Parameters.Add(body);
            }

            for (long n = client; Stopwatch.GetTimestamp() < end; n += connections)
            {
                id.TypedValue = idOf(n);
                body.TypedValue = bodyOf?.Invoke(n) ?? "";
                long begin = Stopwatch.GetTimestamp();
                await using NpgsqlDataReader rows = await command.ExecuteReaderAsync();
                while (await rows.ReadAsync())
                {
                    _ = rows.GetString(0);
                }

                Interlocked.Increment(ref done);
                Note(latency, begin);
            }
        }
    }

    /// <summary>Documents/s of one COPY into the empty table.</summary>
    internal double Copy(int count, Func<long, string> bodyOf)
    {
        Execute("truncate docs");
        long start = Stopwatch.GetTimestamp();
        using (NpgsqlConnection connection = _source.OpenConnection())
        {
            using NpgsqlBinaryImporter importer = connection.BeginBinaryImport(
                "copy docs(id, body) from stdin (format binary)");
            for (int n = 0; n < count; n++)
            {
                importer.StartRow();
                importer.Write(BenchDatabase.WholeId(n), NpgsqlDbType.Text);
                importer.Write(bodyOf(n), NpgsqlDbType.Jsonb);
            }

            importer.Complete();
        }

        double rate = count / Stopwatch.GetElapsedTime(start).TotalSeconds;

        // A plan that was made for an empty table reads the whole one for each batch of the queue.
        Execute("analyze docs");
        return rate;
    }

    /// <summary>Writes the table as <c>pg_dump -Fc -Z1</c> does: seconds.</summary>
    internal double Dump(string file) => Measure.WallSeconds(() => RunTool("dump", file));

    /// <summary>Reads that back into the table, which keeps its primary key: seconds.</summary>
    internal double Restore(string file)
    {
        Execute("truncate docs");
        return Measure.WallSeconds(() => RunTool("restore", file));
    }

    /// <summary>Documents/s of a worker that takes batches off the table as off a queue, until it is empty.</summary>
    internal double Drain(int batchCount)
    {
        long count = 0;
        long start = Stopwatch.GetTimestamp();
        using NpgsqlConnection connection = _source.OpenConnection();
        using var command = new NpgsqlCommand(
            "delete from docs where id in (select id from docs order by id limit $1 for update skip locked) "
            + "returning body::text",
            connection);
        command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = batchCount });
        for (bool isMore = true; isMore;)
        {
            // The rows are gone with the commit: what is done for them has to be done before.
            using NpgsqlTransaction transaction = connection.BeginTransaction();
            command.Transaction = transaction;
            long before = count;
            using (NpgsqlDataReader rows = command.ExecuteReader())
            {
                while (rows.Read())
                {
                    count += rows.GetString(0).Length > 0 ? 1 : 0;
                }
            }

            transaction.Commit();
            isMore = count > before;
        }

        return count / Stopwatch.GetElapsedTime(start).TotalSeconds;
    }

    /// <summary>CPU time so far of the processes that serve connections and of the others behind them.</summary>
    internal double ReadCpuSeconds()
    {
        string parent = File.ReadLines(Path.Combine(_directory, "pg", "postmaster.pid")).First();
        long ticks = 0;
        foreach (string process in Directory.EnumerateDirectories("/proc").Where(
            path => char.IsAsciiDigit(Path.GetFileName(path)[0])))
        {
            try
            {
                string stat = File.ReadAllText(Path.Combine(process, "stat"));
                string[] fields = stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
                ticks += fields[1] == parent
                    ? long.Parse(fields[11], CultureInfo.InvariantCulture)
                        + long.Parse(fields[12], CultureInfo.InvariantCulture)
                    : 0;
            }
            catch (IOException)
            {
                // It has ended since it was listed.
            }
        }

        return ticks / 100.0; // USER_HZ of Linux, fixed for /proc
    }

    public void Dispose()
    {
        _source.Dispose();
        _ = PeerScript.Run("postgresql.sh", "stop", _directory);
    }

    /// <summary>Runs a statement without rows.</summary>
    internal void Execute(string sql)
    {
        using NpgsqlCommand command = _source.CreateCommand(sql);
        command.ExecuteNonQuery();
    }

    private static void Note(LatencyHistogram? latency, long begin)
    {
        if (latency is not null)
        {
            lock (latency)
            {
                latency.Record((long)Stopwatch.GetElapsedTime(begin).TotalNanoseconds);
            }
        }
    }

    private void RunTool(string verb, string file)
    {
        (int exitCode, _, string error) = PeerScript.Run(
            "postgresql.sh", verb, _directory, _port.ToString(CultureInfo.InvariantCulture), file);
        if (exitCode != 0)
        {
            throw new InvalidOperationException($"{verb} of PostgreSQL ended with {exitCode}: {error.Trim()}");
        }
    }
}
