using Raven.Client.Documents.Operations.TimeSeries;
using Raven.Client.Http;
using Raven.Client.Json;

namespace Raven.Client.Documents.Commands;

/// <summary>Reads the entries of a time series as they arrive; null if there is no such series.</summary>
internal sealed class StreamTimeSeriesCommand : RavenCommand<DocumentLines>
{
    private readonly string _id;
    private readonly string _name;
    private readonly DateTime? _from;
    private readonly DateTime? _to;

    /// <exception cref="ArgumentException">A name is empty, or the range ends before it begins.</exception>
    internal StreamTimeSeriesCommand(string id, string name, DateTime? from, DateTime? to)
    {
        ArgumentException.ThrowIfNullOrEmpty(id);
        ArgumentException.ThrowIfNullOrEmpty(name);
        TimeSeriesOperation.CheckRange(from, to);
        (_id, _name, _from, _to) = (id, name, from, to);
    }

    public override bool IsReadRequest => true;

    public override bool CanCache => false;

    internal override bool IsStream => true;

    internal override string Kind => "stream";

    protected internal override HttpRequestMessage CreateRequest(ServerNode node) =>
        new UrlBuilder(node, "/streams/timeseries").Add("docId", _id).Add("name", _name)
            .Add("from", SeriesTime.TextOf(_from)).Add("to", SeriesTime.TextOf(_to)).ToRequest(HttpMethod.Get);

    protected internal override DocumentLines? ReadResponse(RavenResponse response) => null;

    internal override DocumentLines ReadStream(HttpResponseMessage response) => new(response, AnswerTimeMax, StoreEnd);
}
