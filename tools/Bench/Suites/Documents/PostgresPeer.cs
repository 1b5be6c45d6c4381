using System.Diagnostics;
using System.Globalization;
using Npgsql;
using NpgsqlTypes;

namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>
/// PostgreSQL with one table of id and jsonb, by its own protocol and prepared statements: what one would use instead.
/// Started by <c>peers/postgresql.sh</c> on loopback, in a folder of this run, and stopped with it.
/// </summary>
internal sealed class PostgresPeer : IDisposable
{
    private const string Upsert =
        "insert into docs(id, body) values ($1, $2::jsonb) on conflict (id) do update set body = excluded.body";

    private readonly string _directory;
    private readonly NpgsqlDataSource _source;

    private PostgresPeer(string directory, int port)
    {
        _directory = directory;
        _source = NpgsqlDataSource.Create(
            $"Host=127.0.0.1;Port={port};Username=bench;Database=postgres;Maximum Pool Size=150;Max Auto Prepare=10;" +
            "Auto Prepare Min Usages=1;Command Timeout=120");
        Execute("create table docs(id text primary key, body jsonb not null)");
    }

    /// <summary>Starts it; null, with the reason, where that is not possible.</summary>
    internal static PostgresPeer? TryStart(string directory, out string why)
    {
        (int exitCode, string output, string error) = RunScript("start", directory);
        if (exitCode != 0
            || !int.TryParse(output.Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out int port))
        {
            why = $"PostgreSQL did not start: {error.Trim()}";
            return null;
        }

        why = "";
        return new PostgresPeer(directory, port);
    }

    /// <summary>Requests/s of many connections that each write or read one document at a time.</summary>
    internal double Run(int connections, TimeSpan duration, bool isWrite, int documentCount, Func<long, string> bodyOf)
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
            await using var command = new NpgsqlCommand(
                isWrite ? Upsert : "select body::text from docs where id = $1", connection);
            var id = new NpgsqlParameter<string> { NpgsqlDbType = NpgsqlDbType.Text };
            var body = new NpgsqlParameter<string> { NpgsqlDbType = NpgsqlDbType.Text };
            command.Parameters.Add(id);
            if (isWrite)
            {
                command.Parameters.Add(body);
            }

            for (long n = client; Stopwatch.GetTimestamp() < end; n += connections)
            {
                id.TypedValue = DocumentsSuite.IdOf(n % documentCount);
                body.TypedValue = isWrite ? bodyOf(n) : "";
                _ = isWrite ? await command.ExecuteNonQueryAsync() : await command.ExecuteScalarAsync();
                Interlocked.Increment(ref done);
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
                importer.Write(DocumentsSuite.IdOf(n), NpgsqlDbType.Text);
                importer.Write(bodyOf(n), NpgsqlDbType.Jsonb);
            }

            importer.Complete();
        }

        return count / Stopwatch.GetElapsedTime(start).TotalSeconds;
    }

    public void Dispose()
    {
        _source.Dispose();
        _ = RunScript("stop", _directory);
    }

    private void Execute(string sql)
    {
        using NpgsqlCommand command = _source.CreateCommand(sql);
        command.ExecuteNonQuery();
    }

    private static (int ExitCode, string Output, string Error) RunScript(string verb, string directory)
    {
        string script = Path.Combine(AppContext.BaseDirectory, "peers", "postgresql.sh");
        var start = new ProcessStartInfo("bash", [script, verb, directory])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using Process process = Process.Start(start) ?? throw new InvalidOperationException("bash did not start");
        Task<string> error = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return (process.ExitCode, output, error.GetAwaiter().GetResult());
    }
}
