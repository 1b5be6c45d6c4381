using System.Globalization;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Static.Compilation;
using Raven.Documents.Patching;
using Raven.Scripting;
using Raven.Scripting.Hosting;
using Raven.Scripting.Runtime;

namespace Raven.Documents.Indexing.Scripts;

/// <summary>
/// The JavaScript of a definition, compiled: a map or a reduce after the functions that it calls. Runs of it are made
/// on demand; the limits of a script are for each document.
/// </summary>
internal sealed class ScriptProgram
{
    /// <summary>The functions that only scripts of indexes have.</summary>
    private const string Prelude = """
        globalThis.$group = {};
        globalThis.groupBy = key => ({ aggregate: reduce => { $group.key = key; $group.reduce = reduce; } });
        globalThis.createField = (name, value, options) =>
            ({ $field: name, $value: value === undefined ? null : value, $options: options || null });
        globalThis.createSpatialField = (a, b, c) => c !== undefined ? createField(a, createSpatialField(b, c))
            : b === undefined ? { $wkt: a } : { $lat: a, $lng: b };
        globalThis.$counters = [];
        globalThis.counters = { map: (...given) => {
            const mapped = given.pop();
            if (typeof mapped !== 'function' || given.length > 2 || !given.every(one => typeof one === 'string')) {
                throw new TypeError("counters.map() takes the name of a collection, that of a counter, and a function");
            }
            $counters.push({ collection: given[0], name: given[1], map: mapped });
        } };
        globalThis.$series = [];
        globalThis.timeSeries = { map: (...given) => {
            const mapped = given.pop();
            if (typeof mapped !== 'function' || given.length > 2 || !given.every(one => typeof one === 'string')) {
                throw new TypeError("timeSeries.map() takes the name of a collection, that of a series, and a function")
            }
            $series.push({ collection: given[0], name: given[1], map: s => mapped({
                DocumentId: s.DocumentId, Name: s.Name, Min: s.Min, Max: s.Max, Sum: s.Sum, Count: s.Count,
                Start: new Date(s.Start), End: new Date(s.End),
                Entries: s.Entries.map(e => ({
                    Timestamp: new Date(e.Timestamp), Tag: e.Tag, Values: e.Values, Value: e.Values[0] })) }) });
        } };
        globalThis.createVector = value => ({ $vector: value === undefined ? null : value });
        globalThis.noTracking = { load: load };
        """;

    private readonly ScriptEngine _engine;
    private readonly ScriptLimits _limits;
    private readonly CompiledScript[] _scripts;
    private readonly CompiledScript _group;
    private readonly CompiledScript _counters;
    private readonly CompiledScript _series;

    /// <summary>Compiles the text.</summary>
    /// <param name="scripts">Runs scripts.</param>
    /// <param name="limits">What a script may use for each document.</param>
    /// <param name="sources">Functions that the text calls.</param>
    /// <param name="text">The map or the reduce.</param>
    /// <exception cref="ScriptException">The text is no valid script.</exception>
    internal ScriptProgram(
        ScriptEnvironment scripts, ScriptLimits limits, IEnumerable<string> sources, string text)
    {
        _engine = scripts.Engine;
        _limits = limits;
        // The text can call the sources' functions because all of it is one function.
        string whole = string.Concat(sources.Select(source => source + "\n"));
        _scripts = [_engine.Compile(Prelude), _engine.Compile(whole.Length == 0 ? text : whole + text)];
        Refuse("boost", CallWriter.NoBoost);
        Refuse("loadVector", $"'loadVector': {VectorFieldJson.NoModel}.");
        _group = _engine.Compile("return globalThis.$group;");
        _counters = _engine.Compile("return globalThis.$counters;");
        _series = _engine.Compile("return globalThis.$series;");
    }

    /// <summary>
    /// Refuses a definition that uses a function which this server does not have; otherwise each document would fail.
    /// </summary>
    private void Refuse(string function, string why)
    {
        if (_scripts[1].TryFindGlobal(function, out int line, out int column))
        {
            throw new ScriptException(ScriptFailure.Syntax, why, line, column);
        }
    }

    /// <summary>Begins a run in which the text has run once.</summary>
    /// <param name="host">Loads documents.</param>
    /// <exception cref="ScriptException">The text throws.</exception>
    internal ScriptRun Begin(ScriptHost? host)
    {
        ScriptRun run = _engine.Begin(_limits, host);
        try
        {
            foreach (CompiledScript script in _scripts)
            {
                run.Execute(script, JsValue.Undefined);
            }

            return run;
        }
        catch
        {
            run.Dispose();
            throw;
        }
    }

    /// <summary>The arguments of <c>counters.map(collection, name, function)</c>: names are null for all.</summary>
    internal IReadOnlyList<(string? Collection, string? Name, JsValue Function)> CountersOf(ScriptRun run) =>
        LinkedOf(run, _counters);

    /// <summary>The arguments of <c>timeSeries.map(collection, name, function)</c>: names are null for all.</summary>
    internal IReadOnlyList<(string? Collection, string? Name, JsValue Function)> TimeSeriesOf(ScriptRun run) =>
        LinkedOf(run, _series);

    private static List<(string? Collection, string? Name, JsValue Function)> LinkedOf(
        ScriptRun run, CompiledScript script)
    {
        JsValue list = run.Execute(script, JsValue.Undefined);
        List<(string?, string?, JsValue)> found = [];
        for (int i = 0; i < run.GetProperty(list, "length").Number; i++)
        {
            JsValue one = run.GetProperty(list, i.ToString(CultureInfo.InvariantCulture));
            found.Add((
                run.GetProperty(one, "collection").Text, run.GetProperty(one, "name").Text,
                run.GetProperty(one, "map")));
        }

        return found;
    }

    /// <summary>The arguments of <c>groupBy(key).aggregate(reduce)</c>; undefined if it was not called.</summary>
    internal (JsValue Key, JsValue Reduce) GroupOf(ScriptRun run)
    {
        JsValue group = run.Execute(_group, JsValue.Undefined);
        return (run.GetProperty(group, "key"), run.GetProperty(group, "reduce"));
    }
}
