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

    internal bool IsIn(string folder) => Path.StartsWith(folder, StringComparison.Ordinal);

    /// <summary>Generated tables are data, not code to read.</summary>
    internal bool IsGenerated => Path.EndsWith(".g.cs", StringComparison.Ordinal);
}
