using Raven.Server.Indexing.Definitions;
using Raven.Server.Indexing.Extensions;
using Raven.Server.Indexing.Reduce;

namespace Raven.Server.Indexing.Maps;

/// <summary>Makes maps and reduces of the texts of a definition. Any thread.</summary>
internal interface IIndexCompiler
{
    /// <summary>Compiles all maps of a definition.</summary>
    /// <exception cref="IndexCompilationException">One of them cannot be compiled; says where and why.</exception>
    IReadOnlyList<DocumentMap> Compile(IndexDefinition definition);

    /// <summary>Compiles the reduce of a definition; null where it has none.</summary>
    /// <exception cref="IndexCompilationException">It cannot be compiled; says where and why.</exception>
    ReduceStage? CompileReduce(IndexDefinition definition) => null;

    /// <summary>Compiles an analyzer or a sorter.</summary>
    /// <exception cref="ExtensionException">It cannot be compiled; says where and why.</exception>
    CompiledExtension CompileExtension(ExtensionSource source);
}
