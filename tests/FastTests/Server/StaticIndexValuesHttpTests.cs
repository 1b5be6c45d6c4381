using System.Net;
using System.Text.Json.Nodes;
using Raven.Documents.Indexing.Compilation;

namespace FastTests.Server;

/// <summary>What maps make of values, from their definitions to the answers of queries.</summary>
public sealed class StaticIndexValuesHttpTests
{
    [Theory]
    [Trait("Fault", "A17")]
    [InlineData("map('Items', i => ({ _: createField('X', i.V) }))", "X = 'a'")]
    [InlineData("map('Items', i => ({ _: [null, createField('X', i.V), createField('Y', 1)] }))", "X = 'a' and Y = 1")]
    [InlineData("map('Items', i => ({ _: [[createField('X', i.V)], [createField('Y', 1)]] }))", "X = 'a' and Y = 1")]
    [InlineData("map('Items', i => ({ _: { $value: i.V, $name: 'X', $options: { storage: true } } }))", "X = 'a'")]
    [InlineData("map('Items', i => ({ _: createField('P', createSpatialField(10, 20)), X: i.V }))",
        "X = 'a' and spatial.within(P, spatial.circle(10, 10, 20))")]
    [InlineData("map('Items', i => ({ _: [createSpatialField('P', 10, 20), createField('X', i.V)] }))",
        "X = 'a' and spatial.within(P, spatial.circle(10, 10, 20))")]
    [InlineData("from i in docs.Items select new { _ = new[] { CreateSpatialField(\"P\", 10, 20), "
        + "CreateField(\"X\", i.V) } }", "X = 'a' and spatial.within(P, spatial.circle(10, 10, 20))")]
    public async Task Fields_that_a_map_names_can_be_queried(string map, string condition)
    {
        using TestServer server = await WithAsync("""{"V":"a"}""", """{"V":"b"}""");
        await PutAsync(server, map);
        await ExpectAsync(server, condition, "items/0");
    }

    [Fact]
    [Trait("Fault", "E9")]
    public async Task Durations_are_compared_and_ordered_by_their_length()
    {
        using TestServer server = await WithAsync(
            """{"A":"2020-01-01T00:00:00","B":"2020-01-06T00:00:00"}""",
            """{"A":"2020-01-01T00:00:00","B":"2020-01-11T00:00:00"}""",
            """{"A":"2020-01-01T00:00:00","B":"2020-01-01T03:00:00"}""", """{"B":"2020-01-01T03:00:00"}""");
        await PutAsync(server, "from i in docs.Items select new { D = i.B - ((DateTime?)i.A) }");
        await ExpectAsync(server, "D < 108000000000.0", []);
        await ExpectAsync(server, "D <= 108000000000", "items/2");
        await ExpectAsync(server, "D between 100000000000 and 4320000000000", "items/0", "items/2");
        await ExpectAsync(server, "D = '5.00:00:00'", "items/0");
        foreach ((string order, string expected) in new[] { ("", "2 0 1"), (" desc", "1 0 2") })
        {
            JsonNode answer = await QueryHttpTests.QueryAsync(
                server, $"from index 'I' where D > 0 order by D{order}");
            Assert.Equal(expected.Split(' ').Select(one => $"items/{one}"), QueryHttpTests.Ids(answer));
        }
    }

    [Theory]
    [Trait("Fault", "E11")]
    [InlineData("5 / i.Age")]
    [InlineData("5 % i.Age")]
    [InlineData("5m / i.Age")]
    public async Task A_division_by_a_missing_value_is_an_error_like_a_division_by_zero(string expression)
    {
        using TestServer server = await WithAsync("""{"Age":5}""", "{}", """{"Age":0}""", """{"Age":null}""");
        await PutAsync(server, $"from i in docs.Items select new {{ X = {expression} }}");
        await ExpectAsync(server, "exists(X)", "items/0");
        JsonNode errors = (await server.SendAsync("GET", "~/indexes/errors?name=I")).Json["Results"]![0]!["Errors"]!;
        Assert.Equal(
            ["items/1", "items/2", "items/3"],
            errors.AsArray().Select(one => (string)one!["Document"]!).Order(StringComparer.Ordinal));
        Assert.All(errors.AsArray(), one => Assert.Contains(
            "divide by zero", (string?)one!["Error"], StringComparison.Ordinal));
    }

    [Fact]
    [Trait("Fault", "D3")]
    public async Task Pages_of_an_index_with_several_entries_per_document_neither_lose_nor_repeat_a_document()
    {
        string[] items = [.. Enumerable.Range(0, 8).Select(i => i % 2 == 0 ? """{"L":[1,2]}""" : """{"L":[1,2,3]}""")];
        using TestServer server = await WithAsync(items);
        await PutAsync(server, "from i in docs.Items from l in i.L select new { l }");
        foreach (bool addsSkipped in new[] { true, false })
        {
            List<string> all = [];
            int skipped = 0;
            int added;
            for (int page = 0; ; page++)
            {
                JsonNode answer = await QueryHttpTests.QueryAsync(
                    server, $"from index 'I' limit {(page * 3) + skipped}, 3");
                skipped += addsSkipped ? (int)answer["SkippedResults"]! : 0;
                all.AddRange(QueryHttpTests.Ids(answer));
                added = QueryHttpTests.Ids(answer).Length;
                if (added == 0)
                {
                    break;
                }
            }

            Assert.Equal(
                Enumerable.Range(0, items.Length).Select(i => $"items/{i}"), all.Order(StringComparer.Ordinal));
        }
    }

    [Fact]
    [Trait("Fault", "D8")]
    public async Task Integers_that_no_double_holds_pass_through_JavaScript_with_their_digits()
    {
        using TestServer server = await WithAsync(
            """{"N":9007199254740993,"M":-9007199254740995,"L":[9007199254740997]}""",
            """{"N":9007199254740992}""", """{"N":9007199254740993,"M":9007199254740992}""");
        (await server.SendAsync("PUT", "~/indexes", """
            {"Indexes":[{"Name":"I","Maps":[
                "map('Items', i => ({ N: i.N, L: (i.L || []).map(l => l), S: [i.M], Up: i.N + 2 }))"],
             "Fields":{"__all_fields":{"Storage":"Yes"}}}]}
            """)).Expect(HttpStatusCode.Created);
        await ExpectAsync(server, "N = 9007199254740993 and L = 9007199254740997", "items/0");
        await ExpectAsync(server, "N = 9007199254740992", "items/1");
        await ExpectAsync(server, "N = 9007199254740993 and S = 9007199254740992", "items/2");
        JsonNode stored = await QueryHttpTests.QueryAsync(server, "from index 'I' where L > 0 select N, L, S, Up");
        Assert.Equal(
            ["9007199254740993", "[9007199254740997]", "[-9007199254740995]", "9007199254740994"],
            new[] { "N", "L", "S", "Up" }.Select(name => stored["Results"]![0]![name]!.ToJsonString()));
        JsonNode made = await QueryHttpTests.QueryAsync(
            server, "from Items as i where id() = 'items/0' select { N: i.N, L: i.L.map(l => l), Up: i.N + 1 }");
        Assert.Equal(9007199254740993, (long)made["Results"]![0]!["N"]!);
        Assert.Equal(9007199254740997, (long)made["Results"]![0]!["L"]![0]!);
    }

    [Fact]
    [Trait("Fault", "A22")]
    public async Task Maps_can_use_additional_assemblies_if_the_setting_allows_it()
    {
        const string xml = """[{"AssemblyName":"System.Private.Xml","Usings":["System.Xml"]}]""";
        const string map = "from i in docs.Items select new { T = typeof(XmlNode).Name, "
            + "X = XmlConvert.EncodeName(\\\"a b\\\") }";
        using TestServer server = await TestServer.WithDatabaseAsync(
            options => options with { IndexingCSharp = CSharpUse.All });
        await server.PutAsync("items/0", """{"@metadata":{"@collection":"Items"}}""");
        (await server.SendAsync("PUT", "~/admin/indexes", Definition(map, xml))).Expect(HttpStatusCode.Created);
        await ExpectAsync(server, "T = 'XmlNode' and X = 'a_x0020_b'", "items/0");
        foreach ((string assemblies, string says) in new[]
        {
            ("""[{"AssemblyName":"No.Such.Thing"}]""", "'No.Such.Thing'"),
            ("""[{"AssemblyPath":"/no/such/thing.dll"}]""", "'/no/such/thing.dll'"),
            ("""[{"PackageName":"Some.Package"}]""", "'Some.Package'"),
        })
        {
            JsonNode error = (await server.SendAsync("PUT", "~/admin/indexes", Definition(map, assemblies)))
                .ExpectError(400, says).Json;
            Assert.EndsWith("IndexCompilationException", (string?)error["Type"], StringComparison.Ordinal);
        }

        using TestServer strict = await TestServer.WithDatabaseAsync();
        (await strict.SendAsync("PUT", "~/admin/indexes", Definition(map, xml)))
            .ExpectError(400, "no additional assemblies; its administrator can allow them: Indexing.CSharp=All");
    }

    private static string Definition(string map, string assemblies) =>
        $"{{\"Indexes\":[{{\"Name\":\"I\",\"Maps\":[\"{map}\"],\"AdditionalAssemblies\":{assemblies}}}]}}";

    private static async Task<TestServer> WithAsync(params string[] items)
    {
        TestServer server = await TestServer.WithDatabaseAsync();
        for (int i = 0; i < items.Length; i++)
        {
            string rest = items[i] == "{}" ? "" : items[i][1..^1] + ",";
            await server.PutAsync($"items/{i}", $"{{{rest}\"@metadata\":{{\"@collection\":\"Items\"}}}}");
        }

        return server;
    }

    private static async Task PutAsync(TestServer server, string map)
    {
        var definition = new JsonObject { ["Name"] = "I", ["Maps"] = new JsonArray(map) };
        (await server.SendAsync(
            "PUT", "~/admin/indexes", new JsonObject { ["Indexes"] = new JsonArray(definition) }.ToJsonString()))
            .Expect(HttpStatusCode.Created);
    }

    private static async Task ExpectAsync(TestServer server, string condition, params string[] ids)
    {
        JsonNode answer = await QueryHttpTests.QueryAsync(server, $"from index 'I' where {condition}");
        Assert.Equal(ids, QueryHttpTests.Ids(answer).Order(StringComparer.Ordinal));
    }
}
