using Raven.Scripting.Execution;

namespace Raven.Scripting;

/// <summary>A script ready to run, by any number of runs at once. Made by <see cref="ScriptEngine.Compile"/>.</summary>
public sealed class CompiledScript
{
    internal CompiledScript(ScriptEngine engine, string text, FunctionCode code)
    {
        (Engine, Text, Code) = (engine, text, code);
    }

    /// <summary>The text.</summary>
    public string Text { get; }

    internal ScriptEngine Engine { get; }

    internal FunctionCode Code { get; }
}
