using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Blittable.Writing;
using Raven.Documents.Indexing.Scripts;
using Raven.Documents.Indexing.Static;
using Raven.Documents.Indexing.Static.Values;
using Raven.Scripting;
using Raven.Scripting.Runtime;

namespace Raven.Documents.Indexing.Reduce;

/// <summary>
/// A reduce in JavaScript: <c>groupBy(x => x.Name).aggregate(g => ({ Name: g.key, Count: g.values.reduce(...) }))</c>.
/// </summary>
internal sealed class ScriptReducer : GroupReducer
{
    private readonly ScriptProgram _program;
    private readonly MapOutput _output = new();
    private ScriptRun? _run;
    private JsValue _key;
    private JsValue _reduce;

    private ScriptReducer(ScriptProgram program) => _program = program;

    /// <summary>Runs the text once, to get its functions.</summary>
    /// <exception cref="ScriptException">The text throws, or does not call <c>groupBy</c>.</exception>
    internal static ScriptReducer Create(ScriptProgram program)
    {
        ScriptReducer reducer = new(program);
        ScriptRun run = reducer.Ready();
        if (reducer._key.IsUndefined || reducer._reduce.IsUndefined)
        {
            reducer.Dispose();
            throw new ScriptException("The text does not call groupBy(key).aggregate(reduce)", 1, 1);
        }

        run.RenewBudget();
        return reducer;
    }

    internal override DynamicValue KeyOf(BlittableObject item, OperationContext context) =>
        DynamicValue.Of(Call(run => run.Write(
            run.Call(_key, JsValue.Undefined, run.ToValue(item.AsValue())), BlittableMode.ToMemory, context)));

    internal override void Reduce(IReadOnlyList<BlittableObject> items, ReduceSink results)
    {
        BlittableValue result = Call(run =>
        {
            BlittableValue key = run.Write(
                run.Call(_key, JsValue.Undefined, run.ToValue(items[0].AsValue())), BlittableMode.ToMemory,
                results.Context);
            BlittableWriter writer = results.Context.Writer;
            writer.Begin(BlittableMode.ToMemory);
            writer.StartObject();
            writer.Name("key");
            writer.Value(key);
            writer.Name("values");
            writer.StartArray();
            foreach (BlittableObject item in items)
            {
                writer.Value(item.AsValue());
            }

            writer.EndArray();
            writer.EndObject();
            JsValue group = run.ToValue(writer.Finish());
            return run.Write(
                run.Call(_reduce, JsValue.Undefined, group), BlittableMode.ToMemory, results.Context);
        });
        _output.Begin(results, []);
        _output.AddEntry(DynamicValue.Of(result));
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

    private ScriptRun Ready()
    {
        if (_run is null)
        {
            _run = _program.Begin(null);
            (_key, _reduce) = _program.GroupOf(_run);
        }

        return _run;
    }

    private BlittableValue Call(Func<ScriptRun, BlittableValue> call)
    {
        ScriptRun run = Ready();
        try
        {
            run.RenewBudget();
            return call(run);
        }
        catch (ScriptException)
        {
            _run = null;
            run.Dispose();
            throw;
        }
    }
}
