using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Scripting.Documents;
using Raven.Scripting.Hosting;
using Raven.Scripting.HostFunctions;
using Raven.Scripting.Library;
using Raven.Scripting.Runtime;
using Raven.Scripting.Syntax;
using ValueKind = Raven.Scripting.Runtime.ValueKind;

namespace Raven.Scripting;

/// <summary>
/// One run: a budget, a host, and the objects that scripts make. Several scripts may run in it one after another and
/// see each other's globals. For one thread at a time. Every method that runs code of a script throws
/// <see cref="ScriptException"/> if that fails or exceeds a limit.
/// </summary>
public sealed class ScriptRun : IDisposable
{
    private readonly ScriptEngine _engine;
    private readonly Run _run;
    private CompiledScript? _script;
    private bool _active;

    internal ScriptRun(ScriptEngine engine, Run run)
    {
        _engine = engine;
        _run = run;
    }

    /// <summary>Steps used since the run began or its budget was renewed.</summary>
    public long StepsUsed => _run.StepsUsed;

    /// <summary>Bytes allocated since the run began or its budget was renewed, as the limits count them.</summary>
    public long BytesUsed => _run.BytesUsed;

    internal Run Inner => _run;

    internal void Start(ScriptLimits limits, ScriptHost? host, CancellationToken cancellation)
    {
        _run.Begin(limits, cancellation);
        _run.Host = host;
        _active = true;
    }

    /// <summary>Renews the budget, for the next document of a long run. Objects that scripts made stay.</summary>
    public void RenewBudget() => _run.RenewBudget();

    /// <summary>Sets the value of <c>args</c> in the scripts of this run.</summary>
    public void SetArguments(JsValue arguments) => _run.Arguments = arguments;

    /// <summary>Sets the source of <c>Math.random()</c>; without one, it throws.</summary>
    public void SetChance(Random chance) => _run.Chance = chance;

    /// <summary>A document as a value of scripts, read in place.</summary>
    public JsValue ToValue(ScriptDocument document)
    {
        ArgumentNullException.ThrowIfNull(document);
        return HostLibrary.ToValue(_run, document);
    }

    /// <summary>A stored value as a value of scripts, read in place.</summary>
    public JsValue ToValue(BlittableValue value) => DocumentValues.ToValue(_run, value);

    /// <summary>An array of values of this run.</summary>
    public JsValue ToArray(params ReadOnlySpan<JsValue> items)
    {
        try
        {
            JsArray array = _run.NewArray();
            foreach (JsValue item in items)
            {
                array.Add(_run, item);
            }

            return new JsValue(array);
        }
        catch (Exception exception) when (exception is ThrownException or LimitException)
        {
            throw Convert(exception);
        }
    }

    /// <summary>Runs a script from its start to its end or its return.</summary>
    /// <param name="script">A script of this engine.</param>
    /// <param name="self">The value of <c>this</c>.</param>
    /// <param name="arguments">Values of the parameters that it was compiled with.</param>
    public JsValue Execute(CompiledScript script, JsValue self, params ReadOnlySpan<JsValue> arguments)
    {
        ArgumentNullException.ThrowIfNull(script);
        if (script.Engine != _engine)
        {
            throw new ArgumentException("The script belongs to another engine.", nameof(script));
        }

        _script = script;
        try
        {
            return script.Function.Call(_run, self, arguments);
        }
        catch (Exception exception) when (exception is ThrownException or LimitException)
        {
            throw Convert(exception);
        }
    }

    /// <summary>Calls a function that a script made in this run.</summary>
    public JsValue Call(JsValue function, JsValue self, params ReadOnlySpan<JsValue> arguments)
    {
        try
        {
            return Objects.Callable(_run, function).Call(_run, self, arguments);
        }
        catch (Exception exception) when (exception is ThrownException or LimitException)
        {
            throw Convert(exception);
        }
    }

    /// <summary>A property of an object of this run; undefined if there is none.</summary>
    public JsValue GetProperty(JsValue target, string name)
    {
        try
        {
            return _run.GetProperty(target, name);
        }
        catch (Exception exception) when (exception is ThrownException or LimitException)
        {
            throw Convert(exception);
        }
    }

    /// <summary>The functions that scripts passed to <c>map(collection, function)</c>, in order.</summary>
    public IReadOnlyList<(string Collection, JsValue Function)> Maps => _run.Maps;

    /// <summary>Whether the written form of a document of this run would differ from the stored one.</summary>
    public bool IsChanged(JsValue document)
    {
        try
        {
            return document.AsObject switch
            {
                DocumentObject changed => changed.IsChanged(_run),
                DocumentArray changed => changed.IsChanged(_run),
                _ => true,
            };
        }
        catch (Exception exception) when (exception is ThrownException or LimitException)
        {
            throw Convert(exception);
        }
    }

    /// <summary>Writes a value as a stored one. Unchanged values are copied in their stored form.</summary>
    /// <param name="value">A value of this run; a value that JSON cannot represent becomes null.</param>
    /// <param name="mode">How strings are stored.</param>
    /// <param name="context">The context whose memory receives the value.</param>
    /// <param name="keepsUndefined">
    /// Whether a property that is undefined is written as null; otherwise it is left out.
    /// </param>
    public BlittableValue Write(
        JsValue value, BlittableMode mode, OperationContext context, bool keepsUndefined = false)
    {
        ArgumentNullException.ThrowIfNull(context);
        try
        {
            return DocumentWriter.Write(_run, value, mode, context, keepsUndefined);
        }
        catch (Exception exception) when (exception is ThrownException or LimitException)
        {
            throw Convert(exception);
        }
    }

    /// <summary>The value as <c>JSON.stringify</c> writes it; null if it writes nothing.</summary>
    public string? ToJson(JsValue value)
    {
        try
        {
            return JsonWriter.Write(_run, value, JsValue.Undefined, JsValue.Undefined).Text;
        }
        catch (Exception exception) when (exception is ThrownException or LimitException)
        {
            throw Convert(exception);
        }
    }

    /// <summary>Ends the run. Its values must not be used anymore.</summary>
    public void Dispose()
    {
        if (!_active)
        {
            return;
        }

        _active = false;
        _script = null;
        _run.End();
        _engine.GiveBack(this);
    }

    private ScriptException Convert(Exception exception)
    {
        if (exception is LimitException limit)
        {
            (int line, int column) = TextPosition.Of(_script?.Text ?? "", limit.Position);
            return new ScriptException(limit.Failure, limit.Message, line, column);
        }

        ThrownException thrown = (ThrownException)exception;
        (int thrownLine, int thrownColumn) = TextPosition.Of(_script?.Text ?? "", thrown.Position);
        return new ScriptException(ScriptFailure.Thrown, DescribeThrown(thrown.Value), thrownLine, thrownColumn);
    }

    private string DescribeThrown(JsValue value)
    {
        try
        {
            if (value.AsObject is { Class: ObjectClass.Error })
            {
                return ErrorLibrary.Text(_run, value);
            }

            string text = value.Kind == ValueKind.Symbol ? value.Cell!.ToString()! : Operations.ToText(_run, value);
            return text.Length > 2000 ? text[..2000] : text;
        }
        catch (Exception exception) when (exception is ThrownException or LimitException)
        {
            return "The script threw a value that has no text";
        }
    }
}
