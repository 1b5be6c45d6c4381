using Raven.Scripting.Hosting;

namespace Raven.Scripting;

/// <summary>A script could not be parsed, threw, or exceeded a limit. Line and column count from 1.</summary>
public sealed class ScriptException : Exception
{
    /// <summary>Reports the failure at a place in the script.</summary>
    public ScriptException(string message, int line, int column)
        : this(ScriptFailure.Thrown, message, line, column)
    {
    }

    /// <summary>Reports the failure and its kind at a place in the script.</summary>
    public ScriptException(ScriptFailure failure, string message, int line, int column)
        : base($"{message} (line {line}, column {column})")
    {
        Failure = failure;
        Line = line;
        Column = column;
        Reason = message;
    }

    /// <summary>What ended the script.</summary>
    public ScriptFailure Failure { get; }

    /// <summary>The message without the place.</summary>
    public string Reason { get; }

    /// <summary>The line, from 1.</summary>
    public int Line { get; }

    /// <summary>The column, from 1.</summary>
    public int Column { get; }
}
