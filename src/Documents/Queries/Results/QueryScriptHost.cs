using System.Buffers;
using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Reading;
using Raven.Documents.Ids;
using Raven.Documents.Patching;
using Raven.Documents.Queries.Rql;
using Raven.Documents.Queries.Series;
using Raven.Documents.Rows;
using Raven.Documents.Rows.Series;
using Raven.Documents.TimeSeries;
using Raven.Scripting.Hosting;

namespace Raven.Documents.Queries.Results;

/// <summary>The functions for the script of a projection: read the snapshot of the query, and
/// include documents.</summary>
/// <param name="session">The query.</param>
/// <param name="context">Memory of one result.</param>
/// <param name="includes">Takes what scripts include; null where nothing is sent along.</param>
/// <param name="texts">The memory of large texts.</param>
internal sealed class QueryScriptHost(
    QuerySession session, OperationContext context, IScriptIncludes? includes, ScriptTextReservation texts)
    : ScriptHost
{
    /// <summary>The memory of large texts.</summary>
    internal ScriptTextReservation Texts => texts;

    /// <inheritdoc/>
    public override OperationContext Context => context;

    /// <inheritdoc/>
    public override bool TryTakeText(long bytes) => texts.TryTake(bytes);

    /// <inheritdoc/>
    public override bool TryLoad(string id, out ScriptDocument document)
    {
        bool isFound = session.Snapshot.TryGet(Encoding.UTF8.GetBytes(id), out StoredDocument stored);
        document = isFound ? QueryScript.ToScript(in stored) : null!;
        return isFound;
    }

    /// <inheritdoc/>
    public override bool TryGetCompareExchange(string key, out BlittableValue value)
    {
        value = default;
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        if (!DocumentId.TryFold(Encoding.UTF8.GetBytes(key), folded, out int length, out _)
            || !session.Snapshot.TryGetCompareExchange(folded[..length], out CompareExchangeValue stored))
        {
            return false;
        }

        return stored.Value.TryGet("Object"u8, out value);
    }

    /// <inheritdoc/>
    public override bool TryGetCounter(string documentId, string name, out long value)
    {
        value = 0;
        if (!CounterValues.TryGet(
            session.Snapshot, Encoding.UTF8.GetBytes(documentId), name, out StoredCounter counter))
        {
            return false;
        }

        value = counter.Value;
        return true;
    }

    /// <inheritdoc/>
    public override bool TryGetRawCounter(string documentId, string name, out string node, out long value)
    {
        bool isFound = CounterValues.TryGet(
            session.Snapshot, Encoding.UTF8.GetBytes(documentId), name, out StoredCounter counter);
        node = isFound ? Encoding.UTF8.GetString(CounterValues.DatabaseOf(counter.ChangeVector.Span)) : "";
        value = isFound ? counter.Value : 0;
        return isFound;
    }

    /// <inheritdoc/>
    public override IEnumerable<ScriptTimeSeriesEntry> GetTimeSeries(
        string documentId, string name, DateTimeOffset from, DateTimeOffset to)
    {
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        Span<byte> key = stackalloc byte[SeriesKey.SizeBytesMax];
        if (!DocumentId.TryFold(Encoding.UTF8.GetBytes(documentId), folded, out int length, out _)
            || !SeriesKey.TryWrite(key, folded[..length], Encoding.UTF8.GetBytes(name), out int keyLength, out _))
        {
            return [];
        }

        var reader = new TimeSeriesReader(session.Snapshot.Transaction);
        reader.Begin(key[..keyLength], SeriesTime.OfTicks(from.UtcTicks), SeriesTime.OfTicks(to.UtcTicks));
        return ScriptTimeSeries.Entries(reader);
    }

    /// <inheritdoc/>
    public override string QueryTimeSeries(string name, IReadOnlyList<ScriptArgument> arguments)
    {
        if (session.Input.Rql.Series.Find(one => one.Name == name) is not { } declared)
        {
            throw new ScriptHostException($"'{name}' is no time series that the query declares");
        }

        var scope = new SeriesScope(session);
        for (int i = 0; i < declared.Parameters.Count; i++)
        {
            scope.Add(declared.Parameters[i], i < arguments.Count ? ValueOf(arguments[i]) : null);
        }

        try
        {
            var json = new ArrayBufferWriter<byte>();
            json.Write("{"u8);
            new SeriesQuery(session, declared.Query).WriteMembers(json, scope);
            json.Write("}"u8);
            return Encoding.UTF8.GetString(json.WrittenSpan);
        }
        catch (RqlException e)
        {
            throw new ScriptHostException(e.Message);
        }
    }

    private object? ValueOf(ScriptArgument argument)
    {
        if (!argument.IsDocument)
        {
            return argument.Value;
        }

        return session.Snapshot.TryGet(Encoding.UTF8.GetBytes((string)argument.Value!), out StoredDocument document)
            ? document
            : null;
    }

    /// <inheritdoc/>
    public override void Include(string id) => includes?.AddDocument(id);

    /// <inheritdoc/>
    public override void IncludeCompareExchange(string key) => includes?.AddCompareExchange(key);

    /// <inheritdoc/>
    public override void Output(string text)
    {
    }
}
