using System.Buffers;
using Raven.Blittable.Reading;
using Raven.Documents.Queries.Results;
using Raven.Documents.Queries.Rql;

namespace Raven.Documents.Queries.Series;

/// <summary>A time series that a query selects, written out or as a call of one that it declares.</summary>
internal sealed class SeriesProjection
{
    private readonly QuerySession _session;
    private readonly LoadedDocuments _loaded;
    private readonly RqlTimeSeries _query;
    private readonly IReadOnlyList<string>? _parameters;
    private readonly IReadOnlyList<RqlExpression> _arguments;
    private readonly SeriesScope _outer;
    private SeriesQuery? _run;
    private int _renewals = -1;

    private SeriesProjection(
        QuerySession session, LoadedDocuments loaded, RqlTimeSeries query, IReadOnlyList<string>? parameters,
        IReadOnlyList<RqlExpression> arguments)
    {
        _session = session;
        _loaded = loaded;
        _query = query;
        _parameters = parameters;
        _arguments = arguments;
        _outer = new SeriesScope(session);
    }

    /// <summary>The series that an expression selects; null if it selects something else.</summary>
    /// <exception cref="RqlException">A function gets too many arguments.</exception>
    internal static SeriesProjection? TryMake(QuerySession session, LoadedDocuments loaded, RqlExpression expression)
    {
        if (expression is RqlTimeSeries query)
        {
            return new SeriesProjection(session, loaded, query, null, []);
        }

        if (expression is not RqlCall call
            || session.Input.Rql.Series.Find(one => one.Name == call.Name) is not { } declared)
        {
            return null;
        }

        return call.Arguments.Count <= declared.Parameters.Count
            ? new SeriesProjection(session, loaded, declared.Query, declared.Parameters, call.Arguments)
            : throw new RqlException(
                session.Input.Text, call.Position,
                $"'{call.Name}' takes no more than {declared.Parameters.Count} arguments");
    }

    /// <summary>Whether an expression selects a time series.</summary>
    internal static bool IsOne(RqlQuery rql, RqlExpression expression) => expression is RqlTimeSeries
        || (expression is RqlCall call && rql.Series.Exists(one => one.Name == call.Name));

    /// <summary>Writes the members of the object that stands for it in a result.</summary>
    internal void WriteMembers(IBufferWriter<byte> target, in QueryHit hit, BlittableObject data)
    {
        if (_run is null || _renewals != _session.Renewals)
        {
            // The snapshot may be a younger one.
            _run = new SeriesQuery(_session, _query);
            _renewals = _session.Renewals;
        }

        _outer.Clear();
        if (hit.HasDocument)
        {
            _outer.SetMain(hit.Document);
            _outer.Add(_session.Input.Rql.Alias ?? "doc", hit.Document);
        }

        for (int i = 0; i < _loaded.Count && data.IsValid; i++)
        {
            List<StoredDocument> found = _loaded.Load(i, data);
            _outer.Add(_loaded.AliasAt(i), found.Count == 0 ? null : found[0]);
        }

        _run.WriteMembers(target, _parameters is null ? _outer : Inner(in hit));
    }

    private SeriesScope Inner(in QueryHit hit)
    {
        var inner = new SeriesScope(_session);
        for (int i = 0; i < _parameters!.Count; i++)
        {
            inner.Add(_parameters[i], i < _arguments.Count ? _outer.ValueOf(_arguments[i]) : null);
        }

        if (inner.Main is null && hit.HasDocument)
        {
            inner.SetMain(hit.Document);
        }

        return inner;
    }
}
