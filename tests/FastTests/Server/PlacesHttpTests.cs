using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Spatial results, older texts of shapes, and the similarity of words and documents.</summary>
public sealed class PlacesHttpTests(PlacesHttpTests.Documents documents) : IClassFixture<PlacesHttpTests.Documents>
{
    private const string Place = "spatial.point(Lat, Lng)";

    private readonly TestServer _server = documents.Server;

    [Theory]
    [Trait("Fault", "D7")]
    [InlineData("", "p/1 p/2 p/none")]
    [InlineData(" desc", "p/2 p/1 p/none")]
    [InlineData(" nulls first", "p/none p/1 p/2")]
    public async Task What_has_no_place_is_last_in_the_order_of_distance(string direction, string ids) =>
        Assert.Equal(
            ids.Split(' '),
            await IdsAsync($"from Places order by spatial.distance({Place}, spatial.point(10, 10)){direction}"));

    [Theory]
    [Trait("Fault", "D7")]
    [InlineData("within", "spatial.circle(0, 10, 10)")]
    [InlineData("intersects", "spatial.wkt('POINT(10 10)')")]
    [InlineData("contains", "spatial.wkt('POINT(10 10)')")]
    [InlineData("within", "spatial.point(10, 10)")]
    public async Task A_point_is_found_at_its_own_place(string relation, string shape)
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
    public async Task Results_tell_where_they_lie_and_how_far_that_is(string query, int at)
    {
        JsonNode answer = await QueryHttpTests.QueryAsync(_server, query);
        JsonNode place = answer["Results"]![at]!["@metadata"]!["@spatial"]!;
        Assert.Equal(109.5, (double)place["Distance"]!, 1);
        Assert.Equal(10.0, (double)place["Latitude"]!, 6);
        Assert.Equal(10.0, (double)place["Longitude"]!, 6);
    }

    [Fact]
    [Trait("Fault", "A10")]
    public async Task Results_of_queries_that_measure_nothing_tell_no_place()
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
    public async Task Texts_of_shapes_that_were_before_well_known_text_are_read(string shape, string ids) =>
        Assert.Equal(
            ids.Split(' '),
            (await IdsAsync($"from Places where spatial.within({Place}, spatial.wkt('{shape}'))")).Order());

    [Fact]
    [Trait("Fault", "A8")]
    public async Task Fuzzy_finds_what_is_alike_without_an_index_of_ones_own()
    {
        Assert.Equal(["p/1"], await IdsAsync("from Places where fuzzy(Name = 'Ernts Hnadel', 0.5)"));
        Assert.Empty(await IdsAsync("from Places where fuzzy(Name = 'Ernts Hnadel', 0.8)"));
        await RefusedAsync("from Places where fuzzy(Name = 'x', 2)", "from 0 to 1");
    }

    [Fact]
    [Trait("Fault", "A8")]
    public async Task Proximity_takes_two_words_or_more_as_they_are()
    {
        await RefusedAsync("from Places where proximity(search(Text, 'fluent'), 3)", "two words or more");
        await RefusedAsync("from Places where proximity(search(Text, 'flu* french'), 3)", "no * and no ?");
        Assert.Equal(["p/1"], await IdsAsync("from Places where proximity(search(Text, 'fluent french'), 0)"));
    }

    [Fact]
    [Trait("Fault", "D12")]
    public async Task Proximity_counts_the_moves_that_put_words_into_their_order()
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
        public async Task InitializeAsync()
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
        public Task DisposeAsync()
        {
            Server.Dispose();
            return Task.CompletedTask;
        }
    }
}
