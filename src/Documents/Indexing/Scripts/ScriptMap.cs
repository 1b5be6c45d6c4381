using System.Text;
using Raven.Blittable.Format;
using Raven.Documents.Indexing.Maps;
using Raven.Documents.Indexing.Static;
using Raven.Documents.Indexing.Static.Values;
using Raven.Scripting;
using Raven.Scripting.Runtime;

namespace Raven.Documents.Indexing.Scripts;

/// <summary>
/// A map in JavaScript: <c>map('Users', u => ({ Name: u.Name }))</c>, once or several times. Functions return an
/// object, an array of objects, or nothing.
/// </summary>
internal sealed class ScriptMap : DocumentMap
{
    private const string AllDocuments = "@all_docs";

    private readonly ScriptProgram _program;
    private readonly MapScriptHost _host = new();
    private readonly MapOutput _output = new();
    private ScriptRun? _run;

    private ScriptMap(
        ScriptProgram program, IReadOnlyList<string> collections, bool readsCounters, bool readsTimeSeries)
        : base(collections)
    {
        _program = program;
        ReadsCounters = readsCounters;
        ReadsTimeSeries = readsTimeSeries;
    }

    /// <inheritdoc/>
    internal override bool ReadsCounters { get; }

    /// <inheritdoc/>
    internal override bool ReadsTimeSeries { get; }

    /// <summary>Runs the text once, to get its collections and functions.</summary>
    /// <exception cref="ScriptException">The text throws, or does not call <c>map</c>.</exception>
    internal static ScriptMap Create(ScriptProgram program)
    {
        using ScriptRun run = program.Begin(null);
        var counters = program.CountersOf(run);
        var series = program.TimeSeriesOf(run);
        if (run.Maps.Count == 0 && counters.Count == 0 && series.Count == 0)
        {
            throw new ScriptException("The text does not call map(collection, function)", 1, 1);
        }

        int kinds = (run.Maps.Count > 0 ? 1 : 0) + (counters.Count > 0 ? 1 : 0) + (series.Count > 0 ? 1 : 0);
        if (kinds > 1)
        {
            throw new ScriptException(
                "The text calls two of map, counters.map and timeSeries.map: an index can have only one kind", 1, 1);
        }

        List<string> collections = [.. run.Maps.Select(map => map.Collection)
            .Concat(counters.Concat(series).Select(map => map.Collection ?? AllDocuments)).Distinct()];
        return new ScriptMap(
            program, collections.Contains(AllDocuments) ? [] : collections, counters.Count > 0, series.Count > 0);
    }

    internal override void Run(in StoredDocument document, MapSink sink)
    {
        _run ??= _program.Begin(_host);
        _host.Begin(document.Snapshot, sink);
        _output.Begin(sink, []);
        try
        {
            _run.RenewBudget();
            if (ReadsCounters)
            {
                RunCounters(_run, document, sink);
            }
            else if (ReadsTimeSeries)
            {
                RunTimeSeries(_run, document, sink);
            }
            else
            {
                RunAll(_run, document, sink);
            }
        }
        catch (ScriptException)
        {
            // An unfinished run must not be used for the next document.
            _run.Dispose();
            _run = null;
            throw;
        }
    }

    protected override void Dispose(bool isDisposing)
    {
        if (isDisposing)
        {
            _run?.Dispose();
            _run = null;
        }

        base.Dispose(isDisposing);
    }

    private void RunCounters(ScriptRun run, in StoredDocument document, MapSink sink)
    {
        string collection = Encoding.UTF8.GetString(document.Collection);
        var maps = _program.CountersOf(run);
        foreach (CounterInfo counter in LinkedValues.Counters(in document))
        {
            foreach ((string? wanted, string? name, JsValue function) in maps)
            {
                if (wanted?.Equals(collection, StringComparison.OrdinalIgnoreCase) != false
                    && name?.Equals(counter.Name, StringComparison.OrdinalIgnoreCase) != false)
                {
                    JsValue result = run.Call(function, JsValue.Undefined, run.ToValue(_host.ToStored(counter)));
                    _output.AddEntry(DynamicValue.Of(run.Write(result, BlittableMode.ToMemory, sink.Context)));
                }
            }
        }
    }

    private void RunTimeSeries(ScriptRun run, in StoredDocument document, MapSink sink)
    {
        string collection = Encoding.UTF8.GetString(document.Collection);
        var maps = _program.TimeSeriesOf(run);
        foreach (SegmentInfo segment in SegmentInfo.Of(document))
        {
            JsValue? input = null;
            foreach ((string? wanted, string? name, JsValue function) in maps)
            {
                if (wanted?.Equals(collection, StringComparison.OrdinalIgnoreCase) != false
                    && name?.Equals(segment.Name, StringComparison.OrdinalIgnoreCase) != false)
                {
                    // The limits of a script are for each segment: a series is as long as it is.
                    run.RenewBudget();
                    input ??= run.ToValue(_host.ToStored(SegmentOf(segment)));
                    JsValue result = run.Call(function, JsValue.Undefined, input.Value);
                    _output.AddEntry(DynamicValue.Of(run.Write(result, BlittableMode.ToMemory, sink.Context)));
                }
            }
        }
    }

    private static object SegmentOf(SegmentInfo segment)
    {
        (double[] min, double[] max, double[] sum) = segment.Summarize();
        int count = segment.Points.Count;
        return new
        {
            segment.DocumentId,
            segment.Name,
            Min = min,
            Max = max,
            Sum = sum,
            Count = count,
            Start = segment.TimeAt(0),
            End = segment.TimeAt(count - 1),
            Entries = Enumerable.Range(0, count).Select(index => new
            {
                Timestamp = segment.TimeAt(index),
                Tag = segment.TagAt(index),
                Values = segment.Points.ValuesAt(index).ToArray(),
            }),
        };
    }

    private void RunAll(ScriptRun run, in StoredDocument document, MapSink sink)
    {
        JsValue input = run.ToValue(MapScriptHost.ToScript(document));
        string collection = Encoding.UTF8.GetString(document.Collection);
        for (int i = 0; i < run.Maps.Count; i++)
        {
            (string wanted, JsValue function) = run.Maps[i];
            if (wanted == AllDocuments || wanted.Equals(collection, StringComparison.OrdinalIgnoreCase))
            {
                JsValue result = run.Call(function, JsValue.Undefined, input);
                _output.AddEntry(DynamicValue.Of(run.Write(result, BlittableMode.ToMemory, sink.Context)));
            }
        }
    }
}
