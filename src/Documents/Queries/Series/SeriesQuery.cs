using System.Buffers;
using System.Text;
using Raven.Documents.Ids;
using Raven.Documents.Queries.Rql;
using Raven.Documents.Rows.Series;
using Raven.Documents.Settings;
using Raven.Documents.TimeSeries;

namespace Raven.Documents.Queries.Series;

/// <summary>
/// Answers a query of a time series for one result after another: reads entries segment by segment, and writes entries
/// or groups as they come. One query, one thread.
/// </summary>
internal sealed class SeriesQuery
{
    /// <summary>The most entries, or groups, of one result: they are one row.</summary>
    internal const int ResultsMax = 1 << 20;

    private const int ValuesMax = 1 << 22;

    private readonly QuerySession _session;
    private readonly RqlTimeSeries _query;
    private readonly TimeSeriesReader _reader;
    private readonly List<RqlSeriesAggregateKind> _kinds = [];
    private readonly SeriesNeeds _needs;
    private readonly bool _isPlain;
    private readonly bool _isOfRollups;
    private ScanCancellation _watch;
    private SeriesScope _scope = null!;
    private SeriesTags _tags = null!;
    private SeriesCondition? _condition;
    private SeriesRows _rows = null!;
    private long _kept;

    /// <summary>Makes it for the snapshot that a query has now.</summary>
    internal SeriesQuery(QuerySession session, RqlTimeSeries query)
    {
        _session = session;
        _query = query;
        _reader = new TimeSeriesReader(session.Snapshot.Transaction);
        _watch = new ScanCancellation(session.Cancellation);
        foreach (RqlSeriesAggregate aggregate in query.Select)
        {
            _kinds.Add(aggregate.Kind);
        }

        if (_kinds.Count == 0)
        {
            _kinds.AddRange([
                RqlSeriesAggregateKind.First, RqlSeriesAggregateKind.Last, RqlSeriesAggregateKind.Min,
                RqlSeriesAggregateKind.Max, RqlSeriesAggregateKind.Sum, RqlSeriesAggregateKind.Average]);
        }

        _needs = (_kinds.Contains(RqlSeriesAggregateKind.Percentile) ? SeriesNeeds.Values : SeriesNeeds.None)
            | (_kinds.Contains(RqlSeriesAggregateKind.StandardDeviation) ? SeriesNeeds.Spread : SeriesNeeds.None);
        _isPlain = query is { IsAggregated: true, Where: null, GroupKey: null } && _needs == SeriesNeeds.None;
        _isOfRollups = query is { Group: not null, Where: null, GroupKey: null } && _needs == SeriesNeeds.None;
    }

    /// <summary>Writes the answer for one result as the members of an object that is open and stays so.</summary>
    /// <param name="target">Takes the JSON.</param>
    /// <param name="scope">The names of the result.</param>
    /// <exception cref="RqlException">A value is none that the query can use, or there is too much.</exception>
    internal void WriteMembers(IBufferWriter<byte> target, SeriesScope scope)
    {
        _scope = scope;
        _tags = new SeriesTags(scope);
        _kept = 0;
        _rows = new SeriesRows(target, _query, scope, _kinds);
        _rows.Begin();
        if (scope.TryFindSeries(_query.Series, out StoredDocument document, out string name))
        {
            _condition = _query.Where is null
                ? null
                : new SeriesCondition(_query, scope, _tags, NamesOf(in document, name));
            _reader.RentBuffers();
            try
            {
                Read(in document, name);
            }
            finally
            {
                _reader.ReturnBuffers();
            }
        }

        _rows.End();
    }

    private IReadOnlyList<string> NamesOf(in StoredDocument document, string name)
    {
        int at = name.IndexOf('@', StringComparison.Ordinal);
        return _session.Settings.TimeSeries?.NamesOf(
            Encoding.UTF8.GetString(document.Collection), at < 0 ? name : name[..at]) ?? [];
    }

    private void Read(in StoredDocument document, string name)
    {
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        DocumentId.TryFold(document.Id.Span, folded, out int length, out _);
        byte[] documentKey = folded[..length].ToArray();
        List<Source> sources = SourcesOf(in document, documentKey, name);
        (long from, long to) = RangeOf(sources);
        SeriesPeriod? frame = _query.Group is { } group ? PeriodOf(group) : null;
        var groups = new SeriesGroups(_query, frame, _rows, _scope);
        foreach (Source source in sources)
        {
            if (source.IsRollup && _query.IsAggregated && _needs != SeriesNeeds.None)
            {
                throw _scope.Error(
                    _query.Position, "percentile() and stddev() need the entries, which a roll-up does not have");
            }

            _reader.Begin(source.Key, Math.Max(from, source.From), Math.Min(to, source.To));
            while (_reader.MoveToSegment())
            {
                _watch.Step();
                if ((IsInHead(source.IsRollup) && groups.TryAddSegment(_reader, source.IsRollup))
                    || !_reader.ReadPoints())
                {
                    continue;
                }

                if (_isPlain && !source.IsRollup && _reader.Points.Width == 1)
                {
                    AddRuns(groups);
                }
                else
                {
                    ReadSegment(groups, source.IsRollup);
                }
            }
        }

        groups.End();
    }

    /// <summary>Whether the head of the segment says all that is asked of its entries.</summary>
    private bool IsInHead(bool isRollup)
    {
        if (!_isPlain || !_reader.IsWhole)
        {
            return false;
        }

        // Where entries differ in their number of values, the head does not say when a column begins and ends.
        return isRollup
            ? !_reader.Head.IsMixed && _reader.Head.Width >= SeriesGroup.PartsOfRollup
            : !_reader.Head.IsMixed || !_kinds.Contains(RqlSeriesAggregateKind.Slope);
    }

    /// <summary>Adds entries of one value each, frame by frame.</summary>
    private void AddRuns(SeriesGroups groups)
    {
        PointList points = _reader.Points;
        for (int i = _reader.Start; i < _reader.End;)
        {
            i += groups.AddRun(points.Times[i.._reader.End], points.Values[i.._reader.End]);
        }
    }

    private void ReadSegment(SeriesGroups groups, bool isRollup)
    {
        PointList points = _reader.Points;
        bool needsTags = _condition is not null || _query.GroupKey is not null;
        for (int i = _reader.Start; i < _reader.End; i++)
        {
            long time = points.TimeAt(i);
            ReadOnlySpan<double> values = points.ValuesAt(i);
            string? text = needsTags ? _tags.TextOf(points.TagAt(i)) : null;
            if (_condition?.IsMet(new SeriesPoint { Time = time, Values = values, Tag = text }) == false)
            {
                continue;
            }

            if (!_query.IsAggregated)
            {
                _rows.Entry(time, values, points.TagAt(i), isRollup);
                continue;
            }

            if ((_needs & SeriesNeeds.Values) != 0 && (_kept += values.Length) > ValuesMax)
            {
                throw _scope.Error(
                    _query.Position, $"percentile() sorts no more than {ValuesMax} values: expected a shorter range");
            }

            groups.Add(time, values, isRollup, _needs, KeyOf(text));
        }
    }

    private object? KeyOf(string? tag)
    {
        if (_query.GroupKey is not { } key)
        {
            return null;
        }

        int dot = key.Path.IndexOf('.', StringComparison.Ordinal);
        return dot < 0 ? tag : _tags.FieldOf(tag, key.Path[(dot + 1)..]);
    }

    /// <summary>The series that is meant; in groups of a raw one, before its first entry, the roll-ups of what was
    /// retired, the coarsest first.</summary>
    private List<Source> SourcesOf(in StoredDocument document, byte[] documentKey, string name)
    {
        List<Source> sources = [];
        bool isRollup = name.Contains('@', StringComparison.Ordinal);
        byte[]? key = KeyOf(documentKey, name);
        bool isThere = key is not null && _reader.TryFind(key, out _);
        if (isThere)
        {
            sources.Add(new Source(key!, 0, SeriesTime.Max, isRollup));
        }

        if (key is null || isRollup || !_isOfRollups
            || _session.Settings.TimeSeries?.ActiveOf(document.Collection) is not { } collection)
        {
            return sources;
        }

        SeriesPeriod frame = PeriodOf(_query.Group!);
        long before = SeriesTime.Max;
        if (isThere)
        {
            _reader.TryFind(key, out StoredSeries raw);
            before = raw.First;
        }

        foreach (TimeSeriesPolicy policy in collection.Policies)
        {
            SeriesPeriod finer = policy.Aggregation!.Value;
            byte[]? rolled = KeyOf(documentKey, $"{name}@{policy.Name}");
            if ((frame != finer && !frame.IsMultipleOf(finer)) || rolled is null
                || !_reader.TryFind(rolled, out StoredSeries stored))
            {
                continue;
            }

            long end = before == SeriesTime.Max ? before : finer.FloorOf(before) - 1;
            if (stored.First <= end)
            {
                sources.Insert(0, new Source(rolled, 0, end, true));
                before = stored.First;
            }
        }

        return sources;
    }

    private static byte[]? KeyOf(byte[] documentKey, string name)
    {
        Span<byte> key = stackalloc byte[SeriesKey.SizeBytesMax];
        return SeriesKey.TryWrite(key, documentKey, Encoding.UTF8.GetBytes(name), out int length, out _)
            ? key[..length].ToArray()
            : null;
    }

    private (long From, long To) RangeOf(List<Source> sources)
    {
        if (_query.From is { } from)
        {
            long first = _scope.TimeOf(from) ?? 0;
            long last = _scope.TimeOf(_query.To!) ?? SeriesTime.Max;
            return first <= last
                ? (first, last)
                : throw _scope.Error(from.Position, "the range ends before it begins");
        }

        if (_query.Edge is not { } edge || sources.Count == 0)
        {
            return (0, SeriesTime.Max);
        }

        SeriesPeriod period = PeriodOf(edge);
        _reader.TryFind(sources[0].Key, out StoredSeries earliest);
        long beginning = earliest.First;
        _reader.TryFind(sources[^1].Key, out StoredSeries latest);
        return _query.IsLast ? (period.Before(latest.Last), latest.Last) : (beginning, period.After(beginning));
    }

    private SeriesPeriod PeriodOf(RqlSeriesSpan span)
    {
        if (span.Parameter is not { } parameter)
        {
            return span.Period;
        }

        return _scope.ValueOf(parameter) is string text && RqlTimeSeriesParser.TryParse(text, out SeriesPeriod period)
            ? period
            : throw _scope.Error(parameter, "expected a number and a unit of time in the parameter, as '1 hour'");
    }

    private readonly record struct Source(byte[] Key, long From, long To, bool IsRollup);
}
