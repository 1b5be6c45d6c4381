using System.Diagnostics;
using System.Globalization;
using Raven.Tools.Stress.Indexed;
using Raven.Tools.Stress.Mixed;

namespace Raven.Tools.Stress;

/// <summary>
/// Rounds of: start the server, check all that the rounds before left, write with everything at once, kill. One data
/// folder over all rounds, so that recovery finds what recoveries before it made.
/// </summary>
public sealed class StressRun
{
    /// <summary>
    /// Faults for <see cref="StressOptions.Injections"/>: kills at the n-th write or sync, a disk that is full from
    /// some moment on, a sync that fails, one write that fails.
    /// </summary>
    public static readonly IReadOnlyList<string> StraceFaults =
    [
        "pwrite64,pwritev,pwritev2:signal=KILL:when={n}",
        "fdatasync,fsync:signal=KILL:when={few}",
        "pwrite64,pwritev,pwritev2:error=ENOSPC:when={n}+",
        "fdatasync,fsync:error=EIO:when={few}+",
        "ftruncate,fallocate:error=ENOSPC:when=2+",
        "pwrite64,pwritev,pwritev2:error=EIO:when={n}",
    ];

    private const int InjectionCountMax = 4000;
    private readonly StressOptions _options;
    private readonly TextWriter _output;
    private readonly Random _random;
    private readonly SharedTotals? _totals;
    private readonly IndexCheck? _indexes;
    private readonly Writer[] _writers;
    private readonly List<BulkStream> _streams = [];
    private readonly List<string> _problems = [];
    private int _streamsChecked;
    private long _checked;
    private TimeSpan _slowestStart;

    /// <summary>Makes a run ready; nothing is started yet.</summary>
    public StressRun(StressOptions options, TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(options);
        _options = options;
        _output = output;
        _random = new Random(options.Seed);
        _totals = options.IsMixed ? new SharedTotals() : null;
        _indexes = options.Queries > 0 ? new IndexCheck(options.Seed, options.Queries) : null;
        _writers = [.. Enumerable.Range(0, options.Writers).Select(n => new Writer(n, _random.Next(), _totals))];
    }

    private long Acknowledged => _writers.Sum(writer => writer.Acknowledged);

    /// <summary>Runs all rounds, or until a promise was broken.</summary>
    public async Task<StressResult> RunAsync()
    {
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

        return new StressResult(round, Acknowledged, _checked, _slowestStart, _problems)
        {
            Asked = _indexes?.Asked ?? 0,
            AskedMeanwhile = _indexes?.AskedMeanwhile ?? 0,
        };
    }

    private async Task RunRoundAsync(int round)
    {
        // Now and then the server is killed while it recovers, before it serves.
        if (round > 0 && _random.Next(5) == 0)
        {
            await using ServerProcess early = ServerProcess.Start(_options, injection: null);
            await Task.Delay(_random.Next(50, 600));
        }

        string? injection = NextInjection(round);
        long start = Stopwatch.GetTimestamp();
        await using ServerProcess server = ServerProcess.Start(_options, injection);
        if (await TryGetUrlAsync(server, round, start, mayEnd: injection is not null) is not { } url)
        {
            await _output.WriteLineAsync($"round {round + 1}: {injection ?? "nothing injected"}: it did not come up");
            return;
        }

        using var client = new DatabaseClient(url);
        long before = Acknowledged;
        try
        {
            await client.CreateAsync();
            if (_indexes is not null)
            {
                await IndexCheck.CreateAsync(client);
            }

            for (int i = 0; _totals is not null && i < MixedRequests.SharedDocuments; i++)
            {
                string shared = MixedRequests.SharedDocument(i);
                await client.PutAsync(shared, DocumentContent.Create(shared, 1));
            }

            await CheckAsync(client, round, isFull: false);
        }
        catch (Exception gone) when (injection is not null && gone is (HttpRequestException or IOException))
        {
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
            $"round {round + 1}: {Acknowledged - before} acknowledged, {_checked} checked so far, " +
            $"{_problems.Count} problems"));
    }

    private async Task WriteUntilKilledAsync(ServerProcess server, DatabaseClient client, int round, string? injection)
    {
        using var over = new CancellationTokenSource();
        long wanted = Acknowledged + _options.AcknowledgementsMin + _random.Next(_options.AcknowledgementsMin);
        wanted += injection is null ? 0 : 4L * _options.AcknowledgementsMin; // the fault should end the round
        Task[] writing = [.. _writers.Select(writer => Task.Run(() => writer.RunAsync(client, over.Token)))];
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
        string[] refusals = [.. _writers.Select(writer => writer.Refusal).OfType<string>()];
        await server.KillAsync();
        await over.CancelAsync();
        await Task.WhenAll(writing);
        await streaming;
        List<string> answers = await asking;
        if (injection is null)
        {
            _problems.AddRange(answers.Select(problem => $"round {round + 1}, meanwhile: {problem}"));
        }

        if (injection is null && (endedByItself || refusals.Length != 0))
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

    /// <summary>One bulk insert after the other, so that a kill always strikes one.</summary>
    private async Task StreamAsync(DatabaseClient client, int round, CancellationToken cancellation)
    {
        var random = new Random(_options.Seed + round);
        bool goesOn = true;
        for (int number = 0; goesOn && !cancellation.IsCancellationRequested; number++)
        {
            var stream = new BulkStream($"bulk/r{round}s{number}/", random.Next(500, 30_000));
            lock (_streams)
            {
                _streams.Add(stream);
            }

            goesOn = await stream.RunAsync(client, cancellation);
        }
    }

    private async Task<string?> TryGetUrlAsync(ServerProcess server, int round, long start, bool mayEnd)
    {
        try
        {
            string url = await server.WaitUntilServingAsync(_options.Patience);
            TimeSpan elapsed = Stopwatch.GetElapsedTime(start);
            _slowestStart = elapsed > _slowestStart ? elapsed : _slowestStart;
            return url;
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

    /// <summary>Checks every document of every writer, and the streams of the last round, or of all.</summary>
    private async Task CheckAsync(DatabaseClient client, int round, bool isFull)
    {
        foreach (Writer writer in _writers)
        {
            Dictionary<string, long> found = await MixedCheck.ReadAsync(
                client, writer.Ledger.Ids.Where(name => !StateName.IsDocument(name)));
            foreach (string[] ids in writer.Ledger.Ids.Where(StateName.IsDocument).Chunk(512))
            {
                foreach ((string id, long version) in await client.GetVersionsAsync(ids))
                {
                    found[id] = version;
                }
            }

            _checked += found.Count;
            _problems.AddRange(writer.Ledger.Judge(found).Select(problem => $"before round {round + 1}: {problem}"));
        }

        foreach (BulkStream stream in _streams.Skip(isFull ? 0 : _streamsChecked))
        {
            List<string> problems = await stream.CheckAsync(client);
            _problems.AddRange(problems.Select(problem => $"before round {round + 1}: {problem}"));
            _checked += stream.Kept;
        }

        _streamsChecked = _streams.Count;
        if (_totals is not null)
        {
            List<string> problems =
                await MixedCheck.JudgeAsync(client, _totals, _writers.Select(writer => writer.Ledger));
            _problems.AddRange(problems.Select(problem => $"before round {round + 1}: {problem}"));
            _checked += _totals.Names.Length;
        }

        await CheckCountAsync(client, round);
        if (_indexes is not null)
        {
            List<string> problems = await _indexes.JudgeAsync(client);
            _problems.AddRange(problems.Select(problem => $"before round {round + 1}: {problem}"));
        }
    }

    private async Task CheckCountAsync(DatabaseClient client, int round)
    {
        long wanted = _writers.Sum(writer => writer.Ledger.Acknowledged.LongCount(
                each => each.Value != Ledger.Absent && StateName.IsDocument(each.Key)))
            + (_totals is null ? 0 : MixedRequests.SharedDocuments)
            + _streams.Sum(stream => stream.Kept);
        long count = await client.CountAsync();
        if (count != wanted)
        {
            _problems.Add($"before round {round + 1}: the database counts {count} documents, {wanted} are there");
        }
    }

    /// <summary>The last kill is checked too, and then all of it: what was right once must not be lost later.</summary>
    private async Task CheckAfterLastAsync()
    {
        await using ServerProcess server = ServerProcess.Start(_options, injection: null);
        if (await TryGetUrlAsync(server, _options.Rounds, Stopwatch.GetTimestamp(), mayEnd: false) is { } url)
        {
            using var client = new DatabaseClient(url);
            await CheckAsync(client, _options.Rounds, isFull: true);
        }
    }

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
