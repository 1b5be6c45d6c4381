using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Text;

namespace Raven.Tools.Bench.Suites.Cluster;

/// <summary>
/// Writers through some nodes of a cluster, each with one document under way, that note when answers come: for the
/// longest time in which nobody had one. They do not repeat what failed.
/// </summary>
internal sealed class ClusterWriters : IDisposable
{
    private const int WritersOfNode = 8;
    private static readonly TimeSpan AnswerMax = TimeSpan.FromSeconds(30);

    private readonly HttpClient _http = new() { Timeout = AnswerMax };
    private readonly CancellationTokenSource _stop = new();
    private readonly Lock _lock = new();
    private readonly List<long> _answers = [];
    private readonly Task[] _writers;
    private long _failures;

    internal ClusterWriters(BenchCluster cluster, IEnumerable<string> tags)
    {
        _writers = [.. tags.SelectMany(tag => Enumerable.Range(0, WritersOfNode).Select(
            n => cluster.UrlOf(tag, $"/databases/{BenchCluster.Database}/docs?id=w/{tag}{n}")))
            .Select(url => Task.Run(() => RunAsync(url)))];
    }

    /// <summary>How many writes were answered.</summary>
    internal int Answered
    {
        get
        {
            lock (_lock)
            {
                return _answers.Count;
            }
        }
    }

    /// <summary>How many were answered with anything else, or not at all.</summary>
    internal long Failures => Interlocked.Read(ref _failures);

    /// <summary>The longest time without an answer that ended after a moment: from the last answer before it to the
    /// first one behind it.</summary>
    /// <param name="moment">A timestamp of <see cref="Stopwatch"/>.</param>
    internal TimeSpan LongestGapAround(long moment)
    {
        lock (_lock)
        {
            long longest = 0;
            for (int n = 1; n < _answers.Count; n++)
            {
                longest = _answers[n] >= moment ? Math.Max(longest, _answers[n] - _answers[n - 1]) : longest;
            }

            return Stopwatch.GetElapsedTime(0, longest);
        }
    }

    /// <summary>Waits until more writes were answered, and fails if that takes too long.</summary>
    internal void WaitForAnswers(int more)
    {
        int wanted = Answered + more;
        long start = Stopwatch.GetTimestamp();
        while (Answered < wanted)
        {
            if (Stopwatch.GetElapsedTime(start) > AnswerMax)
            {
                throw new TimeoutException($"For {AnswerMax.TotalSeconds:0} s no write was answered.");
            }

            Thread.Sleep(5);
        }
    }

    public void Dispose()
    {
        _stop.Cancel();
        Task.WaitAll(_writers);
        _http.Dispose();
        _stop.Dispose();
    }

    private async Task RunAsync(Uri url)
    {
        for (int n = 0; !_stop.IsCancellationRequested; n++)
        {
            string json = string.Create(
                CultureInfo.InvariantCulture, $$"""{"Value":{{n}},"Text":"{{new string('x', 900)}}"}""");
            try
            {
                using var body = new StringContent(json, Encoding.UTF8, "application/json");
                using HttpResponseMessage answer = await _http.PutAsync(url, body, CancellationToken.None);
                Note(answer.StatusCode == HttpStatusCode.Created);
            }
            catch (Exception failure) when (failure is HttpRequestException or OperationCanceledException)
            {
                Note(isAnswered: false);
            }
        }
    }

    private void Note(bool isAnswered)
    {
        if (!isAnswered)
        {
            Interlocked.Increment(ref _failures);
            return;
        }

        long now = Stopwatch.GetTimestamp();
        lock (_lock)
        {
            // Who comes late to the lock brings an earlier time: then nothing lay between the two.
            _answers.Add(_answers.Count > 0 ? Math.Max(now, _answers[^1]) : now);
        }
    }
}
