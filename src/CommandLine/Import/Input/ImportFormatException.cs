namespace Raven.CommandLine.Import.Input;

/// <summary>A source file is malformed: the message has the file, the place and the error.</summary>
public sealed class ImportFormatException : Exception
{
    /// <summary>An error at a place of a file.</summary>
    /// <param name="file">The file, as the user named it.</param>
    /// <param name="line">The line, from 1.</param>
    /// <param name="column">The byte in the line, from 1.</param>
    /// <param name="reason">What is wrong there.</param>
    public ImportFormatException(string file, long line, long column, string reason)
        : base($"{file}, line {line}, column {column}: {reason}")
    {
        File = file;
        Line = line;
        Column = column;
        Reason = reason;
    }

    /// <summary>The file, as the user named it.</summary>
    public string File { get; }

    /// <summary>The line, from 1.</summary>
    public long Line { get; }

    /// <summary>The byte in the line, from 1.</summary>
    public long Column { get; }

    /// <summary>What is wrong there.</summary>
    public string Reason { get; }
}
