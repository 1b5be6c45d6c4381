using System.Text;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Queries;

namespace FastTests.Search;

/// <summary>
/// Conditions on vectors beside each other and beside other ones: document n has a vector at 8 n degrees.
/// </summary>
public sealed class VectorConditionTests
{
    private static readonly float[][] Vectors = [.. Enumerable.Range(0, 10).Select(i => At(8 * i))];

    [Fact]
    [Trait("Invariant", "VEC-1")]
    [Trait("Invariant", "VEC-2")]
    public void Two_conditions_that_want_a_number_of_entries_do_not_restrict_each_other()
    {
        using TestVectors test = new(VectorFormat.Single, Vectors);
        Assert.Equal([1, 2], Find(test, query => query.And(Nearest(query, 0, 3), Nearest(query, 16, 3))));
        Assert.Empty(Find(test, query => query.And(Nearest(query, 0, 3), Nearest(query, 72, 3))));
    }

    [Fact]
    [Trait("Invariant", "VEC-2")]
    public void A_condition_that_all_near_enough_meet_restricts_one_that_wants_a_number_of_entries()
    {
        using TestVectors test = new(VectorFormat.Single, Vectors);
        Assert.Equal([0, 1], Find(test, query => query.And(Nearest(query, 72, 3), NearEnough(query))));
        Assert.Equal([0, 1], Find(test, query => query.And(NearEnough(query), Nearest(query, 72, 3))));
        Assert.Equal([1], Find(test, query => query.And(NearEnough(query), Nearest(query, 72, 1))));

        // The eighth degree is nearer than this, the sixteenth is not.
        static int NearEnough(SearchQuery query) =>
            query.Nearest("V", query.Vector(At(0)), 1, 0.97f, int.MaxValue);
    }

    [Fact]
    [Trait("Invariant", "VEC-3")]
    public void Conditions_of_an_intersection_are_met_by_different_entries_and_exclude_nothing_from_the_nearest()
    {
        using TestVectors test = new(VectorFormat.Single, []);
        using (IndexBatch batch = test.Index.BeginBatch())
        {
            IndexField vectors = batch.GetOrAddVectors("V", VectorFormat.Single, 0);
            IndexField kinds = batch.GetOrAddField("Kind", FieldKind.Exact, Analyzers.Keyword);
            foreach ((int document, long kind, int degrees) in ((int, long, int)[])[(1, 1, 80), (1, 2, 0), (2, 1, 8)])
            {
                batch.BeginEntry(Encoding.UTF8.GetBytes($"{document}"));
                batch.Add(kinds, kind);
                batch.AddVector(vectors, At(degrees));
                batch.EndEntry();
            }

            batch.Commit("x"u8);
        }

        // The nearest entry is of the second kind. Among those of the first kind it is one of the other document.
        Assert.Equal([1], Find(test, query => query.Intersect(OfFirstKind(query), Nearest(query, 0, 1))));
        Assert.Equal([2], Find(test, query => query.And(OfFirstKind(query), Nearest(query, 0, 1))));

        static int OfFirstKind(SearchQuery query) => query.Equal("Kind", query.Value(1L));
    }

    private static float[] At(int degrees) =>
        [(float)Math.Cos(degrees * Math.PI / 180), (float)Math.Sin(degrees * Math.PI / 180)];

    private static int Nearest(SearchQuery query, int degrees, int count) =>
        query.Nearest("V", query.Vector(At(degrees)), 1, 0, count);

    private static IEnumerable<int> Find(TestVectors test, Func<SearchQuery, int> build) =>
        test.Run(build, isScored: false).Select(hit => hit.Document).Order();
}
