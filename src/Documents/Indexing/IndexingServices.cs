using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Raven.Documents.Indexing.Compilation;
using Raven.Documents.Indexing.Extensions;
using Raven.Documents.Indexing.Maps;
using Raven.Documents.Patching;
using Raven.Scripting.Hosting;

namespace Raven.Documents.Indexing;

/// <summary>What the indexes of all databases of a server share. Any thread.</summary>
public sealed class IndexingServices : IDisposable
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

    /// <summary>Makes what the indexes of all databases share, with a compiler of their maps.</summary>
    /// <param name="options">How they work; null for the defaults.</param>
    /// <param name="limits">What one call of a script may use; null for the defaults.</param>
    /// <param name="csharp">What may be compiled as C#.</param>
    /// <param name="clock">The clock; null for the system's.</param>
    /// <param name="log">Takes what happens in the background; null if nothing does.</param>
    public static IndexingServices Create(
        IndexingOptions? options = null, ScriptLimits? limits = null, CSharpUse csharp = CSharpUse.Maps,
        TimeProvider? clock = null, ILogger? log = null)
    {
        limits ??= new ScriptLimits();
        clock ??= TimeProvider.System;
        var compiler = new IndexCompiler(new ScriptEnvironment(clock, limits), limits, csharp);
        return new IndexingServices(options ?? new IndexingOptions(), compiler, clock, log ?? NullLogger.Instance);
    }

    internal IndexingOptions Options { get; }

    internal IIndexCompiler Compiler { get; }

    /// <summary>The analyzers and sorters of all databases.</summary>
    public IndexExtensions Extensions { get; }

    internal TimeProvider Clock { get; }

    internal ILogger Log { get; }

    internal IndexingThreads Threads { get; }

    internal IndexMerges Merges { get; } = new();

    /// <summary>
    /// Compiles an index that no database has, once a process, in the background, so that the first definition in C#
    /// does not pay for loading the compiler.
    /// </summary>
    /// <param name="log">Takes a failure.</param>
    public void WarmUp(ILogger log) => CompilerWarmUp.Begin(Compiler, log);

    /// <summary>Ends all indexing. The indexes are closed by their databases.</summary>
    public void Dispose()
    {
        Threads.Dispose();
        Merges.Dispose();
    }
}
