using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Each option of an index, of its fields and of fields that maps create does what it says, or is
/// refused.</summary>
public sealed class IndexOptionsHttpTests(IndexOptionsHttpTests.Documents documents)
    : IClassFixture<IndexOptionsHttpTests.Documents>
{
    private readonly TestServer _server = documents.Server;

    [Theory]
    [Trait("Fault", "D2")]
    [InlineData("{indexing:'Search'}", "search(F,'fox')", 1)]
    [InlineData("{indexing:'Search'}", "exists(F)", 2)]
    [InlineData("{indexing:'Search'}", "F = 'fox'", 1)]
    [InlineData("{indexing:'Default'}", "F = 'the red FOX'", 1)]
    [InlineData("{indexing:'Exact'}", "F = 'the red FOX'", 0)]
    [InlineData("{indexing:'Exact'}", "F = 'The red fox'", 1)]
    [InlineData("{indexing:'No'}", "exists(F)", 0)]
    [InlineData("{indexing:'No',storage:true}", "exists(F)", 0)]
    public async Task A_field_created_in_JavaScript_is_indexed_by_its_options(
        string options, string condition, int count)
    {
        string map = $"map('Ts', t => ({{ _: createField('F', t.T, {options}) }}))";
        await PutAsync("Created", map);
        Assert.Equal(count, await CountAsync($"from index 'Created' where {condition}"));
    }

    [Theory]
    [Trait("Fault", "D2")]
    [InlineData("true, true", "search(F,'fox')", 1)]
    [InlineData("true, true", "F = 'fox'", 1)]
    [InlineData("true, false", "F = 'The red fox'", 1)]
    [InlineData("true, false", "F = 'the red fox'", 0)]
    [InlineData("new CreateFieldOptions { Indexing = FieldIndexing.Search }", "search(F,'red')", 1)]
    [InlineData("new CreateFieldOptions { Indexing = FieldIndexing.Default }", "F = 'THE red fox'", 1)]
    [InlineData("new CreateFieldOptions { Indexing = FieldIndexing.No }", "exists(F)", 0)]
    public async Task A_field_created_in_CSharp_is_indexed_by_its_options(
        string options, string condition, int count)
    {
        await PutAsync("CreatedToo", $"from t in docs.Ts select new {{ _ = CreateField(\"F\", t.T, {options}) }}");
        Assert.Equal(count, await CountAsync($"from index 'CreatedToo' where {condition}"));
    }

    [Fact]
    [Trait("Fault", "E5")]
    public async Task Ordering_by_a_full_text_field_or_a_field_that_is_not_indexed_is_refused()
    {
        await PutAsync(
            "Unordered", "from t in docs.Ts select new { t.T, t.U }",
            """ "Fields":{"T":{"Indexing":"Search"},"U":{"Indexing":"No"} } """);
        foreach (string order in new[] { "T", "T desc", "T as alphanumeric", "id(), T" })
        {
            await RefusedAsync($"from index 'Unordered' order by {order}", "keeps the words of 'T' alone");
        }

        await RefusedAsync("from index 'Unordered' order by U", "Indexing 'No'");
        Assert.Equal(2, await CountAsync("from index 'Unordered' order by id()"));
    }

    [Fact]
    [Trait("Fault", "E25")]
    public async Task A_field_of_the_definition_can_be_queried_though_no_map_emits_it()
    {
        await PutAsync(
            "Declared", "from t in docs.Ts select new { first = t.T }",
            """ "Fields":{"name":{"Suggestions":true} } """);
        Assert.Equal(0, await CountAsync("from index 'Declared' where name = 'x'"));
        Assert.Equal(2, await CountAsync("from index 'Declared' order by name"));
        await QueryHttpTests.QueryAsync(_server, "from index 'Declared' select suggest(name, 'x')");
        await QueryHttpTests.QueryAsync(_server, "from index 'Declared' select facet(name)");
        await RefusedAsync("from index 'Declared' where other = 'x'", "has no field 'other'");
    }

    [Theory]
    [Trait("Fault", "D10")]
    [InlineData("true", 1)]
    [InlineData("false", 0)]
    public async Task A_missing_field_is_indexed_as_null_if_the_setting_says_so(string isNull, int count)
    {
        await PutAsync(
            "Missing", "from t in docs.Ts select new { t.U, t.T }",
            $$""" "Configuration":{"Indexing.IndexMissingFieldsAsNull":"{{isNull}}" } """);
        Assert.Equal(count, await CountAsync("from index 'Missing' where U = null"));
    }

    [Fact]
    [Trait("Fault", "D10")]
    public async Task Index_settings_choose_the_analyzers_and_limit_the_documents_of_a_batch()
    {
        await PutAsync(
            "Analyzed", "from t in docs.Ts select new { t.T, W = t.T }",
            """
            "Fields":{"W":{"Indexing":"Search"}},"Configuration":{"Indexing.Analyzers.Default":"KeywordAnalyzer",
            "Indexing.Analyzers.FullText.Search.Default":"WhitespaceAnalyzer","Indexing.MapBatchSize":"1"}
            """);
        Assert.Equal(0, await CountAsync("from index 'Analyzed' where T = 'the red fox'"));
        Assert.Equal(1, await CountAsync("from index 'Analyzed' where search(W, 'The')"));
        Assert.Equal(0, await CountAsync("from index 'Analyzed' where search(W, 'the')"));
    }

    [Theory]
    [Trait("Fault", "D10")]
    [InlineData("Indexing.NoSuch", "1", "There is no setting 'Indexing.NoSuch'")]
    [InlineData("Indexing.IndexMissingFieldsAsNull", "yes", "must be true or false")]
    [InlineData("Indexing.MapBatchSize", "0", "must be a number from 1")]
    [InlineData("Indexing.Analyzers.Default", "None", "Cannot find analyzer type 'None'")]
    public async Task An_unknown_or_invalid_index_setting_is_refused(string name, string value, string says)
    {
        HttpAnswer answer = await TryPutAsync(
            "Refused", "from t in docs.Ts select new { t.T }", $$""" "Configuration":{"{{name}}":"{{value}}" } """);
        answer.ExpectError(400, says);
    }

    [Theory]
    [Trait("Fault", "E19")]
    [InlineData("""{"Type":"Cartesian"}""", "'Cartesian' is not supported")]
    [InlineData("""{"Strategy":"Other"}""", "'Strategy' must be")]
    [InlineData("""{"Units":"Feet"}""", "'Units' must be")]
    [InlineData("""{"MinX":-10}""", "'MinX' of a field of longitude and latitude is -180")]
    [InlineData("""{"MaxTreeLevel":"x"}""", "'MaxTreeLevel' must be")]
    public async Task An_unknown_spatial_option_is_refused(string spatial, string says)
    {
        HttpAnswer answer = await TryPutAsync(
            "NoPlace", "from t in docs.Ts select new { P = CreateSpatialField(t.T) }",
            $$""" "Fields":{"P":{"Spatial":{{spatial}} } } """);
        answer.ExpectError(400, says);
    }

    [Theory]
    [Trait("Fault", "E19")]
    [InlineData("BoundingBox", 1)]
    [InlineData("GeohashPrefixTree", 0)]
    [InlineData("QuadPrefixTree", 0)]
    public async Task A_shape_indexed_as_a_bounding_box_is_found_everywhere_in_the_box(string strategy, int count)
    {
        await PutAsync(
            "Boxes", "from t in docs.Shapes select new { P = CreateSpatialField(t.W) }",
            $$""" "Fields":{"P":{"Spatial":{"Type":"Geography","Strategy":"{{strategy}}","MaxTreeLevel":9} } } """);
        Assert.Equal(count, await CountAsync(
            "from index 'Boxes' where spatial.intersects(P, spatial.wkt('POLYGON((8 8, 9 8, 9 9, 8 9, 8 8))'))"));
    }

    [Theory]
    [Trait("Fault", "E19")]
    [InlineData("Miles", 1)]
    [InlineData("Kilometers", 0)]
    public async Task A_radius_without_a_unit_is_in_the_unit_of_the_spatial_field(string units, int count)
    {
        await PutAsync(
            "Units", "from t in docs.Places select new { P = CreateSpatialField(t.Lat, t.Lng) }",
            $$""" "Fields":{"P":{"Spatial":{"Units":"{{units}}" } } } """);

        // Half a degree is 55.6 km and 34.5 miles.
        Assert.Equal(1 + count, await CountAsync(
            "from index 'Units' where spatial.within(P, spatial.circle(40, 10, 10))"));
        Assert.Equal(1 + count, await CountAsync(
            "from index 'Units' where spatial.within(P, spatial.wkt('CIRCLE(10 10 d=40)'))"));
        JsonNode near = await QueryHttpTests.QueryAsync(
            _server, "from index 'Units' order by spatial.distance(P, spatial.point(10, 10))");
        double distance = (double)near["Results"]![1]!["@metadata"]!["@spatial"]!["Distance"]!;
        Assert.Equal(units == "Miles" ? 34.55 : 55.6, distance, 2);
    }

    [Fact]
    [Trait("Fault", "A16")]
    public async Task A_boost_in_a_map_is_refused_with_the_boost_of_queries_to_use_instead()
    {
        foreach (string map in new[]
        {
            "from t in docs.Ts select new { T = t.T.Boost(10) }",
            "from t in docs.Ts select new { t.T }.Boost(10)",
            "docs.Ts.Select(t => new { t.T }.Boost(10))",
        })
        {
            (await TryPutAsync("Boosted", map)).ExpectError(400, "weigh the condition in the query");
        }
    }

    private async Task<int> CountAsync(string query) =>
        (int)(await QueryHttpTests.QueryAsync(_server, query))["TotalResults"]!;

    private async Task RefusedAsync(string query, string says) =>
        (await _server.SendAsync("POST", "~/queries", QueryHttpTests.Body(query))).ExpectError(400, says);

    private async Task PutAsync(string name, string map, string rest = "\"Priority\":\"Normal\"") =>
        (await TryPutAsync(name, map, rest)).Expect(HttpStatusCode.Created);

    private async Task<HttpAnswer> TryPutAsync(string name, string map, string rest = "\"Priority\":\"Normal\"")
    {
        (await _server.SendAsync("DELETE", $"~/indexes?name={name}")).Expect(HttpStatusCode.NoContent);
        return await _server.SendAsync(
            "PUT", "~/admin/indexes",
            $$"""{"Indexes":[{"Name":"{{name}}","Maps":[{{JsonSerializer.Serialize(map)}}],{{rest}}}]}""");
    }

    /// <summary>A server with documents that the tests do not change.</summary>
    public sealed class Documents : IAsyncLifetime
    {
        internal TestServer Server { get; private set; } = null!;

        /// <inheritdoc/>
        public async ValueTask InitializeAsync()
        {
            Server = await TestServer.WithDatabaseAsync();
            await Server.PutAsync("t/1", """{"T":"The red fox","U":1,"@metadata":{"@collection":"Ts"}}""");
            await Server.PutAsync("t/2", """{"@metadata":{"@collection":"Ts"},"T":"nothing"}""");
            await Server.PutAsync(
                "s/1",
                """
                {"W":"POLYGON((0 0, 10 0, 10 1, 1 1, 1 10, 0 10, 0 0))","@metadata":{"@collection":"Shapes"}}
                """);
            await Server.PutAsync("p/0", """{"Lat":10,"Lng":10,"@metadata":{"@collection":"Places"}}""");
            await Server.PutAsync("p/1", """{"Lat":10.5,"Lng":10,"@metadata":{"@collection":"Places"}}""");
        }

        /// <inheritdoc/>
        public ValueTask DisposeAsync()
        {
            Server.Dispose();
            return ValueTask.CompletedTask;
        }
    }
}
