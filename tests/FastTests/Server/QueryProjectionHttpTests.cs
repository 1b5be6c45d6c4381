using System.Globalization;
using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>What projections show, and what comes along: missing fields, digits, counters, compare-exchange
/// values.</summary>
public sealed class QueryProjectionHttpTests(QueriedDatabase database) : IClassFixture<QueriedDatabase>
{
    [Fact]
    [Trait("Fault", "D9")]
    public async Task A_field_that_is_missing_is_null_in_a_projection_by_a_script()
    {
        await database.PutAsync("Gaps", """{"A":{"B":1}}""");
        Assert.Equal(
            """{"deep":{"one":1,"z":null},"x":null,"y":null}""",
            await database.RowsAsync(
                "from Gaps as g select { x: g.None, y: null, deep: { z: g.A.None, one: g.A.B } }"));
        Assert.Equal(
            """{"x":null}""",
            await database.RowsAsync("declare function f(g) { return { x: g.None }; } from Gaps as g select f(g)"));
    }

    [Theory]
    [InlineData("select o", "o")]
    [InlineData("select distinct o", "o")]
    [InlineData("select o as all", "all")]
    [InlineData("select { o }", "o")]
    [InlineData("load o.R as x select x", "x")]
    [InlineData("load o.R as x select x as y", "y")]
    [InlineData("load o.R as x select o.R as a, x as y", "y")]
    [InlineData("load o.Rs as xs[] select xs[]", "xs")]
    [InlineData("load o.Rs as xs[] select xs as many", "many")]
    [Trait("Fault", "E6")]
    public async Task An_alias_in_select_projects_the_whole_document(string rest, string name)
    {
        await database.PutAsync(
            "Wholes", """{"N":1,"R":"Wholes/2","Rs":["Wholes/2"]}""", """{"N":2,"R":"None","Rs":[]}""");
        JsonNode[] rows = [.. (await database.QueryAsync($"from Wholes as o order by o.N {rest}"))["Results"]!
            .AsArray().Select(one => one![name]!)];
        Assert.Equal(2, rows.Length);
        bool isLoaded = rest.StartsWith("load", StringComparison.Ordinal);
        JsonNode first = rows[0] is JsonArray many ? Assert.Single(many)! : rows[0];
        Assert.Equal(isLoaded ? 2 : 1, (int)first["N"]!);
        Assert.Equal("Wholes", (string?)first["@metadata"]!["@collection"]);
        Assert.Equal(
            isLoaded ? "Wholes/2" : "Wholes/1",
            rest.Contains('{', StringComparison.Ordinal) ? "Wholes/1" : (string?)first["@metadata"]!["@id"]);
        Assert.Equal(
            isLoaded ? rows[0] is JsonArray ? "[]" : null : "2",
            isLoaded ? rows[1]?.ToJsonString() : rows[1]["N"]!.ToJsonString());
    }

    [Theory]
    [InlineData("select { m: getMetadata(o) }", "m")]
    [InlineData("select { m: o['@metadata'], n: getMetadata(o)['@id'] }", "m")]
    [InlineData("select { m: Object.assign({}, getMetadata(o)) }", "m")]
    [InlineData("select { o }", "o.@metadata")]
    [InlineData("select o", "o.@metadata")]
    [InlineData("select @metadata as m", "m")]
    [InlineData("load o.R as x select x.@metadata as m", "m")]
    [InlineData("load o.R as x filter x.@metadata.@id = 'metas/1' select o", "o.@metadata")]
    [InlineData("load o.R as x select { m: getMetadata(x), n: x }", "m")]
    [InlineData("load o.R as x select { m: getMetadata(x), n: x }", "n.@metadata")]
    [InlineData("select { m: getMetadata(load(o.R)) }", "m")]
    [InlineData("load o.Rs as xs[] select { m: xs }", "m.0.@metadata")]
    [Trait("Fault", "A10")]
    [Trait("Fault", "A15")]
    public async Task Projected_metadata_has_the_members_that_the_server_adds(string rest, string path)
    {
        await database.PutAsync("Metas", """{"R":"Metas/1","Rs":["Metas/1"],"N":1}""");
        (await database.Server.SendAsync("POST", "~/counters", """
            {"Documents":[{"DocumentId":"Metas/1","Operations":[
                {"Type":"Increment","CounterName":"likes","Delta":7}]}]}
            """)).Expect(HttpStatusCode.OK);
        (await database.Server.SendAsync("PUT", "~/attachments?id=Metas/1&name=a.txt&contentType=text/plain", "abc"))
            .Expect(HttpStatusCode.Created);
        JsonNode document = (await database.QueryAsync("from Metas"))["Results"]![0]!["@metadata"]!;
        JsonNode row = (await database.QueryAsync($"from Metas as o {rest}"))["Results"]![0]!;
        JsonNode metadata = path.Split('.').Aggregate(row, (node, name) => node is JsonArray many
            ? many[int.Parse(name, CultureInfo.InvariantCulture)]!
            : node[name]!);
        foreach (string name in new[]
        {
            "@collection", "@id", "@change-vector", "@last-modified", "@flags", "@counters", "@attachments",
        })
        {
            Assert.True(
                JsonNode.DeepEquals(document[name]!, metadata[name]), $"{name}: {metadata[name]?.ToJsonString()}");
        }
    }

    [Fact]
    [Trait("Fault", "A10")]
    public async Task Metadata_that_a_patch_copies_into_a_field_has_the_members_that_the_server_adds()
    {
        await database.PutAsync("Keeping", """{"N":1}""");
        (await database.Server.SendAsync("PATCH", "~/docs?id=Keeping/1", """
            {"Patch":{"Script":"this.m = getMetadata(this); getMetadata(this).Mine = 1;"}}
            """)).Expect(HttpStatusCode.OK);
        JsonNode document = (await database.QueryAsync("from Keeping"))["Results"]![0]!;
        Assert.Equal("Keeping/1", (string?)document["m"]!["@id"]);
        Assert.NotNull((string?)document["m"]!["@last-modified"]);
        Assert.Equal(1, (int)document["@metadata"]!["Mine"]!);
        Assert.Equal("""{"a":"Keeping","b":null,"c":1}""", await database.RowsAsync(
            "from Keeping as k select @metadata.@collection as a, @metadata.m as b, @metadata.Mine as c"));
        Assert.Equal("""{"a":"Keeping/1"}""", await database.RowsAsync(
            "from Keeping as k filter @metadata.@last-modified > '2020' select k.@metadata.@id as a"));
    }

    [Fact]
    [Trait("Fault", "E6")]
    public async Task A_list_of_loaded_documents_is_read_with_and_without_brackets()
    {
        await database.PutAsync("Lists", """{"N":1,"Rs":["Lists/2","Lists/3"]}""", """{"N":2}""", """{"N":3}""");
        foreach (string path in new[] { "xs.N", "xs[].N" })
        {
            Assert.Equal("""{"n":[2,3]}""", await database.RowsAsync(
                $"from Lists as l load l.Rs as xs[] filter {path} = 3 select {path} as n"));
        }

        Assert.Equal("1", await database.NumbersAsync("from Lists as l load l.Rs as xs[] filter exists(xs)"));
    }

    [Fact]
    [Trait("Fault", "A21")]
    public async Task The_result_of_a_function_in_select_has_the_alias_of_the_query()
    {
        await database.PutAsync("Named", """{"R":"o/2","L":[1]}""");
        foreach ((string value, string expected) in new[]
        {
            ("a.R", "\"o/2\""), ("{ z: a.R }", """{"z":"o/2"}"""), ("a.L", "[1]"), ("5", "5"), ("null", "null"),
            ("a.None", "null"),
        })
        {
            string function = $"declare function f(a) {{ return {value}; }} from Named as n select f(n)";
            Assert.Equal($$"""{"q":{{expected}}}""", await database.RowsAsync($"{function} as q"));
            Assert.Equal($$"""{"a \u0022b":{{expected}}}""", await database.RowsAsync($"{function} as 'a \"b'"));
            if (expected[0] is not ('{' or 'n'))
            {
                (await database.SendAsync(function)).ExpectError(
                    400, "'f' gave something else than an object, which is no row: give it a name");
            }
        }
    }

    [Fact]
    [Trait("Fault", "D9")]
    public async Task A_text_in_quotes_in_a_projection_is_a_field_name()
    {
        await database.PutAsync("Quoted", """{"order":1,"unit price":2}""");
        Assert.Equal(
            """{"order":1,"p":2,"l":null}""",
            await database.RowsAsync("from Quoted select 'order', 'unit price' as p, 'lit' as l"));
        Assert.Equal("""{"order":1,"n":null}""", await database.RowsAsync("from Quoted select 'order', null as n"));
        Assert.Equal("""{"l":"lit"}""", await database.RowsAsync("from Quoted as q select { l: 'lit' }"));
        (await database.SendAsync("from Quoted select 5 as n")).ExpectError(400, "expected a field to project");
    }

    [Fact]
    [Trait("Fault", "D8")]
    public async Task Numbers_that_a_script_passes_through_keep_their_digits()
    {
        await database.PutAsync(
            "Digits",
            """{"A":9007199254740993,"B":-9007199254740995,"C":18446744073709551610,"D":1.5,"L":[9007199254740993]}""");
        const string Expected = """{"a":9007199254740993,"b":-9007199254740995,"c":18446744073709551610,"d":1.5}""";
        Assert.Equal(
            Expected, await database.RowsAsync("from Digits as o select { a: o.A, b: o.B, c: o.C, d: o.D }"));
        Assert.Equal(
            """{"l":9007199254740993,"s":1.5}""",
            await database.RowsAsync("from Digits as o select { l: o.L[0], s: o.D }"));
        await database.MakeIndexAsync("Digits/Js", "map('Digits', o => ({ a: o.A, b: o.B, c: o.C, d: o.D }))");
        await database.MakeIndexAsync(
            "Digits/Cs", "from o in docs.Digits select new { a = o.A, b = o.B, c = o.C, d = o.D }");
        foreach (string index in new[] { "Digits/Js", "Digits/Cs" })
        {
            Assert.Equal(
                (index, Expected), (index, await database.RowsAsync($"from index '{index}' select a, b, c, d")));
            Assert.Equal("1", await database.NumbersAsync(
                $"from index '{index}' where a = 9007199254740993 and c = 18446744073709551610"));
            Assert.Equal("", await database.NumbersAsync($"from index '{index}' where a = 9007199254740992"));
            Assert.Equal("", await database.NumbersAsync($"from index '{index}' where c = 18446744073709551611"));
        }
    }

    [Fact]
    [Trait("Fault", "D8")]
    public async Task Fractions_parameters_and_counters_keep_their_digits_in_a_script()
    {
        await database.PutAsync(
            "Exact", """{"m":0.12345678901234567891,"n":0.30000000000000004,"l":[1.234567890123456789]}""");
        await database.Server.SendAsync("POST", "~/counters", """
            {"Documents":[{"DocumentId":"Exact/1","Operations":[
                {"Type":"Increment","CounterName":"b","Delta":9007199254740993},
                {"Type":"Increment","CounterName":"c","Delta":9223372036854775807}]}]}
            """);
        Assert.Equal(
            """{"l":1.234567890123456789,"m":0.12345678901234567891,"n":0.30000000000000004}""",
            await database.RowsAsync("from Exact as e select { m: e.m, n: e.n, l: e.l[0] }"));
        Assert.Equal(
            """{"p":9007199254740993,"q":0.12345678901234567891}""",
            await database.RowsAsync(
                "from Exact as e select { p: $p, q: $q.x }",
                """{"p":9007199254740993,"q":{"x":0.12345678901234567891}}"""));
        Assert.Equal(
            """{"b":9007199254740993,"c":9223372036854775807}""",
            await database.RowsAsync("from Exact as e select { b: counter(e, 'b'), c: counter(e, 'c') }"));
    }

    [Fact]
    [Trait("Fault", "D8")]
    public async Task A_number_that_a_script_computes_does_not_get_the_digits_of_an_equal_double()
    {
        await database.PutAsync(
            "Twins", "{\"f\":0.10000000000000000001,\"k\":\"Twins/2\",\"m\":9007199254740993}",
            "{\"f\":0.1,\"k\":\"Twins/1\",\"m\":9007199254740992}");
        const string Select = "load h.k as x select { a: h.f, b: x.f, c: 0.1, d: 0.05 * 2, e: $p, m: h.m, n: x.m, "
            + "o: h.m - 0, p: [h.m, x.m].sort()[0], q: h.m == x.m && typeof h.m }";
        const string Made = "\"c\":0.1,\"d\":0.1,\"e\":0.1,";
        Assert.Equal(
            "{\"a\":0.10000000000000000001,\"b\":0.1," + Made
                + "\"m\":9007199254740993,\"n\":9007199254740992,\"o\":9007199254740992,\"p\":9007199254740993,"
                + "\"q\":\"number\"}",
            await database.RowsAsync($"from Twins as h where id() = 'Twins/1' {Select}", "{\"p\":0.1}"));
        Assert.Equal(
            "{\"a\":0.1,\"b\":0.10000000000000000001," + Made
                + "\"m\":9007199254740992,\"n\":9007199254740993,\"o\":9007199254740992,\"p\":9007199254740992,"
                + "\"q\":\"number\"}",
            await database.RowsAsync($"from Twins as h where id() = 'Twins/2' {Select}", "{\"p\":0.1}"));
    }

    [Fact]
    [Trait("Fault", "D8")]
    public async Task A_number_beyond_the_largest_double_is_not_null()
    {
        await database.PutAsync("Giants", "{\"v\":1e400}", "{\"v\":null}");
        await database.MakeIndexAsync("Giants/Js", "map('Giants', g => ({ v: g.v }))");
        await database.MakeIndexAsync("Giants/Cs", "from g in docs.Giants select new { g.v }");
        foreach (string from in new[] { "Giants", "index 'Giants/Js'", "index 'Giants/Cs'" })
        {
            Assert.Equal((from, "2"), (from, await database.NumbersAsync($"from {from} where v = null")));
            Assert.Equal((from, "1"), (from, await database.NumbersAsync($"from {from} where v != null")));
        }

        Assert.Equal(
            "{\"v\":1e400}",
            await database.RowsAsync("from Giants as g where id() = 'Giants/1' select { v: g.v }"));
        foreach (string index in new[] { "Giants/Js", "Giants/Cs" })
        {
            Assert.Equal(
                (index, "{\"v\":1e400}"),
                (index, await database.RowsAsync($"from index '{index}' where v != null select v")));
        }
    }

    [Fact]
    [Trait("Fault", "A13")]
    public async Task A_member_of_a_missing_value_is_null_in_a_projection_by_a_script()
    {
        await database.PutAsync("Holes", """{"a":"x","o":null}""");
        Assert.Equal(
            """{"a":"X","c":null,"d":null,"e":null,"f":null,"g":1}""",
            await database.RowsAsync(
                "from Holes as s select { a: s.a.toUpperCase(), c: s.nope.y, d: s.nope.y.z['k'], "
                + "e: s.o.trim().length, f: s.nope['y'](s.a), g: [1, s.nope.z].filter(x => x).length }"));
        Assert.Equal(
            "{\"a\":null,\"c\":null,\"d\":null,\"e\":null,\"f\":null,\"i\":null,\"t\":null,\"x\":null}",
            await database.RowsAsync(
                "from Holes as s load s.nope as x select { a: attachmentsFor(x), c: counter(x, 'c'), "
                + "d: counterNamesFor(s.nope), e: loadAttachment(x, 'n'), f: getMetadata(x), "
                + "i: getMetadata(load('none/1'))['@id'], t: timeseries(x, 't').get(), x: cmpxchg(s.nope) }"));
        (await database.SendAsync("from Holes as s select { a: s.a.nope() }")).ExpectError(400, "is not a function");
        (await database.SendAsync(
            "declare function f(s) { s.nope.y = 1; return s; } from Holes as s select f(s)"))
            .ExpectError(400, "Cannot set properties of undefined");
    }

    [Fact]
    [Trait("Fault", "E35")]
    public async Task A_date_of_a_script_is_written_in_the_format_of_dates_in_documents()
    {
        await database.PutAsync("Times", """{"a":1577847600500}""");
        Assert.Equal(
            """{"i":"2020-01-01T03:00:00.500Z","l":["2020-01-01T03:00:00.5000000Z"],"""
            + "\"n\":null,\"o\":\"own\",\"x\":\"1970-01-01T00:00:00.0000000Z\"}",
            await database.RowsAsync(
                "from Times as t select { x: new Date(0), l: [new Date(t.a)], i: new Date(t.a).toISOString(), "
                + "n: new Date(NaN), o: Object.assign(new Date(0), { toJSON: () => 'own' }) }"));
    }

    [Fact]
    [Trait("Fault", "A21")]
    [Trait("Fault", "E33")]
    public async Task Projected_stored_fields_have_the_types_that_were_indexed()
    {
        await database.PutAsync(
            "Typed",
            """{"N":1,"R":2.5,"M":21.50,"D":"2020-01-02T00:00:00.0000000","T":true,"S":"12","Ref":"Typed/2"}""",
            """{"M":21.5}""");
        await database.MakeIndexAsync(
            "Typed/Cs", "from t in docs.Typed where t.N == 1 select new { t.N, t.R, t.M, D = (DateTime)t.D, t.T, t.S, "
            + "Sum = t.N + t.R, Year = ((DateTime)t.D).Year, Related = LoadDocument(t.Ref, \"Typed\").M, "
            + "List = new[] { 1, 2 } }");
        Assert.Equal(
            """{"N":1,"R":2.5,"M":21.5,"D":"2020-01-02T00:00:00.0000000","T":true,"S":"12","Sum":3.5,"Year":2020,"""
            + "\"Related\":21.5,\"List\":[1,2]}",
            await database.RowsAsync(
                "from index 'Typed/Cs' select N, R, M, D, T, S, Sum, Year, Related, List"));
    }

    [Fact]
    [Trait("Fault", "D9")]
    public async Task Highlighting_covers_all_texts_of_an_array()
    {
        await database.PutAsync("Notes", """{"T":["red fox","green","blue fox"]}""");
        foreach ((int count, int expected) in new[] { (5, 2), (1, 1) })
        {
            JsonNode answer = await database.QueryAsync(
                $"from Notes where search(T, 'fox') include highlight(T, 18, {count})");
            string[] pieces = [.. answer["Highlightings"]!["T"]!["Notes/1"]!.AsArray().Select(one => (string)one!)];
            Assert.Equal(expected, pieces.Length);
            Assert.StartsWith("red <b", pieces[0], StringComparison.Ordinal);
        }
    }

    [Fact]
    [Trait("Fault", "A6")]
    public async Task A_projected_raw_counter_has_the_value_of_each_node()
    {
        await database.PutAsync("Counted", """{"A":1}""", """{"A":2}""");
        (await database.Server.SendAsync("POST", "~/counters", """
            {"Documents":[{"DocumentId":"Counted/1","Operations":[
                {"Type":"Increment","CounterName":"likes","Delta":7}]}]}
            """)).Expect(HttpStatusCode.OK);
        foreach (string select in new[]
        {
            "counterRaw(c, 'likes') as l", "counterRaw('likes') as l", "{ l: counterRaw(c, 'likes') }",
        })
        {
            JsonNode answer = await database.QueryAsync($"from Counted as c order by A select {select}");
            JsonObject raw = answer["Results"]![0]!["l"]!.AsObject();
            Assert.Equal(7, (int)Assert.Single(raw).Value!);
            Assert.Equal(22, Assert.Single(raw).Key.Length);
            Assert.Null(answer["Results"]![1]!["l"]);
        }
    }

    [Fact]
    [Trait("Fault", "A6")]
    public async Task A_projection_script_can_include_documents_and_compare_exchange_values()
    {
        await database.PutAsync("Asking", """{"Key":"keys/1","Ref":"Asking/2"}""", """{"Keys":["keys/1","keys/2"]}""");
        await SetAsync("keys/1", "one", 0);
        JsonNode answer = await database.QueryAsync(
            "declare function f(a) { includes.cmpxchg(a.Key); includes.cmpxchg(a.Keys); includes.document(a.Ref); "
            + "return a; } from Asking as a select f(a)");
        JsonObject values = answer["CompareExchangeValueIncludes"]!.AsObject();
        Assert.Equal(["keys/1", "keys/2"], values.Select(one => one.Key).Order());
        Assert.Equal("one", (string?)values["keys/1"]!["Value"]!["Object"]);
        Assert.Equal(-1, (int)values["keys/2"]!["Index"]!);
        Assert.Equal(["Asking/2"], answer["Includes"]!.AsObject().Select(one => one.Key));
    }

    [Theory]
    [InlineData("from Tagged include cmpxchg('tags/1')")]
    [InlineData("from Tagged where A = 1 include cmpxchg('tags/1')")]
    [InlineData("from Tagged where A = cmpxchg('tags/1')")]
    [InlineData("from Tagged as t select { v: cmpxchg('tags/1') }")]
    [InlineData("from Tagged as t filter t.A = cmpxchg('tags/1')")]
    [InlineData("from index 'Tagged/ByA' include cmpxchg('tags/1')")]
    [Trait("Fault", "E43")]
    public async Task A_query_that_reads_compare_exchange_values_is_answered_with_304_until_one_changes(string query)
    {
        await database.PutAsync("Tagged", """{"A":1}""");
        await database.MakeIndexAsync("Tagged/ByA", "from t in docs.Tagged select new { t.A }");
        string other = Uri.EscapeDataString($"other/{query}");
        HttpAnswer first = (await database.SendAsync(query)).Expect(HttpStatusCode.OK);
        HttpAnswer second = (await database.SendAsync(query)).Expect(HttpStatusCode.OK);
        Assert.Equal(first.ETag, second.ETag);
        Assert.Equal((long)first.Json["ResultEtag"]!, (long)second.Json["ResultEtag"]!);
        (await database.SendAsync(query, "{}", $"If-None-Match: {first.ETag}")).Expect(HttpStatusCode.NotModified);
        await SetAsync(other, "x", 0);
        HttpAnswer third = (await database.SendAsync(query, "{}", $"If-None-Match: {first.ETag}"))
            .Expect(HttpStatusCode.OK);
        Assert.NotEqual(first.ETag, third.ETag);
    }

    private async Task SetAsync(string key, string value, long index) => (await database.Server.SendAsync(
        "PUT", $"~/cmpxchg?key={key}&index={index}", $$"""{"Object":"{{value}}"}""")).Expect(HttpStatusCode.OK);
}
