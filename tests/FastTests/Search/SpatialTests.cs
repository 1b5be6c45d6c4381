using System.Globalization;
using System.Text;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Queries;
using Raven.Search.Searchers;
using Raven.Search.Spatial;
using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Search;

/// <summary>Points and shapes against looking at each of them.</summary>
public sealed class SpatialTests : IDisposable
{
    private readonly SimulatedFileSystem _disk = new();
    private readonly SearchIndex _index;

    public SpatialTests() => _index = SearchIndex.Open(new SearchIndexOptions
    {
        Storage = new StorageOptions { FileSystem = _disk, Scheduler = new ManualScheduler() },
    });

    [Fact]
    public void A_circle_finds_the_points_that_are_near_enough_in_order_of_their_distance()
    {
        const int seed = 11;
        Random random = new(seed);
        List<(double Latitude, double Longitude)> points =
            [.. Enumerable.Range(0, 5000).Select(i => RandomPoint(random, i % 2 == 0))];
        AddPoints(points);
        for (int round = 0; round < 60; round++)
        {
            (double latitude, double longitude) = RandomPoint(random, round % 3 > 0);
            double radius = Math.Pow(10, (random.NextDouble() * 4) - 0.2);
            List<(int Point, double Distance)> near =
            [
                .. points.Select((point, i) => (
                    i, GeoDistance.Kilometers(latitude, longitude, point.Latitude, point.Longitude)))
                    .Where(pair => pair.Item2 <= radius).OrderBy(pair => pair.Item2),
            ];
            string where = $"seed {seed}, round {round}: {latitude}, {longitude}, {radius} km";
            SpatialFilter circle = SpatialFilter.Circle(SpatialRelation.Within, latitude, longitude, radius);
            List<string> found = Run(circle, new OrderKey(OrderKind.Distance, "Place", false, true, 0)
            {
                Latitude = latitude, Longitude = longitude,
            });

            // A stored point is within 5 mm of the one that was given.
            Assert.True(Math.Abs(near.Count - found.Count) <= 1, where);
            Assert.Equal(near.Take(5).Select(pair => $"d/{pair.Point}"), found.Take(5));
            Assert.Equal(points.Count - found.Count, Run(SpatialFilter.Circle(
                SpatialRelation.Disjoint, latitude, longitude, radius)).Count);
        }
    }

    [Theory]
    [InlineData("POLYGON ((34 31, 36 31, 36 33, 34 33, 34 31))", SpatialRelation.Within, "p1,s1")]
    [InlineData("POLYGON ((34 31, 36 31, 36 33, 34 33, 34 31))", SpatialRelation.Intersects, "l1,p1,s1,s2")]
    [InlineData("POLYGON ((34 31, 36 31, 36 33, 34 33, 34 31))", SpatialRelation.Disjoint, "h1,p2")]
    [InlineData("POINT (35 32)", SpatialRelation.Contains, "s1,s2")]
    [InlineData("POINT (35 32)", SpatialRelation.Intersects, "s1,s2")]
    [InlineData("POINT (50 50)", SpatialRelation.Contains, "")]
    [InlineData("POINT (52 52)", SpatialRelation.Contains, "h1")]
    [InlineData("LINESTRING (0 0, 1 1)", SpatialRelation.Intersects, "")]
    public void Shapes_are_found_by_their_spatial_relation(string shape, SpatialRelation relation, string expected)
    {
        AddShapes();
        Assert.Equal(
            expected, string.Join(',', Run(SpatialFilter.Shape(relation, shape)).Order(StringComparer.Ordinal)));
    }

    [Fact]
    public void A_circle_finds_shapes_as_well_as_points()
    {
        AddShapes();
        Assert.Equal(
            ["l1", "p1", "s1", "s2"],
            Run(SpatialFilter.Circle(SpatialRelation.Intersects, 32, 35, 120)).Order(StringComparer.Ordinal));
        Assert.Equal(["p1"], Run(SpatialFilter.Circle(SpatialRelation.Within, 32.4, 35, 10)));
    }

    [Fact]
    public void A_circle_finds_points_across_the_180th_meridian_and_the_pole()
    {
        AddPoints([(0, 179.9), (0, -179.9), (89.9, 0), (89.9, 180), (-45, 10)]);
        Assert.Equal(["d/0", "d/1"], Run(SpatialFilter.Circle(SpatialRelation.Within, 0, 180, 30)));
        Assert.Equal(["d/2", "d/3"], Run(SpatialFilter.Circle(SpatialRelation.Within, 90, 77, 30)));
    }

    [Theory]
    [InlineData("POLYGON ((1 2, 3")]
    [InlineData("CIRCLE (1 2 3)")]
    [InlineData("POINT (200 2)")]
    [InlineData("POINT EMPTY")]
    [InlineData("POLYGON ((0 0, 2 2, 2 0, 0 2, 0 0))")]
    public void A_text_that_is_no_valid_shape_is_refused(string shape) =>
        Assert.Throws<FormatException>(() => SpatialFilter.Shape(SpatialRelation.Within, shape));

    [Fact]
    public void A_shape_of_too_many_points_is_refused_with_its_size()
    {
        string ring = string.Join(", ", Enumerable.Range(0, 2001).Select(i =>
        {
            double angle = 2 * Math.PI * (i % 2000) / 2000;
            return string.Create(
                CultureInfo.InvariantCulture, $"{Math.Cos(angle):0.000000} {Math.Sin(angle):0.000000}");
        }));
        using IndexBatch batch = _index.BeginBatch();
        IndexField field = batch.GetOrAddField("Place", FieldKind.Exact, Analyzers.Keyword);
        batch.BeginEntry("d/1"u8);
        Assert.Contains("2001 points", Assert.Throws<SearchIndexException>(
            () => batch.AddShape(field, $"POLYGON (({ring}))")).Message, StringComparison.Ordinal);
    }

    public void Dispose()
    {
        _index.Dispose();
        _disk.Dispose();
    }

    private static (double Latitude, double Longitude) RandomPoint(Random random, bool isNear) => isNear
        ? (32 + random.NextDouble(), 35 + random.NextDouble())
        : ((random.NextDouble() * 180) - 90, (random.NextDouble() * 360) - 180);

    private void AddPoints(List<(double Latitude, double Longitude)> points)
    {
        foreach ((double Latitude, double Longitude)[] half in points.Chunk((points.Count / 2) + 1))
        {
            using IndexBatch batch = _index.BeginBatch();
            IndexField field = batch.GetOrAddField("Place", FieldKind.Exact, Analyzers.Keyword);
            foreach ((double latitude, double longitude) in half)
            {
                batch.BeginEntry(Encoding.UTF8.GetBytes($"d/{points.IndexOf((latitude, longitude))}"));
                batch.AddPoint(field, latitude, longitude);
                batch.EndEntry();
            }

            batch.Commit(default);
        }
    }

    private void AddShapes()
    {
        using IndexBatch batch = _index.BeginBatch();
        IndexField field = batch.GetOrAddField("Place", FieldKind.Exact, Analyzers.Keyword);
        foreach ((string id, string shape) in new[]
        {
            ("p1", "POINT (35 32.4)"), ("p2", "POINT (10 10)"),
            ("s1", "POLYGON ((34.9 31.9, 35.1 31.9, 35.1 32.1, 34.9 32.1, 34.9 31.9))"),
            ("s2", "MULTIPOLYGON (((34.5 31.5, 37 31.5, 37 32.5, 34.5 32.5, 34.5 31.5)), ((0 60, 1 60, 1 61, 0 60)))"),
            ("l1", "LINESTRING (33 32, 34.5 32.8)"),
            ("h1", "POLYGON ((48 48, 53 48, 53 53, 48 53, 48 48), (49 49, 51 49, 51 51, 49 51, 49 49))"),
        })
        {
            batch.BeginEntry(Encoding.UTF8.GetBytes(id));
            batch.AddShape(field, shape);
            batch.EndEntry();
        }

        batch.Commit(default);
    }

    private List<string> Run(SpatialFilter filter, params OrderKey[] orders)
    {
        SearchQuery query = new();
        SearchRequest request = new() { Take = 10_000 };
        foreach (OrderKey order in orders)
        {
            request.Orders.Add(order);
        }

        using IndexReader reader = _index.BeginRead();
        IndexSearcher searcher = new();
        searcher.Run(reader, query, query.Spatial("Place", filter), request);
        return [.. Enumerable.Range(0, searcher.Count).Select(i => Encoding.UTF8.GetString(searcher.DocumentId(i)))];
    }
}
