using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Indexing.Compilation;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Maps;
using Raven.Documents.Patching;
using Raven.Server.Options;
using Raven.Tools.Bench.Suites.Blittable;

namespace Raven.Tools.Bench.Suites.Indexing;

/// <summary>A map over documents in storage: two properties and one that is nested.</summary>
internal sealed class MapSuite : IBenchSuite
{
    private const int Documents = 18_801;
    private const string Map = "map over stored tate-artworks";

    private const string CSharp =
        "from a in docs.Artworks select new { a.title, a.dateText, Group = a.catalogueGroup.shortTitle }";

    private const string JavaScript =
        "map('Artworks', a => ({ title: a.title, dateText: a.dateText, Group: a.catalogueGroup.shortTitle }))";

    public string Name => "indexing";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!context.Wants(Map))
        {
            yield break;
        }

        if (DocumentSets.TryLoad(context, DocumentSets.TateArtworks, Documents) is not { } set)
        {
            yield return BenchRow.Skip(Map, "ms", DocumentSets.Missing);
            yield break;
        }

        using StoredDocuments stored = StoredDocuments.Create(context, set, "Artworks");
        using DocumentMap csharp = Compile(CSharp);
        yield return Row($"{Map}, C# ({set.Count:N0}, CPU)", 15.7, () => Run(stored, csharp));
        yield return Row($"{Map}, no position cache ({set.Count:N0}, CPU)", 22, () => ReadPlain(stored));
        yield return new BenchRow
        {
            Name = $"{Map}, C#, managed memory",
            Unit = "B/document",
            Target = BenchTarget.AtMost(0.1),
            WarmUpRuns = 3,
            Ours = () => Measure.AllocatedBytesPerOperation(set.Count, () => Run(stored, csharp)),
        };
        using DocumentMap script = Compile(JavaScript);
        yield return Row($"{Map}, JavaScript ({set.Count:N0}, CPU)", 0, () => Run(stored, script));
    }

    private static BenchRow Row(string name, double most, Action run) => new()
    {
        Name = name,
        Unit = "ms",
        Target = most > 0 ? BenchTarget.AtMost(most) : BenchTarget.None,
        WarmUpRuns = 10,
        Ours = () => Measure.CpuSeconds(run) * 1000,
    };

    private static DocumentMap Compile(string map)
    {
        ServerOptions options = new();
        IndexCompiler compiler = new(
            new ScriptEnvironment(TimeProvider.System, options.ToScriptLimits()), options.ToScriptLimits(),
            options.IndexingCSharp);
        return compiler.Compile(new IndexDefinition { Name = "bench", Maps = [map] })[0];
    }

    private static void Run(StoredDocuments stored, DocumentMap map)
    {
        using DocumentSnapshot snapshot = stored.Database.BeginRead();
        DocumentLookahead<DocumentCursor> cursor = new(snapshot.DocumentsOfCollection("Artworks"u8, 0));
        while (cursor.MoveNext(out StoredDocument document))
        {
            map.Run(document, Sink);
            Sink.Context.Reset();
        }
    }

    /// <summary>What the map does, each property searched for from the start.</summary>
    private static void ReadPlain(StoredDocuments stored)
    {
        MapField field = Sink.Field("x");
        using DocumentSnapshot snapshot = stored.Database.BeginRead();
        DocumentLookahead<DocumentCursor> cursor = new(snapshot.DocumentsOfCollection("Artworks"u8, 0));
        while (cursor.MoveNext(out StoredDocument document))
        {
            BlittableObject data = document.Data;
            Sink.BeginEntry();
            if (data.TryGet("title"u8, out BlittableValue title))
            {
                Sink.Add(field, title);
            }

            if (data.TryGet("dateText"u8, out BlittableValue date))
            {
                Sink.Add(field, date);
            }

            if (data.TryGet("catalogueGroup"u8, out BlittableValue group)
                && group.TryGetObject(out BlittableObject inner)
                && inner.TryGet("shortTitle"u8, out BlittableValue shortTitle))
            {
                Sink.Add(field, shortTitle);
            }

            Sink.EndEntry();
            Sink.Context.Reset();
        }
    }

    private static readonly NoSink Sink = new();
}
