using Microsoft.CodeAnalysis;
using Raven.Server.Indexing.Definitions;
using Raven.Server.Indexing.Maps;
using Raven.Server.Indexing.Static;
using Raven.Server.Indexing.Static.Compilation;
using Raven.Server.Options;
using Raven.Server.Patching;

namespace Raven.Server.Indexing.Compilation;

/// <summary>Makes maps of the texts of definitions, in C# or in JavaScript.</summary>
internal sealed class IndexCompiler : IIndexCompiler
{
    private readonly ScriptEnvironment _scripts;
    private readonly ServerOptions _options;

    /// <summary>A compiler.</summary>
    /// <param name="scripts">Runs JavaScript.</param>
    /// <param name="options">Says what may be compiled.</param>
    internal IndexCompiler(ScriptEnvironment scripts, ServerOptions options)
    {
        _scripts = scripts;
        _options = options;
    }

    /// <inheritdoc/>
    public IReadOnlyList<DocumentMap> Compile(IndexDefinition definition)
    {
        List<DocumentMap> maps = [];
        IReadOnlyList<SyntaxTree> sources = SourcesOf(definition);
        try
        {
            for (int i = 0; i < definition.Maps.Count; i++)
            {
                maps.Add(CompileMap(definition.Maps[i], i, definition.Maps.Count, sources));
            }

            return maps;
        }
        catch
        {
            maps.ForEach(map => map.Dispose());
            throw;
        }
    }

    private DocumentMap CompileMap(string text, int index, int count, IReadOnlyList<SyntaxTree> sources)
    {
        string what = count == 1 ? "map" : $"map {index + 1} of {count}";
        return Guarded(what, () =>
        {
            CodeAssembly assembly = CodeAssembly.Compile(MapText.WriteMap(text, "IndexMap", sources), sources);
            return new StaticMap(assembly, assembly.Create<CompiledMap>("IndexMap"));
        });
    }

    private IReadOnlyList<SyntaxTree> SourcesOf(IndexDefinition definition) => definition.AdditionalSources.Count == 0
        ? []
        : Guarded("additional sources", () => definition.AdditionalSources
            .Select(source => CodeAssembly.ParseSource(source.Key, source.Value)).ToList());

    private static T Guarded<T>(string what, Func<T> compile)
    {
        try
        {
            return compile();
        }
        catch (MapTextException wrong)
        {
            throw new IndexCompilationException(
                $"The {what} cannot be compiled: line {wrong.Line}, column {wrong.Column}: {wrong.Message}", wrong);
        }
    }
}
