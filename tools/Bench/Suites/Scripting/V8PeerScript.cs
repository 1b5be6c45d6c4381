using Microsoft.ClearScript.V8;

namespace Raven.Tools.Bench.Suites.Scripting;

/// <summary>A script compiled once and run in one engine of V8, by ClearScript.</summary>
internal sealed class V8PeerScript : IPeerScript
{
    private readonly V8ScriptEngine _engine = new();
    private readonly V8Script _script;

    internal V8PeerScript(string text) => _script = _engine.Compile(text);

    public string Name => "V8 (ClearScript 7.5)";

    /// <summary>The script, or null if the package has no V8 for this machine.</summary>
    internal static V8PeerScript? TryCreate(string text)
    {
        try
        {
            return new V8PeerScript(text);
        }
        catch (TypeLoadException)
        {
            return null;
        }
    }

    public void Run(int count)
    {
        for (int i = 0; i < count; i++)
        {
            _engine.Execute(_script);
        }
    }

    public void Dispose()
    {
        _script.Dispose();
        _engine.Dispose();
    }
}
