using FastTests.Documents;
using FastTests.Indexing.Static;
using Raven.Documents;
using Raven.Documents.Indexing.Maps;
using Raven.Documents.Indexing.Reduce;

namespace FastTests.Indexing.Reduce;

/// <summary>Results of a reduce as documents.</summary>
public sealed class OutputCollectionTests
{
    private const string Sum =
        "from r in results group r by r.Key into g select new { Key = g.Key, Total = g.Sum(x => x.Total) }";

    [Fact]
    public void Results_of_a_reduce_are_documents_of_the_output_collection_and_are_deleted_with_their_groups()
    {
        using TestDatabase documents = new();
        documents.Put("Totals/mine", """{"X":1,"@metadata":{"@collection":"Totals"}}""");
        using ReduceBench bench = new(() => ReduceBench.Compile(Sum));
        using OutputCollection output = new(bench.Results, documents.Database, "Totals");
        Batch(bench, output, () =>
        {
            bench.Map("d/1", ("a", 1), ("b", 2));
            bench.Map("d/2", ("a", 3));
        });
        Assert.Equal(["""{"Key":"a","Total":4""", """{"Key":"b","Total":2""", """{"X":1"""], DocumentsOf(documents));
        Assert.Equal(2, bench.Results.Sorted.Count());
        Batch(bench, output, () => bench.Map("d/1", ("a", 5)));
        Assert.Equal(["""{"Key":"a","Total":8""", """{"X":1"""], DocumentsOf(documents));

        // The same groups of a new index have the same documents, whatever their numbers.
        using ReduceBench other = new(() => ReduceBench.Compile(Sum));
        using OutputCollection again = new(other.Results, documents.Database, "Totals");
        Batch(other, again, () => other.Map("d/9", ("new", 1), ("a", 7)));
        Assert.Equal(
            ["""{"Key":"a","Total":7""", """{"Key":"new","Total":1""", """{"X":1"""], DocumentsOf(documents));
        again.DeleteAll();
        Assert.Equal(["""{"X":1"""], DocumentsOf(documents));
    }

    [Fact]
    public void An_index_whose_maps_read_its_own_output_collection_is_refused()
    {
        Assert.Contains("reads the collection 'Totals'", Refused("from d in docs.Totals select new { d.Key }", Sum));
        Assert.Contains("reads the collection 'Totals'", Refused("from d in docs select new { d.Key }", Sum));
        Assert.Contains("has no reduce", Refused("from d in docs.Others select new { d.Key }", null));
    }

    private static string Refused(string map, string? reduce) => Assert.Throws<IndexCompilationException>(
        () => MapBench.Compiler().Compile(MapBench.Define(map) with
        {
            Reduce = reduce,
            OutputReduceToCollection = "Totals",
        })).Message;

    private static void Batch(ReduceBench bench, OutputCollection output, Action run)
    {
        bench.Batch(run, output: output);
        output.Submit();
    }

    /// <summary>The documents of the collection, without their metadata, sorted.</summary>
    private static IEnumerable<string> DocumentsOf(TestDatabase documents)
    {
        List<string> found = [];
        using DocumentSnapshot snapshot = documents.Database.BeginRead();
        DocumentCursor cursor = snapshot.DocumentsOfCollection("Totals"u8, 0);
        while (cursor.MoveNext(out StoredDocument document))
        {
            string json = TestDatabase.Json(document);
            found.Add(json[..json.IndexOf(",\"@metadata\"", StringComparison.Ordinal)]);
        }

        return found.Order(StringComparer.Ordinal);
    }
}
