namespace Raven.Scripting;

/// <summary>A script could not be parsed, threw, or passed a limit. Line and column count from 1.</summary>
public sealed class ScriptException : Exception
{
    /// <summary>Reports the failure at a place in the script.</summary>
    public ScriptException(string message, int line, int column)
        : base($"{message} (line {line}, column {column})")
    {
        Line = line;
        Column = column;
    }

    /// <summary>The line, from 1.</summary>
    public int Line { get; }

    /// <summary>The column, from 1.</summary>
    public int Column { get; }
}
