using Microsoft.Extensions.Logging;
using Raven.Documents.Indexing.Extensions;
using Raven.Documents.Indexing.Maps;

namespace Raven.Documents.Indexing;

/// <summary>What the indexes of all databases of a server share. Any thread.</summary>
internal sealed class IndexingServices : IDisposable
{
    internal IndexingServices(IndexingOptions options, IIndexCompiler compiler, TimeProvider clock, ILogger log)
    {
        Options = options;
        Compiler = compiler;
        Clock = clock;
        Log = log;
        Extensions = new IndexExtensions(compiler, server: null);
        Threads = new IndexingThreads(
            options.ThreadsMax != 0 ? options.ThreadsMax : Math.Max(1, Environment.ProcessorCount / 2));
    }

    internal IndexingOptions Options { get; }

    internal IIndexCompiler Compiler { get; }

    /// <summary>The analyzers and sorters of all databases.</summary>
    internal IndexExtensions Extensions { get; }

    internal TimeProvider Clock { get; }

    internal ILogger Log { get; }

    internal IndexingThreads Threads { get; }

    internal IndexMerges Merges { get; } = new();

    /// <summary>Ends all indexing. The indexes are closed by their databases.</summary>
    public void Dispose()
    {
        Threads.Dispose();
        Merges.Dispose();
    }
}
