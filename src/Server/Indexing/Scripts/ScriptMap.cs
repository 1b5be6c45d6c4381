using System.Text;
using Raven.Blittable.Format;
using Raven.Scripting;
using Raven.Scripting.Values;
using Raven.Server.Documents;
using Raven.Server.Indexing.Maps;
using Raven.Server.Indexing.Static;
using Raven.Server.Indexing.Static.Values;

namespace Raven.Server.Indexing.Scripts;

/// <summary>
/// A map in JavaScript: <c>map('Users', u => ({ Name: u.Name }))</c>, once or several times. Functions give an object,
/// an array of objects, or nothing.
/// </summary>
internal sealed class ScriptMap : DocumentMap
{
    private const string AllDocuments = "@all_docs";

    private readonly ScriptProgram _program;
    private readonly MapScriptHost _host = new();
    private readonly MapOutput _output = new();
    private ScriptRun? _run;

    private ScriptMap(ScriptProgram program, IReadOnlyList<string> collections)
        : base(collections) => _program = program;

    /// <summary>Runs the text once, to see which collections it maps.</summary>
    /// <exception cref="ScriptException">It throws, or maps nothing.</exception>
    internal static ScriptMap Create(ScriptProgram program)
    {
        using ScriptRun run = program.Begin(null);
        if (run.Maps.Count == 0)
        {
            throw new ScriptException("The text does not call map(collection, function)", 1, 1);
        }

        List<string> collections = [.. run.Maps.Select(map => map.Collection).Distinct()];
        return new ScriptMap(program, collections.Contains(AllDocuments) ? [] : collections);
    }

    internal override void Run(in StoredDocument document, MapSink sink)
    {
        _run ??= _program.Begin(_host);
        _host.Begin(document.Snapshot, sink);
        _output.Begin(sink, []);
        try
        {
            _run.RenewBudget();
            RunAll(_run, document, sink);
        }
        catch (ScriptException)
        {
            // What a script left half done must not be seen by the next document.
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
