using Microsoft.CodeAnalysis;

namespace Raven.Documents.Indexing.Static.Compilation;

/// <summary>Refuses expressions that nest so deep that recursion over them would exhaust the stack.</summary>
internal static class DepthGuard
{
    private const int DepthMax = 200;

    internal static void Check(SyntaxNode root)
    {
        Stack<(SyntaxNode Node, int Depth)> open = new();
        open.Push((root, 0));
        while (open.TryPop(out (SyntaxNode Node, int Depth) at))
        {
            if (at.Depth > DepthMax)
            {
                throw MapSyntaxException.At(at.Node, $"The expression nests deeper than {DepthMax} levels.");
            }

            foreach (SyntaxNode child in at.Node.ChildNodes())
            {
                open.Push((child, at.Depth + 1));
            }
        }
    }
}
