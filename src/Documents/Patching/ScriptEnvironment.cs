using System.Runtime.CompilerServices;
using Raven.Scripting;
using Raven.Scripting.Hosting;
using Raven.Storage.Platform;

namespace Raven.Documents.Patching;

/// <summary>The engine of a server, the limits of one script, and the threads for long scripts.</summary>
internal sealed class ScriptEnvironment
{
    /// <summary>The steps of a batch of scripts on the thread of its request: about 0.1 ms.</summary>
    internal const int ShortStepsMax = 8_000;

    /// <summary>Slots for scripts that are known to take long. If two of them share a slot, each forgets the other,
    /// which only costs a run that is broken off now and then.</summary>
    private const int KnownCount = 64;

    /// <summary>
    /// For work that steps do not count, of the thread's own processor time if that is known: a busy machine that takes
    /// its core away must not fail the script.
    /// </summary>
    private static readonly TimeSpan ShortTimeMax = TimeSpan.FromMilliseconds(50);

    private readonly Lazy<ScriptEngine> _engine;
    private readonly ScriptLimits _shortLimits;
    private readonly ScriptLimits _backgroundLimits;
    private readonly ScriptLimits _limits;
    private readonly CompiledScript?[] _knownAsLong = new CompiledScript?[KnownCount];
    private long _conflicts;

    internal ScriptEnvironment(TimeProvider clock, ScriptLimits limits)
    {
        _engine = new(() => new ScriptEngine(new ScriptEngineOptions { Clock = clock }));
        _limits = limits;
        TimeProvider? own = ThreadCpuClock.TryCreate(out ThreadCpuClock? found) ? found : null;
        QueryLimits = limits with { TimeClock = own, ReadsThroughMissing = true };
        _shortLimits = limits with
        {
            StepsMax = Math.Min(limits.StepsMax, ShortStepsMax),
            TimeMax = Shorter(limits.TimeMax, ShortTimeMax),
            TimeClock = own,
            RegExpTimeMax = Shorter(limits.RegExpTimeMax, ShortTimeMax),
        };
        _backgroundLimits = limits with { TimeMax = Shorter(limits.TimeMax, ScriptThreads.WaitMax) };

        // One core is left to other threads even if none needs it now: a request finds it free.
        Threads = new ScriptThreads(clock, Math.Max(1, Environment.ProcessorCount - 1));
    }

    /// <summary>The engine, made by its first use.</summary>
    internal ScriptEngine Engine => _engine.Value;

    /// <summary>The threads for scripts that take long.</summary>
    internal ScriptThreads Threads { get; }

    /// <summary>The large texts at which scripts of queries look.</summary>
    internal ScriptTextBudget Texts { get; } = new(ScriptTextBudget.BytesMaxOfServer);

    /// <summary>
    /// The limits of one run of a query's script. Its thread may have a low priority, so that the time is the thread's
    /// own if that is known.
    /// </summary>
    internal ScriptLimits QueryLimits { get; }

    /// <summary>How often scripts had to run again because of concurrent writes.</summary>
    internal long Conflicts => Volatile.Read(ref _conflicts);

    internal void CountConflict() => Interlocked.Increment(ref _conflicts);

    /// <summary>True if a script took long the last time: it need not be tried on the request's thread.</summary>
    internal bool IsKnownAsLong(CompiledScript script) =>
        ReferenceEquals(Volatile.Read(ref PlaceOf(script)), script);

    /// <summary>Notes the steps of a script that has run to its end.</summary>
    internal void NoteSteps(CompiledScript script, long steps)
    {
        ref CompiledScript? place = ref PlaceOf(script);
        if (steps > ShortStepsMax)
        {
            Volatile.Write(ref place, script);
        }
        else if (ReferenceEquals(Volatile.Read(ref place), script))
        {
            Volatile.Write(ref place, null);
        }
    }

    /// <summary>The limits of one script in a tier.</summary>
    internal ScriptLimits LimitsOf(ScriptTier tier) => tier switch
    {
        ScriptTier.Short => _shortLimits,
        ScriptTier.Background => _backgroundLimits,
        _ => _limits,
    };

    /// <summary>Whether a script may have failed only by the limits of its tier.</summary>
    internal static bool IsOfTier(ScriptTier tier, ScriptFailure failure) => tier switch
    {
        ScriptTier.Short => failure is ScriptFailure.Steps or ScriptFailure.Time or ScriptFailure.RegExpTime,
        ScriptTier.Background => failure == ScriptFailure.Time,
        _ => false,
    };

    private static TimeSpan Shorter(TimeSpan one, TimeSpan other) => one < other ? one : other;

    private ref CompiledScript? PlaceOf(CompiledScript script) =>
        ref _knownAsLong[(uint)RuntimeHelpers.GetHashCode(script) % KnownCount];
}
