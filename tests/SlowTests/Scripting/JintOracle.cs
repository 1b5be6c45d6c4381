using Jint;
using Jint.Native;
using Jint.Runtime;

namespace SlowTests.Scripting;

/// <summary>Runs a script in Jint, and gives its outcome in the words of ScriptRunner.</summary>
internal static class JintOracle
{
    internal static string Run(string script)
    {
        using Engine engine = new(options => options.LimitRecursion(200).TimeoutInterval(TimeSpan.FromSeconds(60)));
        try
        {
            JsValue outcome = engine.Evaluate($"JSON.stringify((function () {{ {script} }})())");
            return outcome.IsUndefined() ? "undefined" : outcome.AsString();
        }
        catch (JavaScriptException exception)
        {
            return "!" + exception.Message;
        }
    }
}
