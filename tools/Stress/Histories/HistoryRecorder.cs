using System.Collections.Concurrent;
using System.Globalization;
using System.Net;

namespace Raven.Tools.Stress.Histories;

/// <summary>What all clients of a history have seen. Any thread.</summary>
/// <param name="clock">Their clock.</param>
internal sealed class HistoryRecorder(HistoryClock clock)
{
    private static readonly TimeSpan HeldMin = TimeSpan.FromSeconds(1);

    private readonly ConcurrentQueue<HistoryTransaction> _history = new();
    private readonly ConcurrentDictionary<string, int> _answers = new();
    private readonly ConcurrentDictionary<string, string> _unexpected = new();
    private int _lastNumber;

    /// <summary>The history so far.</summary>
    internal IReadOnlyList<HistoryTransaction> History => [.. _history];

    /// <summary>How many answers of each kind there were.</summary>
    internal IEnumerable<string> Answers => _answers
        .OrderBy(each => each.Key, StringComparer.Ordinal)
        .Select(each => string.Create(CultureInfo.InvariantCulture, $"{each.Key}: {each.Value}"));

    /// <summary>Answers that no fault explains, one of each kind.</summary>
    internal IEnumerable<string> Unexpected =>
        _unexpected.Select(each => $"unexpected answer {each.Key}: {each.Value}");

    /// <summary>The clock.</summary>
    internal HistoryClock Clock => clock;

    /// <summary>A number that no other transaction appends.</summary>
    internal int NextNumber() => Interlocked.Increment(ref _lastNumber);

    /// <summary>Takes a transaction.</summary>
    internal void Add(HistoryTransaction one) => _history.Enqueue(one);

    /// <summary>Keeps an answer that should not have come, the first one of its kind.</summary>
    /// <param name="kind">The kind.</param>
    /// <param name="what">What was asked, and the answer.</param>
    internal void Fail(string kind, string what) =>
        _unexpected.TryAdd(kind, $"at {clock.Elapsed.TotalSeconds:0.0} s: {what}");

    /// <summary>Counts an answer, and keeps one that should not have come.</summary>
    /// <param name="what">What was asked.</param>
    /// <param name="began">When.</param>
    /// <param name="status">What it was answered with; null if the connection was cut.</param>
    /// <param name="type">The type of the error.</param>
    /// <param name="text">The whole answer.</param>
    internal void Count(string what, long began, HttpStatusCode? status, string? type, string text)
    {
        string name = status is null
            ? "no answer"
            : string.Create(CultureInfo.InvariantCulture, $"{(int)status}{(type is null ? "" : " " + type)}");
        bool isExpected = status is null or HttpStatusCode.OK or HttpStatusCode.Created or HttpStatusCode.NoContent
            or HttpStatusCode.Conflict or HttpStatusCode.ServiceUnavailable or HttpStatusCode.InsufficientStorage
            || (status == HttpStatusCode.InternalServerError && type == "RavenTimeoutException");
        if (status == HttpStatusCode.ServiceUnavailable && type == "NoLeaderException"
            && clock.Now - began < HeldMin.Ticks && !text.Contains("this node stops", StringComparison.Ordinal))
        {
            // It is to be held while a node may come that can serve it, unless its body was read.
            isExpected = !what.StartsWith("GET ", StringComparison.Ordinal);
            name += " at once";
        }

        _answers.AddOrUpdate(name, 1, (_, count) => count + 1);
        if (!isExpected)
        {
            Fail(name, $"{what}: {text}");
        }
    }
}
