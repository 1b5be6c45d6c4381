using Microsoft.CodeAnalysis;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Extensions;
using Raven.Documents.Indexing.Maps;
using Raven.Documents.Indexing.Reduce;
using Raven.Documents.Indexing.Scripts;
using Raven.Documents.Indexing.Static;
using Raven.Documents.Indexing.Static.Compilation;
using Raven.Documents.Patching;
using Raven.Scripting;
using Raven.Scripting.Hosting;

namespace Raven.Documents.Indexing.Compilation;

/// <summary>Compiles the texts of definitions to maps, in C# or in JavaScript.</summary>
internal sealed class IndexCompiler : IIndexCompiler
{
    private readonly ScriptEnvironment _scripts;
    private readonly ScriptLimits _limits;
    private readonly CSharpUse _csharp;

    /// <summary>Makes a compiler.</summary>
    /// <param name="scripts">Runs JavaScript.</param>
    /// <param name="limits">What one script may use.</param>
    /// <param name="csharp">What may be compiled as C#.</param>
    internal IndexCompiler(ScriptEnvironment scripts, ScriptLimits limits, CSharpUse csharp)
    {
        _scripts = scripts;
        _limits = limits;
        _csharp = csharp;
    }

    /// <inheritdoc/>
    public IReadOnlyList<DocumentMap> Compile(IndexDefinition definition)
    {
        List<DocumentMap> maps = [];
        try
        {
            for (int i = 0; i < definition.Maps.Count; i++)
            {
                string what = definition.Maps.Count == 1 ? "map" : $"map {i + 1} of {definition.Maps.Count}";
                string text = definition.Maps[i];
                maps.Add(Guarded<DocumentMap>(what, () => LanguageDetection.IsJavaScript(text)
                    ? ScriptMap.Create(ProgramOf(definition, text))
                    : CompileMap(definition, text)));
            }

            CheckOutput(definition, maps);
            return maps.Select(map => (map.ReadsCounters, map.ReadsTimeSeries)).Distinct().Count() > 1
                ? throw new IndexCompilationException(
                    $"The index '{definition.Name}' has maps over counters or time series and others: it can have only "
                    + "one kind.")
                : maps;
        }
        catch
        {
            maps.ForEach(map => map.Dispose());
            throw;
        }
    }

    /// <summary>Compiles the reduce of a definition; null if it has none.</summary>
    /// <exception cref="IndexCompilationException">It cannot be compiled; the message says where and why.</exception>
    public ReduceStage? CompileReduce(IndexDefinition definition) => definition.Reduce is not { } text
        ? null
        : Guarded("reduce", () => new MapReduceStage(LanguageDetection.IsJavaScript(text)
            ? ScriptReducer.Create(ProgramOf(definition, text))
            : CompileReduce(definition, text)));

    /// <inheritdoc/>
    public CompiledExtension CompileExtension(ExtensionSource source) => _csharp == CSharpUse.All
        ? CompiledExtension.Compile(source)
        : throw new ExtensionException(
            ExtensionProblem.Code, source.Kind,
            $"The {CompiledExtension.Describe(source)} cannot be compiled: line 1, column 1: this server compiles no "
            + "analyzers and sorters; its administrator can allow them: Indexing.CSharp=All.");

    private CompiledReducer CompileReduce(IndexDefinition definition, string text)
    {
        List<SyntaxTree> sources = SourcesOf(definition);
        AdditionalAssemblies assemblies = AssembliesOf(definition);
        CodeAssembly assembly = CodeAssembly.Compile(
            MapText.WriteReduce(text, "IndexReduce", sources, assemblies), sources, assemblies);
        return new CompiledReducer(assembly, assembly.Create<CompiledReduce>("IndexReduce"));
    }

    /// <summary>Refuses an index that reads the collection that it writes, as it would never end.</summary>
    private static void CheckOutput(IndexDefinition definition, List<DocumentMap> maps)
    {
        if (definition.OutputReduceToCollection is not { Length: > 0 } collection)
        {
            return;
        }

        if (definition.Reduce is null)
        {
            throw new IndexCompilationException(
                $"The definition gives results to the collection '{collection}' and has no reduce.");
        }

        if (maps.Exists(map => map.Collections.Count == 0
            || map.Collections.Contains(collection, StringComparer.OrdinalIgnoreCase)))
        {
            throw new IndexCompilationException(
                $"The index reads the collection '{collection}' that it gives its results to.");
        }
    }

    private ScriptProgram ProgramOf(IndexDefinition definition, string text) =>
        new(
        _scripts, _limits with { ReadsThroughMissing = true }, definition.AdditionalSources.Values,
        text);

    private StaticMap CompileMap(IndexDefinition definition, string text)
    {
        List<SyntaxTree> sources = SourcesOf(definition);
        AdditionalAssemblies assemblies = AssembliesOf(definition);
        CodeAssembly assembly = CodeAssembly.Compile(
            MapText.WriteMap(text, "IndexMap", sources, assemblies), sources, assemblies);
        return new StaticMap(assembly, assembly.Create<CompiledMap>("IndexMap"));
    }

    /// <summary>The additional sources, if C# and they are allowed.</summary>
    private List<SyntaxTree> SourcesOf(IndexDefinition definition)
    {
        if (_csharp == CSharpUse.None)
        {
            throw new MapSyntaxException(
                "This server compiles no C# (Indexing.CSharp=None): write the index in JavaScript.", 1, 1);
        }

        if (definition.AdditionalSources.Count > 0 && _csharp != CSharpUse.All)
        {
            throw new MapSyntaxException(
                "This server compiles no additional sources; its administrator can allow them: Indexing.CSharp=All.",
                1, 1);
        }

        return [.. definition.AdditionalSources.Select(source => CodeAssembly.ParseSource(source.Key, source.Value))];
    }

    /// <summary>The additional assemblies, if they are allowed.</summary>
    private AdditionalAssemblies AssembliesOf(IndexDefinition definition)
    {
        // Only clients that may have assemblies loaded learn from the error whether a file exists.
        bool isAllowed = _csharp == CSharpUse.All;
        AdditionalAssemblies found = isAllowed || definition.AdditionalAssemblies is null or "[]"
            ? AdditionalAssemblies.Find(definition.AdditionalAssemblies)
            : throw new MapSyntaxException(
                "This server loads no additional assemblies; its administrator can allow them: Indexing.CSharp=All.",
                1, 1);
        return found;
    }

    private static T Guarded<T>(string what, Func<T> compile)
    {
        try
        {
            return compile();
        }
        catch (MapSyntaxException wrong)
        {
            throw new IndexCompilationException(
                $"The {what} cannot be compiled: line {wrong.Line}, column {wrong.Column}: {wrong.Message}", wrong);
        }
        catch (ScriptException wrong)
        {
            throw new IndexCompilationException(
                $"The {what} cannot be compiled: line {wrong.Line}, column {wrong.Column}: {wrong.Reason}", wrong);
        }
    }
}
