using System.Diagnostics;
using System.Globalization;
using Raven.Tools.Stress.Databases;
using Raven.Tools.Stress.Indexed;
using System.Net.Sockets;

namespace Raven.Tools.Stress;

/// <summary>
/// Rounds of: start the server, check all that the rounds before left, write with everything at once, kill. One data
/// folder over all rounds, so that recovery finds what recoveries before it made.
/// </summary>
public sealed class StressRun
{
    /// <summary>
    /// Faults for <see cref="StressOptions.Injections"/>: kills at the n-th write or sync, a disk that is full from
    /// some moment on, a sync that fails, one write that fails, one read; and calls that a signal interrupts, each
    /// second one of its kind, which is no failure at all.
    /// </summary>
    public static readonly IReadOnlyList<string> StraceFaults =
    [
        "pwrite64,pwritev,pwritev2:signal=KILL:when={n}",
        "fdatasync,fsync:signal=KILL:when={few}",
        "pwrite64,pwritev,pwritev2:error=ENOSPC:when={n}+",
        "fdatasync,fsync:error=EIO:when={few}+",
        "ftruncate,fallocate:error=ENOSPC:when=2+",
        "pwrite64,pwritev,pwritev2:error=EIO:when={n}",
        "pread64:error=EIO:when={n}",
        $"pwrite64,fallocate:{Interruption}:when=2+2",
    ];

    private const string Interruption = "error=EINTR";

    private const int InjectionCountMax = 4000;
    private readonly StressOptions _options;
    private readonly TextWriter _output;
    private readonly Random _random;
    private readonly IndexCheck? _indexes;
    private readonly StressDatabase _database;
    private readonly Crowd? _crowd;
    private readonly StressSecurity? _security;
    private readonly List<string> _problems = [];
    private readonly List<string> _slowStarts = [];
    private ServerStart _slowestStart;
    private int _crowdedRounds;

    /// <summary>Makes a run ready; nothing is started yet.</summary>
    public StressRun(StressOptions options, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(options);
        _options = options;
        _output = output;
        _random = new Random(options.Seed);
        _indexes = options.Queries > 0 ? new IndexCheck(options.Seed, options.Queries, options.Engine) : null;
        _database = new StressDatabase(
            DatabaseClient.DefaultName, _random, Enumerable.Range(0, options.Writers), options.IsMixed);
        _security = options.IsSecured ? new StressSecurity() : null;
        _crowd = options.Databases > 0 && options.Injections.Count == 0 ? new Crowd(options, _random) : null;
    }

    private IEnumerable<StressDatabase> Databases => _crowd is null ? [_database] : [_database, .. _crowd.Databases];

    private long Acknowledged => Databases.Sum(database => database.Acknowledged);

    private long Checked => Databases.Sum(database => database.Checked);

    /// <summary>Runs all rounds, or until a promise was broken.</summary>
    public async Task<StressResult> RunAsync()
    {
        using StressSecurity? security = _security;
        await _output.WriteLineAsync(
            $"seed {_options.Seed}, {_options.Rounds} rounds, data in {_options.DataDirectory}");
        int round = 0;
        for (; round < _options.Rounds && _problems.Count == 0; round++)
        {
            await RunRoundAsync(round);
        }

        if (_problems.Count == 0)
        {
            await CheckAfterLastAsync();
        }

        foreach (string problem in _problems.Take(50))
        {
            await _output.WriteLineAsync($"BROKEN: {problem}");
        }

        return new StressResult(round, Acknowledged, Checked, _slowestStart, _problems)
        {
            SlowStarts = _slowStarts,
            CrowdedRounds = _crowdedRounds,
            Asked = (_indexes?.Asked ?? 0) + (_crowd?.Asked ?? 0),
            AskedMeanwhile = _indexes?.AskedMeanwhile ?? 0,
        };
    }

    private async Task RunRoundAsync(int round)
    {
        // Now and then the server is killed while it recovers, before it serves.
        if (round > 0 && _random.Next(5) == 0)
        {
            await using ServerProcess early = StartServer(injection: null, round);
            await Task.Delay(_random.Next(50, 600));
        }

        _crowdedRounds += IsCrowded(round) ? 1 : 0;
        string? injection = NextInjection(round);
        long journalBytes = ServerStart.JournalBytesIn(_options.DataDirectory);
        long start = Stopwatch.GetTimestamp();
        await using ServerProcess server = StartServer(injection, round);
        if (await TryGetUrlAsync(server, round, mayEnd: MayFail(injection)) is not { } url)
        {
            await _output.WriteLineAsync($"round {round + 1}: {injection ?? "nothing injected"}: it did not come up");
            return;
        }

        using var client = new DatabaseClient(url, _security);
        long before = Acknowledged;
        try
        {
            await OpenAsync(client, round, start, journalBytes);
            await _database.CreateAsync(client);
            if (_indexes is not null)
            {
                await IndexCheck.CreateAsync(client);
            }

            await CheckAsync(client, round, isFull: false);
        }
        catch (Exception gone) when (gone is HttpRequestException or IOException or SocketException)
        {
            if (!MayFail(injection))
            {
                _problems.Add($"before round {round + 1}: {gone.Message}{Environment.NewLine}{server.LastLines}");
                return;
            }

            // The next round checks.
            await _output.WriteLineAsync($"round {round + 1}: {injection} struck before the writing: {gone.Message}");
            return;
        }

        if (_problems.Count == 0)
        {
            await WriteUntilKilledAsync(server, client, round, injection);
        }

        await _output.WriteLineAsync(string.Create(
            CultureInfo.InvariantCulture,
            $"round {round + 1}: {Acknowledged - before} acknowledged, {Checked} checked so far, " +
            $"{_problems.Count} problems{(IsCrowded(round) ? ", many databases in a small heap" : "")}"));
    }

    private async Task WriteUntilKilledAsync(ServerProcess server, DatabaseClient client, int round, string? injection)
    {
        using var over = new CancellationTokenSource();
        long wanted = Acknowledged + _options.AcknowledgementsMin + _random.Next(_options.AcknowledgementsMin);
        wanted += MayFail(injection) ? 4L * _options.AcknowledgementsMin : 0; // the fault should end the round
        (Writer Writer, DatabaseClient Client)[][] clients = [.. Enumerable.Range(0, _options.Writers)
            .Select(number => WritersOf(number, client, round).ToArray())];
        Task[] writing = [.. clients.Select((writers, number) =>
            Task.Run(() => WriteAsync(writers, new Random(_options.Seed + (round * 100) + number), over.Token)))];
        Task streaming = Task.Run(() => StreamAsync(client, round, over.Token));
        Task<List<string>> asking = _indexes is null
            ? Task.FromResult(new List<string>())
            : Task.Run(() => _indexes.RunAsync(client, round, over.Token));
        long start = Stopwatch.GetTimestamp();
        while (Acknowledged < wanted && !server.HasEnded && !Array.TrueForAll(writing, task => task.IsCompleted))
        {
            await Task.Delay(1);
            if (Stopwatch.GetElapsedTime(start) > _options.Patience)
            {
                if (injection is null)
                {
                    _problems.Add($"round {round + 1}: only {Acknowledged} writes acknowledged in {_options.Patience}");
                }

                break;
            }
        }

        await Task.Delay(_random.Next(0, 20));
        bool endedByItself = server.HasEnded;
        string[] refusals =
            [.. clients.SelectMany(writers => writers.Select(each => each.Writer.Refusal)).OfType<string>()];
        await server.KillAsync();
        await over.CancelAsync();
        await Task.WhenAll(writing);
        await streaming;
        List<string> answers = await asking;
        if (!MayFail(injection))
        {
            _problems.AddRange(answers.Select(problem => $"round {round + 1}, meanwhile: {problem}"));
        }

        if (!MayFail(injection) && (endedByItself || refusals.Length != 0))
        {
            _problems.Add($"round {round + 1}: the server ended or refused by itself: {string.Join("; ", refusals)}"
                + Environment.NewLine + server.LastLines);
        }

        if (injection is not null)
        {
            string effect = endedByItself ? "ended the server"
                : refusals.Length != 0 ? $"made it refuse ({refusals[0]})"
                : "did not strike";
            await _output.WriteLineAsync($"round {round + 1}: {injection} {effect}");
        }
    }

    /// <summary>The writers that are one client: of the one database, and in crowded rounds of others too.</summary>
    private IEnumerable<(Writer Writer, DatabaseClient Client)> WritersOf(int number, DatabaseClient client, int round)
    {
        yield return (_database.Writers[number], client);
        if (_crowd is not null && IsCrowded(round))
        {
            foreach ((Writer writer, string name) in _crowd.WritersOf(number))
            {
                yield return (writer, client.Of(name));
            }
        }
    }

    /// <summary>One request after the other, each to one of the databases.</summary>
    private static async Task WriteAsync(
        (Writer Writer, DatabaseClient Client)[] writers, Random random, CancellationToken cancellation)
    {
        Array.ForEach(writers, each => each.Writer.Begin());
        while (!cancellation.IsCancellationRequested)
        {
            (Writer writer, DatabaseClient client) = writers[random.Next(writers.Length)];
            if (!await writer.TrySendAsync(client))
            {
                return;
            }
        }
    }

    /// <summary>One bulk insert after the other, so that a kill always strikes one.</summary>
    private async Task StreamAsync(DatabaseClient client, int round, CancellationToken cancellation)
    {
        var random = new Random(_options.Seed + round);
        bool goesOn = true;
        for (int number = 0; goesOn && !cancellation.IsCancellationRequested; number++)
        {
            BulkStream stream = _database.AddStream($"bulk/r{round}s{number}/", random.Next(500, 30_000));
            goesOn = await stream.RunAsync(client, cancellation);
        }
    }

    private async Task<string?> TryGetUrlAsync(ServerProcess server, int round, bool mayEnd)
    {
        try
        {
            return await server.WaitUntilServingAsync(_options.Patience);
        }
        catch (Exception failed) when (failed is InvalidOperationException or TimeoutException)
        {
            if (!mayEnd)
            {
                _problems.Add($"round {round + 1}: the server does not come up: {failed.Message}"
                    + Environment.NewLine + server.LastLines);
            }

            return null;
        }
    }

    /// <summary>Waits until all databases are recovered: only then the server is ready.</summary>
    private async Task OpenAsync(DatabaseClient client, int round, long startedAt, long journalBytes)
    {
        await Task.WhenAll(((string[])[DatabaseClient.DefaultName, .. _crowd?.Names ?? []])
            .Select(name => client.Of(name).OpenAsync()));
        var start = new ServerStart(Stopwatch.GetElapsedTime(startedAt), journalBytes);
        _slowestStart = start.Elapsed > _slowestStart.Elapsed ? start : _slowestStart;
        if (start.IsSlow)
        {
            bool isExcused = ServerStart.IsMachineOverloaded(out double load);
            string slow = string.Create(
                CultureInfo.InvariantCulture, $"before round {round + 1}: a start of {start}, at a load of {load}");
            (isExcused ? _slowStarts : _problems).Add(slow);
        }

        double gigabytes = HeapBytesMaxOf(round) / (double)(1 << 30) ?? double.MaxValue;
        if (gigabytes < await client.GetUsableGigabytesAsync() - 0.01)
        {
            _problems.Add($"before round {round + 1}: the server does not know of the limit of its heap");
        }
    }

    private async Task CheckAsync(DatabaseClient client, int round, bool isFull)
    {
        List<string> problems = await _database.CheckAsync(client, isFull);
        if (_indexes is not null)
        {
            problems.AddRange(await _indexes.JudgeAsync(client));
        }

        if (_crowd is not null)
        {
            problems.AddRange(await _crowd.PrepareAsync(client, IsCrowded(round), isFull));
        }

        _problems.AddRange(problems.Select(problem => $"before round {round + 1}: {problem}"));
    }

    /// <summary>The last kill is checked too, and then all of it: what was right once must not be lost later.</summary>
    private async Task CheckAfterLastAsync()
    {
        int round = _options.Rounds;
        long journalBytes = ServerStart.JournalBytesIn(_options.DataDirectory);
        long start = Stopwatch.GetTimestamp();
        await using ServerProcess server = StartServer(injection: null, round);
        if (await TryGetUrlAsync(server, round, mayEnd: false) is { } url)
        {
            using var client = new DatabaseClient(url, _security);
            await OpenAsync(client, round, start, journalBytes);
            await CheckAsync(client, round, isFull: true);
        }
    }

    /// <summary>
    /// Two rounds of four, one after the other: so that many are recovered in a small heap, and in a large one.
    /// </summary>
    private bool IsCrowded(int round) => _crowd is not null && round % 4 is 1 or 2;

    private ServerProcess StartServer(string? injection, int round) =>
        ServerProcess.Start(_options, _security, injection, HeapBytesMaxOf(round));

    private long? HeapBytesMaxOf(int round) => IsCrowded(round) ? _options.HeapBytesMax : null;

    /// <summary>Whether the server may refuse or end by itself.</summary>
    private static bool MayFail(string? injection) =>
        injection is not null && !injection.Contains(Interruption, StringComparison.Ordinal);

    private string? NextInjection(int round)
    {
        if (_options.Injections.Count == 0)
        {
            return null;
        }

        // As often early (opening and recovery write too) as late, in the middle of the load.
        int count = (int)Math.Pow(InjectionCountMax, _random.NextDouble());
        string many = count.ToString(CultureInfo.InvariantCulture);
        string few = _random.Next(1, 8).ToString(CultureInfo.InvariantCulture);
        return _options.Injections[round % _options.Injections.Count]
            .Replace("{n}", many, StringComparison.Ordinal).Replace("{few}", few, StringComparison.Ordinal);
    }
}
