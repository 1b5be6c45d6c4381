using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Values of indexes that users define: lengths of time, dates of scripts, digits, places, texts without
/// words, and what maps may call.</summary>
public sealed class IndexedValuesHttpTests(QueriedDatabase database) : IClassFixture<QueriedDatabase>
{
    private const string FirstDay = "2020-01-01T03:00:00.5000000Z";

    [Theory]
    [Trait("Fault", "E35")]
    [InlineData("map('Moments', m => ({ x: new Date(m.A) }))", null)]
    [InlineData("map('Moments', m => ({ x: m.A }))",
        "groupBy(m => new Date(m.x)).aggregate(g => ({ x: new Date(g.key) }))")]
    public async Task A_date_indexed_by_a_script_is_found_by_the_text_that_clients_send(string map, string? reduce)
    {
        await database.PutAsync("Moments", """{"A":"2020-01-01T03:00:00.5Z"}""");
        string index = reduce is null ? "Moments/Map" : "Moments/Reduce";
        await MakeAsync(index, [map], reduce);
        foreach (string condition in new[] { "x = $p", "x in ($p)", "x between $p and $p" })
        {
            Assert.Equal($$"""{"x":"{{FirstDay}}"}""", await database.RowsAsync(
                $"from index '{index}' where {condition} select x", $$"""{"p":"{{FirstDay}}"}"""));
        }
    }

    [Theory]
    [Trait("Fault", "E9")]
    [InlineData("D < '6.00:00:00'", "1 3")]
    [InlineData("D > '5.00:00:00'", "2")]
    [InlineData("D >= '5.00:00:00'", "1 2")]
    [InlineData("D between '00:00:00' and '6.00:00:00'", "1 3")]
    [InlineData("lucene(D, '[00:00:00 TO 6.00:00:00]')", "1 3")]
    [InlineData("D > '1:00:00'", "1 2 3")]
    [InlineData("D < '4:00:00'", "3")]
    [InlineData("D >= '5.0:0:0'", "1 2")]
    [InlineData("D > '5'", "2")]
    [InlineData("D > 4320000000000", "2")]
    [InlineData("D >= 4320000000000 and D <= 4320000000000", "1")]
    [InlineData("D = 4320000000000", "1")]
    [InlineData("D in (4320000000000, 108000000000)", "1 3")]
    [InlineData("D = '5.00:00:00'", "1")]
    [InlineData("startsWith(D, '10.')", "2")]
    [InlineData("true order by D", "3 1 2")]
    [InlineData("true order by D desc", "2 1 3")]
    public async Task A_duration_is_compared_by_its_length_in_maps_and_reduces(string condition, string expected)
    {
        await database.PutAsync(
            "Spans", """{"T":"5.00:00:00","K":1}""", """{"T":"10.00:00:00","K":2}""", """{"T":"03:00:00","K":3}""");
        const string Map = "from s in docs.Spans select new { D = (TimeSpan?)s.T, s.K }";
        await MakeAsync("Spans/Map", [Map], null);
        await MakeAsync("Spans/Reduce", [Map],
            "from r in results group r by r.D into g select new { D = g.Key, K = g.Sum(x => x.K) }");
        string order = condition.Contains("order by", StringComparison.Ordinal) ? "" : " order by K";
        foreach (string index in new[] { "Spans/Map", "Spans/Reduce" })
        {
            JsonNode answer = await database.QueryAsync($"from index '{index}' where {condition}{order} select K");
            Assert.Equal((index, expected), (index, string.Join(
                ' ', answer["Results"]!.AsArray().Select(one => (string)one!["K"]!.ToString()))));
        }
    }

    [Theory]
    [Trait("Fault", "E9")]
    [InlineData("s > '5.00:00:00'", "10.00:00:00")]
    [InlineData("s >= '5.0:0:0'", "5.00:00:00 10.00:00:00")]
    [InlineData("s between '03:00:00' and '6.00:00:00'", "03:00:00 5.00:00:00")]
    [InlineData("s = 108000000000", "03:00:00")]
    [InlineData("s > 108000000000", "5.00:00:00 10.00:00:00")]
    [InlineData("s in (4320000000000, '10.00:00:00')", "5.00:00:00 10.00:00:00")]
    [InlineData("s = '3:00:00'", "")]
    [InlineData("s != '03:00:00'", "5.00:00:00 10.00:00:00")]
    public async Task A_duration_is_compared_in_filter_as_in_where(string condition, string expected)
    {
        await database.PutAsync("Waits", "{\"H\":3}", "{\"H\":120}", "{\"H\":240}");
        await MakeAsync(
            "Waits/Reduce", ["from w in docs.Waits select new { s = TimeSpan.FromHours(w.H), H = w.H }"],
            "from r in results group r by r.s into g select new { s = g.Key, H = g.Sum(x => x.H) }");
        foreach (string word in new[] { "where", "filter" })
        {
            JsonNode answer = await database.QueryAsync($"from index 'Waits/Reduce' {word} {condition}");
            Assert.Equal((word, expected), (word, string.Join(
                ' ', answer["Results"]!.AsArray().OrderBy(one => (int)one!["H"]!).Select(one => (string)one!["s"]!))));
        }
    }

    [Fact]
    [Trait("Fault", "E9")]
    public async Task A_duration_is_one_value_in_facets_terms_and_index_entries()
    {
        await database.PutAsync("Hours", """{"H":1}""", """{"H":240}""", """{"H":1}""");
        await MakeAsync(
            "Hours/Map", ["from h in docs.Hours select new { S = TimeSpan.FromHours(h.H) }"], null);
        JsonNode counted = await database.QueryAsync("from index 'Hours/Map' select facet(S)");
        Assert.Equal(
            ["01:00:00 2", "10.00:00:00 1"],
            counted["Results"]![0]!["Values"]!.AsArray().Select(one => $"{one!["Range"]} {one["Count"]}"));
        JsonNode ranged = await database.QueryAsync(
            "from index 'Hours/Map' select facet(S < '6.00:00:00', S >= '6.00:00:00')");
        Assert.Equal(["2", "1"], ranged["Results"]![0]!["Values"]!.AsArray().Select(one => one!["Count"]!.ToString()));
        JsonNode terms = (await database.Server.SendAsync("GET", "~/indexes/terms?name=Hours/Map&field=S")).Json;
        Assert.Equal("""["01:00:00","10.00:00:00"]""", terms["Terms"]!.ToJsonString());
        JsonNode entries = (await database.Server.SendAsync(
            "POST", "~/queries?debug=entries", QueryHttpTests.Body("from index 'Hours/Map' limit 1"))).Json;
        Assert.Equal("""["01:00:00"]""", entries["Results"]![0]!["@terms"]!["S"]!.ToJsonString());
    }

    [Fact]
    [Trait("Fault", "D8")]
    public async Task Decimals_keep_their_digits_in_stored_fields_and_in_results()
    {
        const string Digits = """{"a":9007199254740993.5,"b":0.12345678901234567891}""";
        await database.PutAsync("Money", """{"a":9007199254740993.5,"b":0.12345678901234567891,"K":1}""");
        const string Cs = "from m in docs.Money select new { m.a, m.b, m.K }";
        const string Js = "map('Money', m => ({ a: m.a, b: m.b, K: m.K }))";
        foreach ((string name, string map, string? reduce) in new[]
        {
            ("Money/Cs", Cs, null),
            ("Money/Decimal", "from m in docs.Money select new { a = (decimal)m.a, b = (decimal)m.b, m.K }", null),
            ("Money/Js", Js, null),
            ("Money/CsReduce", Cs, "from r in results group r by r.K into g "
                + "select new { K = g.Key, a = g.First().a, b = g.First().b }"),
            ("Money/JsReduce", Js,
                "groupBy(r => r.K).aggregate(g => ({ K: g.key, a: g.values[0].a, b: g.values[0].b }))"),
        })
        {
            await MakeAsync(name, [map], reduce);
            Assert.Equal((name, Digits), (name, await database.RowsAsync(
                $"from index '{name}' where a > 9007199254740992 select a, b")));
        }
    }

    [Theory]
    [Trait("Fault", "D7")]
    [InlineData("POINT(10 10)", "1")]
    [InlineData("MULTIPOINT((10 10))", "1")]
    [InlineData("MULTIPOINT((10 10),(0 0))", "1 2")]
    [InlineData("LINESTRING(0 0,20 0)", "2")]
    [InlineData("LINESTRING(0 0,20 20)", "1 2")]
    [InlineData("MULTILINESTRING((0 0,20 0))", "2")]
    [InlineData("GEOMETRYCOLLECTION(POINT(10 10))", "1")]
    [InlineData("GEOMETRYCOLLECTION(POINT(10 10),POINT(0 0))", "1 2")]
    [InlineData("GEOMETRYCOLLECTION(POINT(10 10),LINESTRING(-1 0,1 0))", "1 2")]
    [InlineData("GEOMETRYCOLLECTION(POINT(33 33),POLYGON((9 9,11 9,11 11,9 11,9 9)))", "1 3")]
    [InlineData("POLYGON((10.1 9,12 9,12 11,10.1 11,10.1 9))", "3")]
    public async Task A_point_in_a_shape_is_found_for_every_kind_of_shape(string shape, string expected)
    {
        await database.PutAsync(
            "Spots", """{"A":10,"O":10}""", """{"A":0,"O":0}""", """{"A":10,"O":10.1}""", """{"A":44,"O":44}""");
        await MakeAsync("Spots/Cs", ["from s in docs.Spots select new { P = CreateSpatialField(s.A, s.O) }"], null);
        await MakeAsync(
            "Spots/Js", ["map('Spots', s => ({ P: createSpatialField('POINT(' + s.O + ' ' + s.A + ')') }))"], null);
        foreach (string from in new[] { "Spots", "index 'Spots/Cs'", "index 'Spots/Js'" })
        {
            string place = from == "Spots" ? "spatial.point(A, O)" : "P";
            foreach ((string relation, string found) in new[]
            {
                ("intersects", expected), ("within", expected),
                ("disjoint", string.Join(' ', "1 2 3 4".Split(' ').Except(expected.Split(' ')))),
            })
            {
                Assert.Equal((from, relation, found), (from, relation, await database.NumbersAsync(
                    $"from {from} where spatial.{relation}({place}, spatial.wkt('{shape}')) order by id()")));
            }
        }
    }

    [Fact]
    [Trait("Fault", "D7")]
    public async Task Each_spatial_relation_holds_between_shapes_of_different_kinds()
    {
        const string Mixed = "GEOMETRYCOLLECTION(POINT(1 1),LINESTRING(2 2,3 3),POLYGON((5 5,7 5,7 7,5 7,5 5)))";
        await database.PutAsync(
            "Mixes", $$"""{"W":"{{Mixed}}"}""", """{"W":"POLYGON((5.5 5.5,6 5.5,6 6,5.5 6,5.5 5.5))"}""",
            """{"W":"LINESTRING(40 40,41 41)"}""");
        await MakeAsync("Mixes/Cs", ["from m in docs.Mixes select new { P = CreateSpatialField(m.W) }"], null);
        foreach ((string relation, string shape, string expected) in new[]
        {
            ("intersects", Mixed, "1 2"), ("within", Mixed, "1 2"), ("disjoint", Mixed, "3"), ("contains", Mixed, "1"),
            ("contains", "GEOMETRYCOLLECTION(POINT(1 1),POINT(6 6))", "1"),
            ("within", "POLYGON((0 0,50 0,50 50,0 50,0 0))", "1 2 3"),
        })
        {
            Assert.Equal((relation, expected), (relation, await database.NumbersAsync(
                $"from index 'Mixes/Cs' where spatial.{relation}(P, spatial.wkt('{shape}')) order by id()")));
        }
    }

    [Theory]
    [Trait("Fault", "D7")]
    [InlineData("POINT(-180 0)", "1")]
    [InlineData("POLYGON((-180 -10,-170 -10,-170 10,-180 10,-180 -10))", "")]
    [InlineData("POLYGON((170 -10,180 -10,180 10,170 10,170 -10))", "1")]
    [InlineData("POINT(0 90)", "2")]
    [InlineData("POLYGON((0 80,90 80,90 90,0 90,0 80))", "")]
    [InlineData("POLYGON((-180 80,180 80,180 90,-180 90,-180 80))", "2")]
    public async Task Shapes_end_at_the_180th_meridian(string shape, string expected)
    {
        await database.PutAsync("Edges", """{"A":0,"O":180}""", """{"A":90,"O":120}""");
        Assert.Equal(expected, await database.NumbersAsync(
            $"from Edges where spatial.intersects(spatial.point(A, O), spatial.wkt('{shape}'))"));
    }

    [Theory]
    [Trait("Fault", "D5")]
    [InlineData("exists(a)", "1 2 3 4 5 6")]
    [InlineData("true and not exists(a)", "7")]
    [InlineData("a = ''", "3")]
    [InlineData("a = null", "2 4")]
    public async Task A_field_exists_even_if_its_analyzer_makes_no_terms_of_it(string condition, string expected)
    {
        await database.PutAsync(
            "Gaps", """{"a":"the word"}""", """{"a":null}""", """{"a":""}""", """{"a":[null]}""", """{"a":7}""",
            """{"a":true}""", "{}");
        int number = 0;
        foreach (string options in new[]
        {
            """{"Indexing":"Search"}""", """{"Indexing":"Highlighting"}""", """{"Analyzer":"WhitespaceAnalyzer"}""",
            """{"Indexing":"Exact"}""", "{}",
        })
        {
            string index = $"Gaps/{++number}";
            await MakeAsync(
                index, ["from g in docs.Gaps select new { g.a }"], null,
                new JsonObject { ["a"] = JsonNode.Parse(options) });
            Assert.Equal((options, expected), (options, await database.NumbersAsync(
                $"from index '{index}' where {condition} order by id()")));
        }
    }

    [Fact]
    [Trait("Fault", "D5")]
    public async Task A_text_without_words_exists_and_is_not_equal_to_the_empty_text()
    {
        await database.PutAsync(
            "Stops", """{"a":"the"}""", """{"a":""}""", """{"a":"a fox"}""", """{"a":" "}""", """{"a":["the",""]}""",
            "{}");
        foreach ((string name, string options) in new[]
        {
            ("Stops/Search", """{"Indexing":"Search","Suggestions":true}"""),
            ("Stops/Stop", """{"Analyzer":"StopAnalyzer"}"""),
            ("Stops/Default", "{}"),
        })
        {
            await MakeAsync(
                name, ["from s in docs.Stops select new { s.a }"], null,
                new JsonObject { ["a"] = JsonNode.Parse(options) });
            Assert.Equal((name, "2 5"), (name, await FoundAsync("a = ''")));
            Assert.Equal((name, "2 5"), (name, await FoundAsync("a in ('')")));
            Assert.Equal((name, "1 2 3 4 5"), (name, await FoundAsync("exists(a)")));
            JsonNode counted = await database.QueryAsync($"from index '{name}' select facet(a)");
            Assert.Equal(
                (name, name == "Stops/Default" ? "=2  =1 a fox=1 the=2" : "=2 fox=1"),
                (name, string.Join(' ', counted["Results"]![0]!["Values"]!.AsArray().Select(
                    one => $"{one!["Range"]}={one["Count"]}"))));
            Assert.Equal(
                name == "Stops/Default"
                    ? """["EMPTY_STRING"," ","a fox","the"]"""
                    : """["EMPTY_STRING","fox"]""",
                await TermsAsync(name, "a", 9, null));

            Task<string> FoundAsync(string condition) =>
                database.NumbersAsync($"from index '{name}' where {condition} order by id()");
        }
    }

    [Theory]
    [Trait("Fault", "D8")]
    [InlineData("1 2 10", "1 2 10")]
    [InlineData("-3 1 2 10 100 0.5 18446744073709551611", "-3 0.5 1 2 10 100 18446744073709551611")]
    [InlineData("null true 5 \"a\" \"05\" \"B\" false \"\"", "NULL_VALUE false true 5 EMPTY_STRING 05 a b")]
    [InlineData("1 \"1\" true \"true\" \"x\" \"0\" null \"TRUE\" 1.5 \"1.5\"", "NULL_VALUE true 1 1.5 0 x")]
    public async Task Pages_of_terms_neither_lose_nor_repeat_a_term(string values, string expected)
    {
        string collection = $"Pages{values.Length}";
        await database.PutAsync(collection, [.. values.Split(' ').Select(value => $$"""{"v":{{value}}}""")]);
        await MakeAsync(collection, [$"from p in docs.{collection} select new {{ p.v }}"], null);
        for (int size = 1; size < 4; size++)
        {
            List<string> all = [];
            for (string? from = null; all.Count < 20; from = all[^1])
            {
                JsonArray page = JsonNode.Parse(await TermsAsync(collection, "v", size, from))!.AsArray();
                all.AddRange(page.Select(one => one!.ToString()));
                if (page.Count == 0)
                {
                    break;
                }
            }

            Assert.Equal((size, expected), (size, string.Join(' ', all)));
        }
    }

    [Theory]
    [Trait("Fault", "D8")]
    [InlineData("3", """["10"]""")]
    [InlineData("-1", """["1","2","10"]""")]
    [InlineData("a", "[]")]
    public async Task A_page_of_terms_begins_behind_a_value_that_does_not_exist(string from, string expected)
    {
        await database.PutAsync("Holes", """{"v":1}""", """{"v":2}""", """{"v":10}""");
        await MakeAsync("Holes", ["from h in docs.Holes select new { h.v }"], null);
        Assert.Equal(expected, await TermsAsync("Holes", "v", 5, from));
    }

    [Theory]
    [Trait("Fault", "D8")]
    [InlineData("from k in docs.Kept select new { k.K, k.l, k.lo, k.ll, n = new { a = k.K, b = new[] { \"é\" } }, "
        + "s = k.l.Select(x => (int)x + 1), d = new[] { TimeSpan.FromHours(1) } }")]
    [InlineData("map('Kept', k => ({ K: k.K, l: k.l, lo: k.lo, ll: k.ll, n: { a: k.K, b: ['é'] }, "
        + "s: k.l.map(x => x + 1), d: ['01:00:00'] }))")]
    public async Task Stored_objects_and_lists_are_projected_with_their_types(string map)
    {
        await database.PutAsync(
            "Kept", """{"K":1,"l":[1],"lo":[{"a":1}],"ll":[[1,2],[]]}""",
            """{"K":2,"l":[1,2.50],"lo":[],"ll":[[[null]],"x"]}""");
        await MakeAsync("Kept/Map", [map], null);
        Assert.Equal(
            """{"l":[1],"lo":[{"a":1}],"ll":[[1,2],[]],"n":{"a":1,"b":["\u00E9"]},"s":[2],"d":["01:00:00"]}""",
            await database.RowsAsync("from index 'Kept/Map' where K = 1 select l, lo, ll, n, s, d"));
        Assert.Equal(
            """{"l":[1,2.5],"lo":[],"ll":[[[null]],"x"]}""",
            await database.RowsAsync("from index 'Kept/Map' where K = 2 select l, lo, ll"));
        Assert.Equal("1", await database.NumbersAsync(
            "from index 'Kept/Map' where n = $n and ll = 2", """{"n":{"b":["é"],"a":1}}"""));
        Assert.Equal("2", await database.NumbersAsync("from index 'Kept/Map' where ll = null and l = 2.5"));
    }

    [Fact]
    [Trait("Fault", "D8")]
    public async Task Metadata_that_a_map_stores_is_projected_as_an_object()
    {
        await database.PutAsync("Noted", "{}");
        await MakeAsync("Noted/Cs", ["from n in docs.Noted select new { m = MetadataFor(n) }"], null);
        JsonNode found = (await database.QueryAsync("from index 'Noted/Cs' select m"))["Results"]![0]!["m"]!;
        Assert.Equal(("Noted", "Noted/1"), ((string?)found["@collection"], (string?)found["@id"]));
    }

    [Theory]
    [Trait("Fault", "E20")]
    [InlineData("lucene(D, '108000000000')", "1")]
    [InlineData("search(D, '108000000000')", "1")]
    [InlineData("search(D, '108000000000 x')", "1")]
    [InlineData("lucene(D, '108000000000 OR 8640000000000')", "1 2")]
    [InlineData("lucene(D, '\"8640000000000\"')", "2")]
    [InlineData("lucene(D, '[00\\:00\\:00 TO 6.00\\:00\\:00]')", "1")]
    [InlineData("lucene(D, '[00\\:00\\:00 TO *]')", "1 2")]
    [InlineData("D = 108000000000", "1")]
    public async Task A_duration_is_found_by_its_ticks(string condition, string expected)
    {
        await database.PutAsync("Lengths", """{"H":3}""", """{"H":240}""");
        await MakeAsync("Lengths", ["from l in docs.Lengths select new { D = TimeSpan.FromHours(l.H) }"], null);
        Assert.Equal(expected, await database.NumbersAsync($"from index 'Lengths' where {condition} order by id()"));
    }

    [Theory]
    [Trait("Fault", "E5")]
    [InlineData("v = 1")]
    [InlineData("v != 1")]
    [InlineData("v in (1)")]
    [InlineData("v between 1 and 2")]
    [InlineData("exists(v)")]
    [InlineData("search(v, '1')")]
    [InlineData("lucene(v, '1')")]
    [InlineData("lucene(K, 'v:1')")]
    [InlineData("startsWith(v, '1')")]
    [InlineData("K = 1 or v = 1")]
    public async Task A_condition_on_a_field_that_is_not_indexed_is_refused(string condition)
    {
        await database.PutAsync("Silent", """{"v":1,"K":1}""");
        await MakeAsync("Silent", ["from s in docs.Silent select new { s.v, s.K }"], null, new JsonObject
        {
            ["v"] = new JsonObject { ["Indexing"] = "No", ["Storage"] = "Yes" },
        });
        (await database.SendAsync($"from index 'Silent' where {condition}")).ExpectError(
            400, "keeps 'v' with Indexing 'No': there is nothing to search");
        Assert.Equal("""{"v":1}""", await database.RowsAsync("from index 'Silent' where K = 1 select v"));
    }

    [Theory]
    [Trait("Fault", "A16")]
    [InlineData("map('O', o => ({ n: o.n, p: boost(o.p, 10) }))", "boost(search(Name, $words), 10)")]
    [InlineData("map('O', o => boost({ n: o.n }, o.n))", "line 1, column 15")]
    [InlineData("map('O', o => ({ v: loadVector('v') }))", "language model")]
    [InlineData("from o in docs.O select new { d = DateTime.Parse(o.d, 5) }", "'DateTime.Parse'")]
    [InlineData("from o in docs.O select new { d = DateTime.SpecifyKind(o.d) }", "'DateTime.SpecifyKind'")]
    [InlineData("from o in docs.O select new { d = new DateTime(2020, 1) }", "constructor of DateTime")]
    [InlineData("from o in docs.O select new { d = new DateTime(2020, 1, DateTimeKind.Utc) }", "constructor of Date")]
    [InlineData("from o in docs.O select new { d = new TimeSpan(1, 2) }", "constructor of TimeSpan")]
    [InlineData("from o in docs.O select new { d = string.Format(CultureInfo.CurrentCulture, o.f, 1) }", "Invariant")]
    [InlineData("from o in docs.O select new { d = o.n.ToString(CultureInfo.CurrentUICulture) }", "InvariantCulture")]
    public async Task An_index_that_calls_a_forbidden_method_is_refused_when_it_is_put(string map, string says) =>
        (await PutAsync("Refused", [map], null, null)).ExpectError(400, says);

    [Theory]
    [Trait("Fault", "A16")]
    [InlineData("MetadataFor(c).Value<string>(\"@collection\")", "\"Calls\"")]
    [InlineData("MetadataFor(c).Value<DateTime>(\"@last-modified\").Year > 2000", "true")]
    [InlineData("c.Value<int>(\"n\") + 1", "8")]
    [InlineData("DateTime.SpecifyKind((DateTime)c.d, DateTimeKind.Utc)", "\"2020-01-02T03:04:05.0000000Z\"")]
    [InlineData("DateTime.SpecifyKind((DateTime)c.d, DateTimeKind.Unspecified)", "\"2020-01-02T03:04:05.0000000\"")]
    [InlineData("DateTime.Parse(c.d, CultureInfo.InvariantCulture)", "\"2020-01-02T03:04:05.0000000\"")]
    [InlineData("DateTime.Parse(c.d, CultureInfo.InvariantCulture, DateTimeStyles.RoundtripKind).Day", "2")]
    [InlineData("int.Parse(c.s, System.Globalization.CultureInfo.InvariantCulture) + 1", "13")]
    [InlineData("TimeSpan.Parse(c.t, CultureInfo.InvariantCulture).TotalHours", "216")]
    [InlineData("((TimeSpan)c.t).Days", "9")]
    [InlineData("string.Format(CultureInfo.InvariantCulture, \"{0}-{1}\", c.n, c.s)", "\"7-12\"")]
    [InlineData("new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc)", "\"2020-01-01T00:00:00.0000000Z\"")]
    [InlineData("new DateTime(2020, 1, 1, 1, 2, 3, 4)", "\"2020-01-01T01:02:03.0040000\"")]
    [InlineData("new DateTime(637134336000000000, DateTimeKind.Utc)", "\"2020-01-01T00:00:00.0000000Z\"")]
    [InlineData("new DateTimeOffset(2020, 1, 1, 0, 0, 0, TimeSpan.FromHours(2)).UtcDateTime.Hour", "22")]
    [InlineData("new TimeSpan(1, 2, 3, 4, 5)", "\"1.02:03:04.0050000\"")]
    [InlineData("-TimeSpan.FromDays(c.n)", "\"-7.00:00:00\"")]
    [InlineData("TimeSpan.FromDays(1) * 2", "\"2.00:00:00\"")]
    [InlineData("c.n * TimeSpan.FromDays(0.5)", "\"3.12:00:00\"")]
    [InlineData("TimeSpan.FromDays(3) / 2", "\"1.12:00:00\"")]
    [InlineData("TimeSpan.FromDays(3) / TimeSpan.FromDays(2)", "1.5")]
    public async Task Calls_of_NET_methods_in_published_example_indexes_are_compiled(string expression, string expected)
    {
        await database.PutAsync("Calls", """{"n":7,"s":"12","d":"2020-01-02T03:04:05.0000000","t":"9.00:00:00"}""");
        string index = $"Calls/{string.GetHashCode(expression, StringComparison.Ordinal):x}";
        await MakeAsync(index, [$"from c in docs.Calls select new {{ X = {expression} }}"], null);
        Assert.Equal($$"""{"X":{{expected}}}""", await database.RowsAsync($"from index '{index}' select X"));
    }

    [Fact]
    [Trait("Fault", "A16")]
    public async Task A_duration_out_of_range_is_an_error_of_the_document()
    {
        await database.PutAsync("Ages", "{\"K\":1,\"n\":1}", "{\"K\":2,\"n\":1e300}", "{\"K\":3,\"n\":-1e8}");
        await MakeAsync("Ages/Cs", ["from a in docs.Ages select new { a.K, D = TimeSpan.FromDays(a.n) }"], null);
        Assert.Equal("1", await database.NumbersAsync("from index 'Ages/Cs'"));
        JsonNode errors = (await database.Server.SendAsync("GET", "~/indexes/errors?name=Ages/Cs")).Json;
        Assert.Contains("out of range", errors.ToJsonString(), StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Fault", "A13")]
    public async Task A_member_of_a_missing_value_is_not_indexed_by_a_map_in_JavaScript()
    {
        await database.PutAsync("Parts", """{"K":1,"z":{"y":"b"},"l":[1]}""", """{"K":2}""");
        await MakeAsync("Parts/Js",
            ["map('Parts', o => ({ K: o.K, f: o.zz.y, u: o.z.y.toUpperCase(), n: o['l'][0], "
                + "m: o.l.map(x => x + 1), "
                + "i: getMetadata(load(o.zz, 'Parts'))['@id'], t: attachmentsFor(o.zz).length }))"],
            null);
        Assert.Equal("1 2", await database.NumbersAsync("from index 'Parts/Js' order by K"));
        Assert.Equal("1", await database.NumbersAsync("from index 'Parts/Js' where u = 'B' and n = 1 and m = 2"));
        Assert.Equal("", await database.NumbersAsync("from index 'Parts/Js' where exists(f)"));
        Assert.Equal("1", await database.NumbersAsync("from index 'Parts/Js' where exists(m)"));
    }

    private async Task<string> TermsAsync(string index, string field, int size, string? from)
    {
        await database.QueryAsync($"from index '{index}'");
        string value = Uri.EscapeDataString(from ?? "");
        JsonNode terms = (await database.Server.SendAsync(
            "GET", $"~/indexes/terms?name={index}&field={field}&pageSize={size}&fromValue={value}")).Json;
        return terms["Terms"]!.ToJsonString();
    }

    private async Task MakeAsync(string name, string[] maps, string? reduce, JsonObject? fields = null) =>
        (await PutAsync(name, maps, reduce, fields)).Expect(HttpStatusCode.Created);

    private Task<HttpAnswer> PutAsync(string name, string[] maps, string? reduce, JsonObject? fields) =>
        database.Server.SendAsync("PUT", "~/admin/indexes", new JsonObject
        {
            ["Indexes"] = new JsonArray(new JsonObject
            {
                ["Name"] = name,
                ["Maps"] = new JsonArray([.. maps.Select(map => JsonValue.Create(map))]),
                ["Reduce"] = reduce,
                ["Fields"] = fields
                    ?? new JsonObject { ["__all_fields"] = new JsonObject { ["Storage"] = "Yes" } },
            }),
        }.ToJsonString());
}
