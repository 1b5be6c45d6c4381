using System.Globalization;
using System.Text;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Queries;
using Raven.Search.Searchers;
using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Search;

/// <summary>Fused ranks against ranks of the conditions, each asked by itself.</summary>
public sealed class FusionTests
{
    private const int Documents = 600;

    private static readonly string[] Words = ["red", "fox", "blue", "whale", "green", "frog"];

    [Fact]
    [Trait("Invariant", "FUSE-1")]
    public void The_score_of_a_fusion_is_made_of_the_ranks_in_each_list()
    {
        const int seed = 21;
        Random random = new(seed);
        using SimulatedFileSystem disk = new();
        using SearchIndex index = Open(disk, random);
        for (int round = 0; round < 30; round++)
        {
            int most = random.Next(3) == 0 ? 1000 : random.Next(1, 40);
            string text = $"{Words[random.Next(6)]} {Words[random.Next(6)]}";
            float[] wanted = [random.NextSingle() - 0.5f, random.NextSingle() - 0.5f, random.NextSingle() - 0.5f];
            long? kind = random.Next(2) == 0 ? random.Next(4) : null;
            int lists = random.Next(2, 4);
            Func<SearchQuery, int>[] conditions =
            [
                .. ((Func<SearchQuery, int>[])
                [
                    query => query.Search("Text", query.Value(Encoding.UTF8.GetBytes(text)), isAll: false),
                    query => query.Nearest("V", query.Vector(wanted), 1, 0, most),
                    query => query.Or(
                        query.Boost(query.Nearest("V", query.Vector([1, 0, 0]), 1, 0, 5), 3),
                        query.Search("Text", query.Value("frog"u8), isAll: false)),
                ]).Take(lists),
            ];
            Dictionary<string, double> expected = [];
            foreach (Func<SearchQuery, int> condition in conditions)
            {
                int rank = 0;
                foreach ((string id, float _) in Run(index, query => Restricted(query, condition(query), kind), most))
                {
                    expected[id] = expected.GetValueOrDefault(id) + (1.0 / (60 + ++rank));
                }
            }

            List<(string Id, float Score)> found = Run(index, query =>
            {
                int node = query.Boost(conditions[0](query), 1);
                foreach (Func<SearchQuery, int> condition in conditions.Skip(1))
                {
                    node = query.Fuse(node, condition(query), most);
                }

                return Restricted(query, node, kind);
            }, int.MaxValue);
            string where = $"seed {seed}, round {round}";
            Assert.True(expected.Count == found.Count, $"{where}: {found.Count} instead of {expected.Count}");
            Assert.All(found, hit => Assert.True(Math.Abs(expected[hit.Id] - hit.Score) < 1e-6, $"{where}: {hit}"));
        }
    }

    /// <summary>A condition on the kind adds nothing to scores, so that ranks and sums stay as they are.</summary>
    private static int Restricted(SearchQuery query, int node, long? kind) => kind is { } one
        ? query.And(node, query.Boost(query.Equal("Kind", query.Value(one)), 0))
        : node;

    private static List<(string Id, float Score)> Run(SearchIndex index, Func<SearchQuery, int> build, int most)
    {
        SearchQuery query = new();
        IndexSearcher searcher = new();
        SearchRequest request = new() { Take = most };
        request.Orders.Add(new OrderKey(OrderKind.Score, "", true, false, 0));
        using IndexReader reader = index.BeginRead();
        searcher.Run(reader, query, build(query), request);
        return
        [
            .. Enumerable.Range(0, searcher.Count).Select(i => (
                Encoding.UTF8.GetString(searcher.DocumentId(i)), searcher.Score(i))),
        ];
    }

    private static SearchIndex Open(SimulatedFileSystem disk, Random random)
    {
        SearchIndex index = SearchIndex.Open(new SearchIndexOptions
        {
            Storage = new StorageOptions { FileSystem = disk, Scheduler = new ManualScheduler() },
        });
        for (int part = 0; part < 3; part++)
        {
            using IndexBatch batch = index.BeginBatch();
            IndexField vectors = batch.GetOrAddVectors("V", VectorFormat.Single, 0);
            IndexField texts = batch.GetOrAddField("Text", FieldKind.FullText, Analyzers.Standard);
            IndexField kinds = batch.GetOrAddField("Kind", FieldKind.Exact, Analyzers.Keyword);
            for (int i = part * 150; i < Math.Min(Documents, (part * 150) + 200); i++)
            {
                byte[] id = Encoding.UTF8.GetBytes(i.ToString(CultureInfo.InvariantCulture));
                batch.Delete(id);
                batch.BeginEntry(id);
                batch.AddVector(
                    vectors, [random.NextSingle() - 0.5f, random.NextSingle() - 0.5f, random.NextSingle() - 0.5f]);
                batch.Add(texts, Encoding.UTF8.GetBytes(string.Join(
                    ' ', Enumerable.Range(0, random.Next(1, 12)).Select(_ => Words[random.Next(6)]))));
                batch.Add(kinds, (long)random.Next(4));
                batch.EndEntry();
            }

            batch.Commit("x"u8);
        }

        return index;
    }
}
