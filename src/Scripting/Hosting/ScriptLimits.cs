namespace Raven.Scripting.Hosting;

/// <summary>
/// What one run may use. A passed limit ends the run with a <see cref="ScriptException"/> whose
/// <see cref="ScriptException.Failure"/> names it; the script cannot catch that.
/// </summary>
public sealed record ScriptLimits
{
    /// <summary>
    /// Steps: a turn of a loop, a call, and work of built-in functions in proportion (an element, 64 characters).
    /// </summary>
    public long StepsMax { get; init; } = 10_000_000;

    /// <summary>Bytes that the script may allocate in all, whether or not they can be freed in between.</summary>
    public long MemoryBytesMax { get; init; } = 64 * 1024 * 1024;

    /// <summary>Calls within calls.</summary>
    public int CallDepthMax { get; init; } = 1_000;

    /// <summary>Length of one string in UTF-16 units.</summary>
    public int StringLengthMax { get; init; } = 16 * 1024 * 1024;

    /// <summary>Elements of one array.</summary>
    public int ArrayLengthMax { get; init; } = 2_000_000;

    /// <summary>Time of the whole run.</summary>
    public TimeSpan TimeMax { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// The clock of <see cref="TimeMax"/>; the engine's where it is null. One of processor time leaves out what the
    /// machine gives to others meanwhile; then the whole run must be on one thread.
    /// </summary>
    public TimeProvider? TimeClock { get; init; }

    /// <summary>
    /// Whether a member of null or undefined is undefined, and a call of one does nothing and gives undefined, as if
    /// every <c>.</c> was written <c>?.</c>: for scripts over documents some of which lack what others have. Otherwise
    /// that is a TypeError, as the language has it. To set a member of null or undefined is one in any case.
    /// </summary>
    public bool ReadsThroughMissing { get; init; }

    /// <summary>Time of one match of a regular expression that has to backtrack; others are linear.</summary>
    public TimeSpan RegExpTimeMax { get; init; } = TimeSpan.FromSeconds(1);
}
