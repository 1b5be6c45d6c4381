using System.Text;
using FastTests.Documents;
using Raven.Documents;
using Raven.Documents.Indexing.Compilation;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Maps;
using Raven.Documents.Patching;
using Raven.Server.Options;

namespace FastTests.Indexing.Static;

/// <summary>Documents in a database, and maps run over them.</summary>
internal sealed class MapBench : IDisposable
{
    internal TestDatabase Documents { get; } = new();

    internal static IndexCompiler Compiler(ServerOptions? options = null)
    {
        ServerOptions used = options ?? new ServerOptions();
        return new IndexCompiler(
            new ScriptEnvironment(TimeProvider.System, used.ToScriptLimits()), used.ToScriptLimits(),
            used.IndexingCSharp);
    }

    internal static IndexDefinition Define(params string[] maps) => new() { Name = "test", Maps = maps };

    /// <summary>The entries that a map makes of documents, which are put as d/0, d/1, ...</summary>
    internal static List<string> Map(string map, params string[] documents)
    {
        using MapBench bench = new();
        for (int i = 0; i < documents.Length; i++)
        {
            bench.Documents.Put($"d/{i}", documents[i]);
        }

        using RecordingSink sink = new();
        bench.Run(Define(map), sink, "d/");
        return sink.Entries;
    }

    /// <summary>Runs all maps of a definition over documents.</summary>
    internal void Run(IndexDefinition definition, MapSink sink, string prefix, ServerOptions? options = null)
    {
        foreach (DocumentMap map in Compiler(options).Compile(definition))
        {
            using (map)
            {
                Run(map, sink, prefix);
            }
        }
    }

    /// <summary>Runs a map over documents.</summary>
    internal void Run(DocumentMap map, MapSink sink, string prefix)
    {
        using DocumentSnapshot snapshot = Documents.Database.BeginRead();
        DocumentCursor cursor = snapshot.DocumentsByEtag(0);
        while (cursor.MoveNext(out StoredDocument document))
        {
            if (Encoding.UTF8.GetString(document.Id.Span).StartsWith(prefix, StringComparison.Ordinal))
            {
                map.Run(document, sink);
                sink.Context.Reset();
            }
        }
    }

    public void Dispose() => Documents.Dispose();
}
