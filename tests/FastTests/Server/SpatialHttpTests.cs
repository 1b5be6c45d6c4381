using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Spatial results, older texts of shapes, and the similarity of words and documents.</summary>
public sealed class SpatialHttpTests(SpatialHttpTests.Documents documents) : IClassFixture<SpatialHttpTests.Documents>
{
    private const string Place = "spatial.point(Lat, Lng)";

    private readonly TestServer _server = documents.Server;

    [Theory]
    [Trait("Fault", "D7")]
    [InlineData("", "p/1 p/2 p/none")]
    [InlineData(" desc", "p/2 p/1 p/none")]
    [InlineData(" nulls first", "p/none p/1 p/2")]
    public async Task Documents_without_a_location_are_last_in_an_order_by_distance(string direction, string ids) =>
        Assert.Equal(
            ids.Split(' '),
            await IdsAsync($"from Places order by spatial.distance({Place}, spatial.point(10, 10)){direction}"));

    [Theory]
    [Trait("Fault", "D7")]
    [InlineData("within", "spatial.circle(0, 10, 10)")]
    [InlineData("intersects", "spatial.wkt('POINT(10 10)')")]
    [InlineData("contains", "spatial.wkt('POINT(10 10)')")]
    [InlineData("within", "spatial.point(10, 10)")]
    public async Task A_point_is_found_by_a_relation_to_its_own_location(string relation, string shape)
    {
        Assert.Equal(["p/1"], await IdsAsync($"from Places where spatial.{relation}({Place}, {shape})"));
        Assert.Equal(
            ["p/2"], await IdsAsync($"from Places where exists(Lat) and spatial.disjoint({Place}, {shape})"));
    }

    [Theory]
    [Trait("Fault", "A10")]
    [InlineData($"from Places order by spatial.distance({Place}, spatial.point(10, 11))", 0)]
    [InlineData($"from Places where spatial.within({Place}, spatial.circle(500, 10, 11))", 0)]
    [InlineData($"from Places where spatial.within({Place}, spatial.circle(500, 10, 11)) select Lat", 0)]
    public async Task Results_of_a_spatial_query_have_their_location_and_distance_in_the_metadata(string query, int at)
    {
        JsonNode answer = await QueryHttpTests.QueryAsync(_server, query);
        JsonNode place = answer["Results"]![at]!["@metadata"]!["@spatial"]!;
        Assert.Equal(109.5, (double)place["Distance"]!, 1);
        Assert.Equal(10.0, (double)place["Latitude"]!, 6);
        Assert.Equal(10.0, (double)place["Longitude"]!, 6);
    }

    [Fact]
    [Trait("Fault", "A10")]
    public async Task Results_of_a_query_without_distances_have_no_location_in_the_metadata()
    {
        JsonNode answer = await QueryHttpTests.QueryAsync(_server, "from Places where Lat > 0");
        Assert.Null(answer["Results"]![0]!["@metadata"]!["@spatial"]);
    }

    [Theory]
    [Trait("Fault", "A11")]
    [InlineData("CIRCLE(10 10 d=5)", "p/1")]
    [InlineData("Circle(10.0, 10.0 d=5.0)", "p/1")]
    [InlineData("circle( 10 10  d=9000 )", "p/1 p/2")]
    [InlineData("9 9 11 11", "p/1")]
    [InlineData("ENVELOPE(9, 11, 11, 9)", "p/1")]
    [InlineData("30 20", "p/2")]
    [InlineData("20,30", "p/2")]
    public async Task Shapes_in_the_older_text_formats_are_read(string shape, string ids) =>
        Assert.Equal(
            ids.Split(' '),
            (await IdsAsync($"from Places where spatial.within({Place}, spatial.wkt('{shape}'))")).Order());

    [Fact]
    [Trait("Fault", "A8")]
    public async Task A_fuzzy_condition_finds_similar_texts_without_a_static_index()
    {
        Assert.Equal(["p/1"], await IdsAsync("from Places where fuzzy(Name = 'Ernts Hnadel', 0.5)"));
        Assert.Empty(await IdsAsync("from Places where fuzzy(Name = 'Ernts Hnadel', 0.8)"));
        await RefusedAsync("from Places where fuzzy(Name = 'x', 2)", "from 0 to 1");
    }

    [Fact]
    [Trait("Fault", "A8")]
    public async Task A_proximity_search_needs_two_or_more_words_without_wildcards()
    {
        await RefusedAsync("from Places where proximity(search(Text, 'fluent'), 3)", "two words or more");
        await RefusedAsync("from Places where proximity(search(Text, 'flu* french'), 3)", "no * and no ?");
        Assert.Equal(["p/1"], await IdsAsync("from Places where proximity(search(Text, 'fluent french'), 0)"));
    }

    [Fact]
    [Trait("Fault", "D12")]
    public async Task The_proximity_of_words_is_the_number_of_moves_into_their_order()
    {
        Assert.Equal(["p/2"], await IdsAsync(
            "from Places where proximity(search(Text, 'fluent french'), 5) and Lat > 15"));
        Assert.Empty(await IdsAsync("from Places where proximity(search(Text, 'fluent french'), 1) and Lat > 15"));
    }

    private async Task<string[]> IdsAsync(string query) =>
        QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(_server, query));

    private async Task RefusedAsync(string query, string says) =>
        (await _server.SendAsync("POST", "~/queries", QueryHttpTests.Body(query))).ExpectError(400, says);

    /// <summary>A server with documents that the tests do not change.</summary>
    public sealed class Documents : IAsyncLifetime
    {
        internal TestServer Server { get; private set; } = null!;

        /// <inheritdoc/>
        public async ValueTask InitializeAsync()
        {
            Server = await TestServer.WithDatabaseAsync();
            const string Collection = "\"@metadata\":{\"@collection\":\"Places\"}";
            await Server.PutAsync(
                "p/1", $"{{\"Lat\":10,\"Lng\":10,\"Name\":\"Ernst Handel\",\"Text\":\"fluent french\",{Collection}}}");
            await Server.PutAsync(
                "p/2", $"{{\"Lat\":20,\"Lng\":30,\"Name\":\"Other\",\"Text\":\"french spoken fluent\",{Collection}}}");
            await Server.PutAsync("p/none", $"{{\"Name\":\"None\",{Collection}}}");
        }

        /// <inheritdoc/>
        public ValueTask DisposeAsync()
        {
            Server.Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
