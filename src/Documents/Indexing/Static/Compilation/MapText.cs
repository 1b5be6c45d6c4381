using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace Raven.Documents.Indexing.Static.Compilation;

/// <summary>Writes classes for the texts of a definition.</summary>
internal static class MapText
{
    private const int LengthMax = 1 << 20;

    private const string Usings = """
        #pragma warning disable
        using Raven.Documents.Indexing.Static;
        using Raven.Documents.Indexing.Static.Values;

        """;

    /// <summary>Writes the class of a map.</summary>
    /// <param name="text">The map.</param>
    /// <param name="className">The name of the class.</param>
    /// <param name="sources">Additional sources, whose namespaces the map can use.</param>
    /// <param name="assemblies">Additional assemblies, whose namespaces the map can use, too.</param>
    /// <exception cref="MapSyntaxException">The text is not valid.</exception>
    internal static string WriteMap(
        string text, string className, IReadOnlyList<SyntaxTree> sources, AdditionalAssemblies assemblies)
    {
        CodeParts parts = new(sources.Count > 0 || assemblies.Any);
        PipelineWriter pipeline = new(new ExpressionWriter(parts), QuerySource.Documents);
        string code = pipeline.Write(Parse(text));
        string collections = parts.Names(pipeline.Collections);
        string counter = pipeline.Counter is { } name ? CodeParts.Quote(name) : "null";
        string kind = pipeline.IsOfCounters ? "IsOfCounters" : "IsOfTimeSeries";
        string counters = pipeline.IsOfCounters || pipeline.IsOfTimeSeries
            ? $"public override bool {kind} => true; public override string Counter => {counter};"
            : "";
        return $$"""
            {{Usings}}{{UsingsOf(sources, assemblies)}}
            public sealed class {{className}} : CompiledMap
            {
                public override string[] Collections => {{collections}};
                public override string[] Fields => {{pipeline.FieldNames ?? "[]"}};
                {{counters}}
                public override void Run(DynamicValue input, MapOutput output)
                {
            {{code}}
                }
            {{parts.Declarations}}
            }
            """;
    }

    /// <summary>Writes the class of a reduce.</summary>
    /// <exception cref="MapSyntaxException">The text is not valid.</exception>
    internal static string WriteReduce(
        string text, string className, IReadOnlyList<SyntaxTree> sources, AdditionalAssemblies assemblies)
    {
        CodeParts parts = new(sources.Count > 0 || assemblies.Any);
        PipelineWriter pipeline = new(new ExpressionWriter(parts), QuerySource.Results);
        ExpressionSyntax query = Parse(text);
        string code = pipeline.Write(query);
        string key = pipeline.KeyCode
            ?? throw MapSyntaxException.At(
                query, "A reduce groups: from r in results group r by ... into g select ...");
        string keyNames = parts.Names(pipeline.KeyNames);
        return $$"""
            {{Usings}}{{UsingsOf(sources, assemblies)}}
            public sealed class {{className}} : CompiledReduce
            {
                public override string[] KeyFields => {{keyNames}};
                public override string[] Fields => {{pipeline.FieldNames ?? "[]"}};
                public override DynamicValue KeyOf(DynamicValue input) => {{key}};
                public override void Run(DynamicValue input, MapOutput output)
                {
            {{code}}
                }
            {{parts.Declarations}}
            }
            """;
    }

    private static ExpressionSyntax Parse(string text)
    {
        if (text.Length > LengthMax)
        {
            throw new MapSyntaxException($"The text is longer than {LengthMax} characters.", 1, 1);
        }

        NestingGuard.Check(text);
        string plain = text.TrimEnd().TrimEnd(';');
        ExpressionSyntax parsed = SyntaxFactory.ParseExpression(plain, consumeFullText: true);
        foreach (Diagnostic problem in parsed.GetDiagnostics())
        {
            if (problem.Severity == DiagnosticSeverity.Error)
            {
                LinePosition start = problem.Location.GetLineSpan().StartLinePosition;
                throw new MapSyntaxException(problem.GetMessage(null), start.Line + 1, start.Character + 1);
            }
        }

        if (parsed is { IsMissing: true })
        {
            throw new MapSyntaxException("The text is empty.", 1, 1);
        }

        DepthGuard.Check(parsed);
        return parsed;
    }

    private static string UsingsOf(IReadOnlyList<SyntaxTree> sources, AdditionalAssemblies assemblies) =>
        string.Concat(sources
            .SelectMany(tree => tree.GetRoot().DescendantNodes().OfType<BaseNamespaceDeclarationSyntax>())
            .Select(declaration => declaration.Name.ToString()).Concat(assemblies.Usings).Distinct()
            .Select(name => $"using {name};\n"));
}
