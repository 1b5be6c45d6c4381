using Raven.Server.Indexing.Definitions;

namespace Raven.Server.Indexing.Maps;

/// <summary>Makes maps of the texts of a definition.</summary>
internal interface IIndexCompiler
{
    /// <summary>Compiles all maps of a definition.</summary>
    /// <exception cref="IndexCompilationException">One of them cannot be compiled: says which, where and why.</exception>
    IReadOnlyList<DocumentMap> Compile(IndexDefinition definition);
}
