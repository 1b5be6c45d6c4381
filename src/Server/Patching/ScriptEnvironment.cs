using Raven.Scripting;

namespace Raven.Server.Patching;

/// <summary>The engine of a server, and what one script may use.</summary>
internal sealed class ScriptEnvironment
{
    private readonly Lazy<ScriptEngine> _engine;
    private long _conflicts;

    internal ScriptEnvironment(TimeProvider clock, ScriptLimits limits)
    {
        _engine = new(() => new ScriptEngine(new ScriptEngineOptions { Clock = clock }));
        Limits = limits;
        Gate = new SemaphoreSlim(Math.Max(1, Environment.ProcessorCount - 1));
    }

    /// <summary>The engine, made by its first use.</summary>
    internal ScriptEngine Engine => _engine.Value;

    /// <summary>What one script may use.</summary>
    internal ScriptLimits Limits { get; }

    /// <summary>How often scripts had to run again because of what others wrote meanwhile.</summary>
    internal long Conflicts => Volatile.Read(ref _conflicts);

    /// <summary>Lets in as many batches with scripts as leave a core to everyone else.</summary>
    internal SemaphoreSlim Gate { get; }

    internal void CountConflict() => Interlocked.Increment(ref _conflicts);
}
