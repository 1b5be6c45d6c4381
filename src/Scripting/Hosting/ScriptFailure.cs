namespace Raven.Scripting.Hosting;

/// <summary>What ended a script: a syntax error, the script itself, or one of the limits of its run.</summary>
public enum ScriptFailure
{
    /// <summary>The text is not a script.</summary>
    Syntax,

    /// <summary>The script threw and did not catch.</summary>
    Thrown,

    /// <summary><see cref="ScriptLimits.StepsMax"/> was passed.</summary>
    Steps,

    /// <summary><see cref="ScriptLimits.MemoryBytesMax"/> was passed.</summary>
    Memory,

    /// <summary><see cref="ScriptLimits.CallDepthMax"/> was passed, or the thread's stack is at its end.</summary>
    CallDepth,

    /// <summary><see cref="ScriptLimits.StringLengthMax"/> was passed.</summary>
    StringLength,

    /// <summary><see cref="ScriptLimits.ArrayLengthMax"/> was passed.</summary>
    ArrayLength,

    /// <summary>One regular expression took longer than <see cref="ScriptLimits.RegExpTimeMax"/>.</summary>
    RegExpTime,

    /// <summary><see cref="ScriptLimits.TimeMax"/> was passed.</summary>
    Time,

    /// <summary>The caller cancelled the run.</summary>
    Cancelled,

    /// <summary><see cref="ScriptHost.TryTakeText"/> had no memory for a long text.</summary>
    Texts,
}
