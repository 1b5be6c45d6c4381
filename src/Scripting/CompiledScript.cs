using Raven.Scripting.Execution;

namespace Raven.Scripting;

/// <summary>A script ready to run, by any number of runs at once. Made by <see cref="ScriptEngine.Compile"/>.</summary>
public sealed class CompiledScript
{
    internal CompiledScript(ScriptEngine engine, string text, FunctionCode code)
    {
        (Engine, Text) = (engine, text);
        Run building = new(engine.Realm, TimeProvider.System);
        building.Begin(new ScriptLimits(), default);
        Function = new ScriptFunction(building, engine.Realm.FunctionPrototype, code, null);
    }

    /// <summary>The text.</summary>
    public string Text { get; }

    internal ScriptEngine Engine { get; }

    /// <summary>The whole text as one function. No script can get hold of it, so that all runs share it.</summary>
    internal ScriptFunction Function { get; }
}
