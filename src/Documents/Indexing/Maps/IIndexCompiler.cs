using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Extensions;
using Raven.Documents.Indexing.Reduce;

namespace Raven.Documents.Indexing.Maps;

/// <summary>Compiles the texts of a definition to maps and reduces. Any thread.</summary>
internal interface IIndexCompiler
{
    /// <summary>Compiles all maps of a definition.</summary>
    /// <exception cref="IndexCompilationException">One of them cannot be compiled; the message says where
    /// and why.</exception>
    IReadOnlyList<DocumentMap> Compile(IndexDefinition definition);

    /// <summary>Compiles the reduce of a definition; null if it has none.</summary>
    /// <exception cref="IndexCompilationException">It cannot be compiled; the message says where and why.</exception>
    ReduceStage? CompileReduce(IndexDefinition definition) => null;

    /// <summary>Compiles an analyzer or a sorter.</summary>
    /// <exception cref="ExtensionException">It cannot be compiled; the message says where and why.</exception>
    CompiledExtension CompileExtension(ExtensionSource source);
}
