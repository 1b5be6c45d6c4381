using Raven.Scripting;
using Raven.Scripting.Hosting;
using Raven.Scripting.Runtime;

namespace FastTests.Scripting;

/// <summary>Runs scripts for tests: one engine for all, the result as JSON.</summary>
internal static class ScriptRunner
{
    internal static ScriptEngine Engine { get; } =
        new(new ScriptEngineOptions { Clock = TimeProvider.System, CachedScriptsMax = 16 });

    internal static ScriptLimits Limits { get; } = new();

    /// <summary>The result as JSON, "undefined", or "!" and what it threw.</summary>
    internal static string Run(string script, ScriptLimits? limits = null)
    {
        try
        {
            using ScriptRun run = Engine.Begin(limits ?? Limits);
            run.SetChance(new Random(1));
            return run.ToJson(run.Execute(Engine.Compile(script), JsValue.Undefined)) ?? "undefined";
        }
        catch (ScriptException exception) when (exception.Failure is ScriptFailure.Thrown or ScriptFailure.Syntax)
        {
            return "!" + (exception.Failure == ScriptFailure.Syntax ? "SyntaxError: " : "") + exception.Reason;
        }
    }

    /// <summary>
    /// The same; null if a limit ended it that node does not have, or has elsewhere. Another limit's message is an
    /// answer that node never gives, so that a comparison names the script.
    /// </summary>
    internal static string? TryRunWithinLimits(string script)
    {
        try
        {
            return Run(script);
        }
        catch (ScriptException exception)
            when (exception.Failure is ScriptFailure.CallDepth or ScriptFailure.ArrayLength)
        {
            return null;
        }
        catch (ScriptException exception)
        {
            return "?" + exception.Message;
        }
    }
}
