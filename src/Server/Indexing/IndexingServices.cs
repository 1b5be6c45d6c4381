using Microsoft.Extensions.Logging;
using Raven.Server.Indexing.Maps;

namespace Raven.Server.Indexing;

/// <summary>What the indexes of all databases of a server share. Any thread.</summary>
internal sealed class IndexingServices : IDisposable
{
    internal IndexingServices(IndexingOptions options, IIndexCompiler compiler, TimeProvider clock, ILogger log)
    {
        Options = options;
        Compiler = compiler;
        Clock = clock;
        Log = log;
        Threads = new IndexingThreads(options.ThreadsMax);
    }

    internal IndexingOptions Options { get; }

    internal IIndexCompiler Compiler { get; }

    internal TimeProvider Clock { get; }

    internal ILogger Log { get; }

    internal IndexingThreads Threads { get; }

    /// <summary>Ends all indexing. The indexes are closed by their databases.</summary>
    public void Dispose() => Threads.Dispose();
}
