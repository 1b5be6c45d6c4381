using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace FastTests.Architecture;

/// <summary>One C# file: its text, its lines and its syntax.</summary>
internal sealed class SourceFile(string path, string text)
{
    private readonly Lazy<SyntaxNode> _syntax = new(() => CSharpSyntaxTree.ParseText(
        text, new CSharpParseOptions(LanguageVersion.Preview, preprocessorSymbols: ["DEBUG"])).GetRoot());

    internal string Path { get; } = path;

    internal string[] Lines { get; } = text.Split('\n');

    internal SyntaxNode Syntax => _syntax.Value;

    /// <summary>
    /// True if the text has one of these words: what has none of them needs no syntax, which costs most of what the
    /// tests of the sources cost.
    /// </summary>
    internal bool Mentions(params ReadOnlySpan<string> words)
    {
        foreach (string word in words)
        {
            if (text.Contains(word, StringComparison.Ordinal))
            {
                return true;
            }
        }

        return false;
    }

    internal bool IsIn(string folder) => Path.StartsWith(folder, StringComparison.Ordinal);

    /// <summary>Generated tables are data, not code to read.</summary>
    internal bool IsGenerated => Path.EndsWith(".g.cs", StringComparison.Ordinal);
}
