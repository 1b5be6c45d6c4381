using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;

namespace Raven.Documents.Indexing.Static.Compilation;

/// <summary>A text of a definition is not valid. The message has line and column, which count from 1.</summary>
internal sealed class MapSyntaxException : Exception
{
    internal MapSyntaxException(string message, int line, int column)
        : base(message)
    {
        Line = line;
        Column = column;
    }

    internal int Line { get; }

    internal int Column { get; }

    /// <summary>Makes the error for a node.</summary>
    internal static MapSyntaxException At(SyntaxNode node, string message)
    {
        LinePosition start = node.GetLocation().GetLineSpan().StartLinePosition;
        return new MapSyntaxException(message, start.Line + 1, start.Character + 1);
    }
}
