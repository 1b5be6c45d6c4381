using Raven.Client.Http;

namespace Raven.Client.Documents.Commands;

/// <summary>What a load includes with its documents.</summary>
internal sealed class IncludeList
{
    internal static readonly IncludeList None = new();

    internal List<string> Paths { get; } = [];

    internal List<string> Counters { get; } = [];

    internal List<string> CompareExchange { get; } = [];

    internal List<SeriesInclude> Series { get; } = [];

    internal bool AllCounters { get; set; }

    internal bool IsEmpty => Paths.Count == 0 && Counters.Count == 0 && CompareExchange.Count == 0
        && Series.Count == 0 && !AllCounters;

    internal void AddTo(UrlBuilder url)
    {
        url.AddAll("include", Paths);
        if (AllCounters)
        {
            url.Add("counter", "@all_counters");
        }
        else
        {
            url.AddAll("counter", Counters);
        }

        url.AddAll("cmpxchg", CompareExchange);
        foreach (SeriesInclude series in Series)
        {
            series.AddTo(url);
        }
    }
}
