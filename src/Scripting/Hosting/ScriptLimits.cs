namespace Raven.Scripting.Hosting;

/// <summary>
/// The limits of one run. Exceeding one ends the run with a <see cref="ScriptException"/> whose
/// <see cref="ScriptException.Failure"/> names it; the script cannot catch that.
/// </summary>
public sealed record ScriptLimits
{
    /// <summary>
    /// Steps: a turn of a loop, a call, and work of built-in functions in proportion (an element, 64 characters).
    /// </summary>
    public long StepsMax { get; init; } = 10_000_000;

    /// <summary>Bytes that the script may allocate in total, whether or not they can be freed in between.</summary>
    public long MemoryBytesMax { get; init; } = 64 * 1024 * 1024;

    /// <summary>The depth of nested calls.</summary>
    public int CallDepthMax { get; init; } = 1_000;

    /// <summary>Length of one string in UTF-16 units.</summary>
    public int StringLengthMax { get; init; } = 16 * 1024 * 1024;

    /// <summary>Elements of one array.</summary>
    public int ArrayLengthMax { get; init; } = 2_000_000;

    /// <summary>Time of the whole run.</summary>
    public TimeSpan TimeMax { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// The clock of <see cref="TimeMax"/>; null for the engine's. A clock of processor time excludes the time of other
    /// threads; the whole run must then be on one thread.
    /// </summary>
    public TimeProvider? TimeClock { get; init; }

    /// <summary>
    /// Whether a member of null or undefined is undefined, and a call of one does nothing and returns undefined, as if
    /// every <c>.</c> were <c>?.</c>: for scripts over documents that do not all have the same properties. Otherwise
    /// that is a TypeError, as in the language. Setting a member of null or undefined is one in any case.
    /// </summary>
    public bool ReadsThroughMissing { get; init; }

    /// <summary>Time of one match of a regular expression that has to backtrack; others are linear.</summary>
    public TimeSpan RegExpTimeMax { get; init; } = TimeSpan.FromSeconds(1);
}
