using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Text;

namespace Raven.Documents.Indexing.Static.Compilation;

/// <summary>A text of a definition is wrong at a place. Line and column count from 1.</summary>
internal sealed class MapTextException : Exception
{
    internal MapTextException(string message, int line, int column)
        : base(message)
    {
        Line = line;
        Column = column;
    }

    internal int Line { get; }

    internal int Column { get; }

    /// <summary>Makes the error for a node.</summary>
    internal static MapTextException At(SyntaxNode node, string message)
    {
        LinePosition start = node.GetLocation().GetLineSpan().StartLinePosition;
        return new MapTextException(message, start.Line + 1, start.Character + 1);
    }
}
