namespace Raven.Documents.Queries.Rql;

/// <summary>A query is not valid: the message says where, and what was expected there.</summary>
public sealed class RqlException : Exception
{
    /// <summary>Makes the error, with line and column of its place in the text.</summary>
    public RqlException(string text, int position, string problem)
        : base(Describe(text, position, problem, out int line, out int column))
    {
        Position = position;
        Line = line;
        Column = column;
    }

    /// <summary>The place of the error, in characters from 0.</summary>
    public int Position { get; }

    /// <summary>The line of the error, from 1.</summary>
    public int Line { get; }

    /// <summary>The column of the error, in characters of the line, from 1.</summary>
    public int Column { get; }

    private static string Describe(string text, int position, string problem, out int line, out int column)
    {
        ReadOnlySpan<char> before = text.AsSpan(0, Math.Min(position, text.Length));
        line = before.Count('\n') + 1;
        column = before.Length - (before.LastIndexOf('\n') + 1) + 1;
        return $"line {line}, column {column}: {problem}";
    }
}
