using Raven.Client.Documents.Operations.TimeSeries;
using Raven.Client.Documents.Queries;
using Raven.Client.Http;
using Raven.Client.Json;

namespace Raven.Client.Documents.Commands;

/// <summary>A range of time series that is sent along with documents.</summary>
internal sealed record SeriesInclude
{
    /// <summary>Stands for the name of every series.</summary>
    internal const string All = "@all_timeseries";

    internal required string Name { get; init; }

    internal DateTime? From { get; init; }

    internal DateTime? To { get; init; }

    /// <summary>How many entries at the end; null for a range.</summary>
    internal int? Count { get; init; }

    /// <summary>How much time before the last entry; null for a range.</summary>
    internal TimeValue? Time { get; init; }

    internal void AddTo(UrlBuilder url)
    {
        if (Count is { } count)
        {
            url.Add("timeseriescount", Name).Add("countType", "Last").Add("countValue", count);
        }
        else if (Time is { } time)
        {
            url.Add("timeseriestime", Name).Add("timeType", "Last").Add("timeValue", time.Value)
                .Add("timeUnit", time.Unit.ToString());
        }
        else
        {
            url.Add("timeseries", Name).Add("from", SeriesTime.TextOf(From) ?? "")
                .Add("to", SeriesTime.TextOf(To) ?? "");
        }
    }

    /// <summary>The same in RQL.</summary>
    internal string ToRql(RqlBuilder rql)
    {
        string range = Count is { } count ? $"last({rql.Parameter(count)})"
            : Time is { } time ? $"last({rql.Parameter(time.Value)}, '{time.Unit}')"
            : $"{rql.Parameter(SeriesTime.TextOf(From))}, {rql.Parameter(SeriesTime.TextOf(To))}";
        return $"timeseries({rql.Parameter(Name)}, {range})";
    }
}
