using System.Collections.Concurrent;
using Raven.Scripting.Compilation;
using Raven.Scripting.Execution;
using Raven.Scripting.Hosting;
using Raven.Scripting.Runtime;
using Raven.Scripting.Syntax;

namespace Raven.Scripting;

/// <summary>
/// Compiles scripts and rents runs. One for each server or database; safe for all threads. It holds the built-in
/// objects, which never change, so that nothing passes from one run to another.
/// </summary>
public sealed class ScriptEngine
{
    private const int IdleRunsMax = 16;

    private readonly ConcurrentDictionary<(string Text, string Parameters), (
        CompiledScript Script, long Age)> _scripts = [];
    private readonly ScriptRun?[] _idle = new ScriptRun?[IdleRunsMax];
    private readonly ScriptEngineOptions _options;
    private long _age;

    /// <summary>Makes an engine; takes some milliseconds.</summary>
    public ScriptEngine(ScriptEngineOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        _options = options;
        Realm = BuiltIns.Build(options.Clock);
    }

    internal Realm Realm { get; }

    /// <summary>Compiles a text as the body of a function; a cached text is not compiled again.</summary>
    /// <param name="text">The script. <c>return</c> at its top ends it.</param>
    /// <param name="parameters">The names of the arguments of <see cref="ScriptRun.Execute"/> in the script.</param>
    /// <exception cref="ScriptException">The text is not a script; the message has the place and the cause.</exception>
    public CompiledScript Compile(string text, params ReadOnlySpan<string> parameters)
    {
        ArgumentNullException.ThrowIfNull(text);
        string joined = parameters.Length switch { 0 => "", 1 => parameters[0], _ => string.Join(',', parameters!) };
        if (_scripts.TryGetValue((text, joined), out (CompiledScript Script, long Age) known))
        {
            return known.Script;
        }

        if (text.Length > _options.TextLengthMax)
        {
            throw new ScriptException(ScriptFailure.Syntax, "The script is too long", 1, 1);
        }

        CompiledScript script = new(this, text, CompileText(text, parameters));
        if (_scripts.Count >= _options.CachedScriptsMax)
        {
            DropOldest();
        }

        _scripts[(text, joined)] = (script, Interlocked.Increment(ref _age));
        return script;
    }

    /// <summary>Begins a run. Dispose it: everything that the script made ends with it.</summary>
    /// <param name="limits">The limits of the run.</param>
    /// <param name="host">The operations on the database; null for none.</param>
    /// <param name="cancellation">Cancels it.</param>
    public ScriptRun Begin(ScriptLimits limits, ScriptHost? host = null, CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(limits);
        ScriptRun run = TakeIdle() ?? new ScriptRun(this, new Run(Realm, _options.Clock));
        run.Start(limits, host, cancellation);
        return run;
    }

    internal void GiveBack(ScriptRun run)
    {
        for (int i = 0; i < _idle.Length; i++)
        {
            if (_idle[i] is null && Interlocked.CompareExchange(ref _idle[i], run, null) is null)
            {
                return;
            }
        }
    }

    private ScriptRun? TakeIdle()
    {
        for (int i = 0; i < _idle.Length; i++)
        {
            if (_idle[i] is not null && Interlocked.Exchange(ref _idle[i], null) is { } run)
            {
                return run;
            }
        }

        return null;
    }

    /// <summary>Compiles without the cache.</summary>
    internal void CompileUncached(string text) => CompileText(text, []);

    private static FunctionCode CompileText(string text, ReadOnlySpan<string> parameters)
    {
        try
        {
            return FunctionCompiler.Compile(Parser.Parse(text, parameters), text);
        }
        catch (ScriptSyntaxException exception)
        {
            (int line, int column) = exception.Place;
            throw new ScriptException(ScriptFailure.Syntax, exception.Message, line, column);
        }
    }

    private void DropOldest()
    {
        long limit = Volatile.Read(ref _age) - (_options.CachedScriptsMax / 2);
        foreach (KeyValuePair<(string, string), (CompiledScript, long Age)> one in _scripts)
        {
            if (one.Value.Age <= limit)
            {
                _scripts.TryRemove(one.Key, out _);
            }
        }
    }
}
