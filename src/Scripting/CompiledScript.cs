using Raven.Scripting.Execution;
using Raven.Scripting.Hosting;
using Raven.Scripting.Runtime;
using Raven.Scripting.Syntax;

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

    /// <summary>Whether the script uses a name that it does not declare, and the line and column of its first use,
    /// counted from 1.</summary>
    public bool TryFindGlobal(string name, out int line, out int column)
    {
        ArgumentNullException.ThrowIfNull(name);
        int start = 0;
        bool isUsed = Function.Code.Globals?.TryGetValue(name, out start) == true;
        (line, column) = isUsed ? TextPosition.Of(Text, start) : (0, 0);
        return isUsed;
    }

    internal ScriptEngine Engine { get; }

    /// <summary>The whole text as one function. Scripts cannot reach it, so that all runs share it.</summary>
    internal ScriptFunction Function { get; }
}
