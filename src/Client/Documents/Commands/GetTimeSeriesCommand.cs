using Raven.Client.Documents.Operations.TimeSeries;
using Raven.Client.Http;
using Raven.Client.Json;

namespace Raven.Client.Documents.Commands;

/// <summary>Reads a range of a time series; null if there is no such series.</summary>
internal sealed class GetTimeSeriesCommand : RavenCommand<TimeSeriesRangeResult>
{
    private readonly string _id;
    private readonly string _name;
    private readonly DateTime? _from;
    private readonly DateTime? _to;

    /// <exception cref="ArgumentException">A name is empty, or the range ends before it begins.</exception>
    internal GetTimeSeriesCommand(string id, string name, DateTime? from, DateTime? to)
    {
        ArgumentException.ThrowIfNullOrEmpty(id);
        ArgumentException.ThrowIfNullOrEmpty(name);
        TimeSeriesOperation.CheckRange(from, to);
        (_id, _name, _from, _to) = (id, name, from, to);
    }

    public override bool IsReadRequest => true;

    internal override string Kind => "time series";

    internal int Start { get; init; }

    internal int PageSize { get; init; } = int.MaxValue;

    internal bool IsFull { get; init; }

    internal bool HasDocument { get; init; }

    internal bool HasTags { get; init; }

    protected internal override HttpRequestMessage CreateRequest(ServerNode node) =>
        new UrlBuilder(node, "/timeseries").Add("docId", _id).Add("name", _name)
            .Add("from", SeriesTime.TextOf(_from)).Add("to", SeriesTime.TextOf(_to))
            .Add("start", Start == 0 ? null : Start).Add("pageSize", PageSize == int.MaxValue ? null : PageSize)
            .Add("includeDocument", HasDocument).Add("includeTags", HasTags).Add("full", IsFull)
            .ToRequest(HttpMethod.Get);

    protected internal override TimeSeriesRangeResult? ReadResponse(RavenResponse response) =>
        response.IsNotFound ? null : SeriesJson.ReadRange(response.Body);
}
