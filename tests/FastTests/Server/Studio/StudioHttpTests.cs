using System.Net;
using System.Text.Json.Nodes;
using FastTests.Support;
using Raven.Documents;
using Raven.Documents.Operations;

namespace FastTests.Server.Studio;

/// <summary>What the Studio asks of a database: rows, fields, checks of queries, operations, batches.</summary>
public sealed class StudioHttpTests(QueriedDatabase database) : IClassFixture<QueriedDatabase>
{
    private TestServer Server => database.Server;

    [Fact]
    public async Task Rows_are_read_from_the_newest_page_by_page_to_both_sides()
    {
        await database.PutAsync("Rows", [.. Enumerable.Range(1, 25).Select(number => $$"""{"N":{{number}}}""")]);
        List<int> all = [];
        string page = "pageSize=10";
        JsonNode answer = await GetAsync($"~/studio/documents?collection=rows&{page}");
        Assert.Equal((25, null), ((int)answer["Total"]!, (long?)answer["NextAfter"]));
        all.AddRange(NumbersOf(answer));
        while ((long?)answer["NextBefore"] is { } before)
        {
            answer = await GetAsync($"~/studio/documents?collection=Rows&{page}&before={before}");
            all.AddRange(NumbersOf(answer));
        }

        Assert.Equal(Enumerable.Range(1, 25).Reverse(), all);
        Assert.Equal((long)answer["FirstEtag"]!, (long)answer["Results"]!.AsArray()[^1]!["Etag"]!);
        long after = (long)answer["NextAfter"]!;
        JsonNode back = await GetAsync($"~/studio/documents?collection=Rows&{page}&after={after}");
        Assert.Equal(Enumerable.Range(6, 10).Reverse(), NumbersOf(back));
        Assert.Equal(
            Enumerable.Range(1, 10).Reverse(),
            NumbersOf(await GetAsync($"~/studio/documents?collection=Rows&{page}&at=1")));
        Assert.Equal(
            Enumerable.Range(16, 10).Reverse(),
            NumbersOf(await GetAsync($"~/studio/documents?collection=Rows&{page}&at=0")));
        Assert.Equal(
            Enumerable.Range(4, 10).Reverse(),
            NumbersOf(await GetAsync($"~/studio/documents?collection=Rows&{page}&at=0.5")));
        (long first, long last) = ((long)back["FirstEtag"]!, (long)back["LastEtag"]!);
        foreach ((string behind, string way, int number) in new[]
        {
            ($"after={last}", "before", 25), ("after=9223372036854775807", "before", 25),
            ($"before={first}", "after", 10), ("before=0", "after", 10),
        })
        {
            JsonNode empty = await GetAsync($"~/studio/documents?collection=Rows&{page}&{behind}");
            Assert.Empty(empty["Results"]!.AsArray());
            (string there, string other) = way == "before" ? ("NextBefore", "NextAfter") : ("NextAfter", "NextBefore");
            Assert.Null((long?)empty[other]);
            Assert.Equal(
                Enumerable.Range(number - 9, 10).Reverse(),
                NumbersOf(await GetAsync(
                    $"~/studio/documents?collection=Rows&{page}&{way}={(long)empty[there]!}")));
        }

        await database.PutAsync("Many", [.. Enumerable.Repeat("{}", 101)]);
        Assert.Equal(
            100, (await GetAsync("~/studio/documents?collection=Many&pageSize=100000"))["Results"]!.AsArray().Count);
    }

    [Fact]
    public async Task A_row_has_what_the_server_knows_and_values_that_are_cut()
    {
        string text = string.Concat(Enumerable.Repeat("é", 201));
        await database.PutAsync(
            "Cells", "{\"Text\":\"" + text + "\",\"Short\":\"a\",\"Digits\":1.10,\"Big\":90071992547409931,"
                + "\"None\":null,\"Yes\":true,\"Place\":{\"City\":\"Oslo\",\"Tags\":[1,2,3]},\"a.b\":5}");
        JsonNode row = (await GetAsync("~/studio/documents?collection=Cells"))["Results"]![0]!;
        Assert.Equal(
            ["Id", "Etag", "Collection", "ChangeVector", "LastModified", "SizeBytes", "Members", "Values", "Cut"],
            row.AsObject().Select(member => member.Key));
        Assert.Equal(("Cells/1", "Cells", 8), (
            (string?)row["Id"], (string?)row["Collection"], (int)row["Members"]!));
        Assert.Equal("[\"Text\"]", row["Cut"]!.ToJsonString());
        JsonNode values = row["Values"]!;
        Assert.Equal(text[..200], (string?)values["Text"]);
        Assert.Equal(
            "{\"Short\":\"a\",\"Digits\":1.10,\"Big\":90071992547409931,\"None\":null,\"Yes\":true,"
                + "\"Place\":{\"@object\":2},\"a.b\":5}",
            string.Concat("{", values.ToJsonString().Split(',', 2)[1]));
        JsonNode named = (await GetAsync(
            "~/studio/documents?collection=Cells&field=Place.City&field=Place.Tags&field=a.b&field=Missing&field=a.b"))
            ["Results"]![0]!;
        Assert.Equal("""{"Place.City":"Oslo","Place.Tags":{"@array":3},"a.b":5}""", named["Values"]!.ToJsonString());
    }

    [Fact]
    public async Task A_row_of_long_texts_has_their_beginnings()
    {
        string[] texts =
        [
            string.Concat(Enumerable.Repeat("great size, ", 40_000)), string.Concat(Enumerable.Repeat("🙂é", 150)),
            new string('a', 200), new string('a', 201), string.Concat(Enumerable.Repeat("the end ", 25)),
        ];
        await database.PutAsync(
            "Long", new JsonObject(texts.Select((text, at) => KeyValuePair.Create($"T{at}", (JsonNode?)text)))
                .ToJsonString());
        JsonNode row = (await GetAsync("~/studio/documents?collection=Long"))["Results"]![0]!;
        Assert.Equal("""["T0","T1","T3"]""", row["Cut"]!.ToJsonString());
        Assert.Equal(
            [texts[0][..200], texts[1][..300], texts[2], texts[2], texts[4]],
            row["Values"]!.AsObject().Select(member => (string)member.Value!));
        JsonNode fields = await GetAsync("~/studio/collections/fields?name=Long");
        Assert.Equal(
            [texts[0][..100], texts[1][..150], texts[2][..100], texts[2][..100], texts[4][..100]],
            fields["Fields"]!.AsArray().Select(field => (string)field!["Example"]!));
    }

    [Fact]
    public async Task A_page_that_has_not_changed_is_not_sent_again()
    {
        await database.PutAsync("Tagged", "{}", "{}");
        const string url = "~/studio/documents?collection=Tagged";
        string tag = (await Server.SendAsync("GET", url)).ETag!;
        string known = $"If-None-Match: {tag}";
        Assert.Equal(304, (await Server.SendAsync("GET", url, (string?)null, known)).Status);
        Assert.Equal(200, (await Server.SendAsync("GET", url + "&at=1", (string?)null, known)).Status);
        await database.PutAsync("Others", "{}");
        Assert.Equal(304, (await Server.SendAsync("GET", url, (string?)null, known)).Status);
        (await Server.SendAsync("DELETE", "~/docs?id=Tagged/2")).Expect(HttpStatusCode.NoContent);
        Assert.Equal(200, (await Server.SendAsync("GET", url, (string?)null, known)).Status);
    }

    [Theory]
    [InlineData("documents?before=1&at=0.5", "Only one of 'before', 'after' and 'at'")]
    [InlineData("documents?at=1.5", "'at' must be a number from 0")]
    [InlineData("documents?at=-1", "'at' must be a number from 0")]
    [InlineData("documents?at=NaN", "'at' must be a number from 0")]
    [InlineData("documents?at=-Infinity", "'at' must be a number from 0")]
    [InlineData("documents?before=x", "'before' must be a whole number")]
    [InlineData("documents?pageSize=0", "'pageSize' must be a whole number of at least 1")]
    [InlineData("collections/fields?sample=0", "'sample' must be a whole number of at least 1")]
    [InlineData("collections/fields?name=%ff", "'name' is not percent-encoded UTF-8")]
    public async Task A_question_that_is_none_is_refused_with_its_place(string question, string says) =>
        (await Server.SendAsync("GET", $"~/studio/{question}")).ExpectError(400, says);

    [Fact]
    public async Task A_collection_that_is_not_there_has_no_rows_and_no_fields()
    {
        JsonNode rows = await GetAsync("~/studio/documents?collection=Nothing&at=0.3");
        Assert.Equal((0, 0L, null), ((int)rows["Total"]!, (long)rows["LastEtag"]!, (long?)rows["NextBefore"]));
        Assert.Empty(rows["Results"]!.AsArray());
        JsonNode fields = await GetAsync("~/studio/collections/fields?name=Nothing");
        Assert.Equal((0, 0), ((int)fields["Documents"]!, fields["Fields"]!.AsArray().Count));
    }

    [Fact]
    public async Task Fields_are_found_in_a_sample_with_kinds_and_an_example()
    {
        await database.PutAsync(
            "Sampled",
            """{"Old":1,"Name":"a"}""",
            """{"Name":"b","Lines":[{"Product":"p/1"},{"Product":"p/2","N":1}],"Tags":["x"],"Place":{"City":"Oslo"}}""",
            """{"Name":null,"First name":"c","it's":true}""");
        JsonNode all = await GetAsync("~/studio/collections/fields?name=sampled");
        Assert.Equal((3, 3, false), ((int)all["Documents"]!, (int)all["Sampled"]!, (bool)all["IsCut"]!));
        Assert.Equal(
            [
                "Name 1 {\"Null\":1,\"String\":2} \"b\"", "'First name' 0.333 {\"String\":1} \"c\"",
                "'it\\'s' 0.333 {\"Boolean\":1} true", "Lines 0.333 {\"Array\":1} null",
                "Lines[].Product 0.333 {\"String\":2} \"p/1\"", "Lines[].N 0.333 {\"Number\":1} 1",
                "Tags 0.333 {\"Array\":1} null", "Tags[] 0.333 {\"String\":1} \"x\"",
                "Place 0.333 {\"Object\":1} null", "Place.City 0.333 {\"String\":1} \"Oslo\"",
                "Old 0.333 {\"Number\":1} 1",
            ],
            all["Fields"]!.AsArray().Select(field => $"{field!["Path"]} {field["Share"]!.ToJsonString()} "
                + $"{field["Kinds"]!.ToJsonString()} {field["Example"]?.ToJsonString() ?? "null"}"));
        JsonNode last = await GetAsync("~/studio/collections/fields?name=Sampled&sample=1");
        Assert.Equal((3, 1, 3), (
            (int)last["Documents"]!, (int)last["Sampled"]!, last["Fields"]!.AsArray().Count));
    }

    [Fact]
    public async Task Very_many_fields_are_cut_and_said_to_be()
    {
        string many = string.Join(',', Enumerable.Range(0, 1200).Select(number => $"\"f{number}\":{number}"));
        await database.PutAsync("Wide", $"{{{many}}}");
        JsonNode fields = await GetAsync("~/studio/collections/fields?name=Wide");
        Assert.Equal((1000, true), (fields["Fields"]!.AsArray().Count, (bool)fields["IsCut"]!));
        JsonNode row = (await GetAsync("~/studio/documents?collection=Wide"))["Results"]![0]!;
        Assert.Equal((1200, 20), ((int)row["Members"]!, row["Values"]!.AsObject().Count));
    }

    [Fact]
    public async Task A_path_of_a_field_is_one_of_a_row()
    {
        await database.PutAsync(
            "Paths",
            """
            {"First name":"c","it's":true,"a\\b":{"c.d":2,"x[]":3},"Lines":[{"No":1}],"'":4,"open'":5,"'odd":6}
            """);
        JsonArray fields = (await GetAsync("~/studio/collections/fields?name=Paths"))["Fields"]!.AsArray();
        string[] paths = [.. fields.Select(field => (string)field!["Path"]!)];
        Assert.Equal(
            [
                "'First name'", "'it\\'s'", "'a\\\\b'", "'a\\\\b'.'c.d'", "'a\\\\b'.'x[]'", "Lines", "Lines[].No",
                "'\\''", "'open\\''", "'\\'odd'",
            ],
            paths);
        string asked = string.Concat(paths.Append("'odd").Select(path => "&field=" + Uri.EscapeDataString(path)));
        JsonNode row = (await GetAsync($"~/studio/documents?collection=Paths{asked}"))["Results"]![0]!;
        Assert.Equal(
            [
                "\"c\"", "true", "{\"@object\":2}", "2", "3", "{\"@array\":1}", "{\"@array\":1}", "4", "5", "6", "6",
            ],
            row["Values"]!.AsObject().Select(member => member.Value!.ToJsonString()));
    }

    [Fact]
    public async Task What_becomes_no_field_is_counted_all_the_same()
    {
        string deep = string.Concat(Enumerable.Range(0, 4).Select(at => $"{{\"{new string((char)('a' + at), 300)}\":"))
            + "1}}}}";
        await database.PutAsync("Deep", deep);
        JsonNode fields = await GetAsync("~/studio/collections/fields?name=Deep");
        Assert.Equal([300, 601, 902], fields["Fields"]!.AsArray().Select(field => ((string)field!["Path"]!).Length));
        Assert.True((bool)fields["IsCut"]!);

        string empty = Repeated(Repeated("{}"));
        string members = string.Join(',', Enumerable.Range(0, 200).Select(at => $"\"F{at}\":{empty}"));
        await database.PutAsync("Unseen", "{}", $"{{{members}}}");
        fields = await GetAsync("~/studio/collections/fields?name=Unseen");
        Assert.Equal((1, true), ((int)fields["Sampled"]!, (bool)fields["IsCut"]!));

        static string Repeated(string item) => $"[{string.Join(',', Enumerable.Repeat(item, 32))}]";
    }

    [Fact]
    public async Task A_check_says_who_would_answer_and_makes_nothing()
    {
        await database.PutAsync("Checked", """{"Name":"a","Age":3}""");
        JsonNode check = await CheckAsync(
            "from Checked where Age > $min and Name = $name /* $no */ order by Name", "{\"min\":1}");
        Assert.Null(check["Error"]);
        Assert.Equal("""{"Kind":"Collection","Name":"Checked"}""", check["Source"]!.ToJsonString());
        Assert.Equal("""["Age","Name"]""", check["Fields"]!.ToJsonString());
        Assert.Equal(
            """[{"Name":"min","IsGiven":true},{"Name":"name","IsGiven":false}]""", check["Parameters"]!.ToJsonString());
        JsonNode index = check["Index"]!;
        Assert.Equal(
            ("Auto", "Auto/Checked/ByAgeAndName", false, null),
            ((string?)index["Kind"], (string?)index["Name"], (bool)index["Exists"]!, (bool?)index["IsStale"]));
        Assert.Equal(400, (await Server.SendAsync("GET", "~/indexes/stats?name=Auto/Checked/ByAgeAndName")).Status);

        await database.QueryAsync("from Checked where Age > 1");
        index = (await CheckAsync("from Checked where Name = 'a'"))["Index"]!;
        Assert.Equal("Auto/Checked/ByAgeAndName", (string?)index["Name"]);
        index = (await CheckAsync("from Checked where Age > $p"))["Index"]!;
        Assert.Equal(
            ("Auto", "Auto/Checked/ByAge", true, false, 0L),
            ((string?)index["Kind"], (string?)index["Name"], (bool)index["Exists"]!, (bool)index["IsStale"]!,
                (long)index["Behind"]!));
        foreach (string query in new[] { "from Checked", "from Checked where id() = $id", "from @all_docs" })
        {
            JsonNode direct = await CheckAsync(query);
            Assert.Equal(("Documents", true), (
                (string?)direct["Index"]!["Kind"], (bool)direct["Index"]!["Exists"]!));
        }

        Assert.True((bool)(await CheckAsync("from Checked update { this.A = $a; }"))["IsChange"]!);
    }

    [Theory]
    [InlineData("from", 1, 5, "expected")]
    [InlineData("from Orders\nwhere Name == ", 2, 15, "expected")]
    [InlineData("from Orders where ~", 1, 19, "'~' is no part")]
    [InlineData("", 1, 1, "expected")]
    public async Task A_check_of_what_is_no_query_says_where(string query, int line, int column, string says)
    {
        JsonNode check = await CheckAsync(query);
        JsonNode error = check["Error"]!;
        Assert.Equal((line, column), ((int)error["Line"]!, (int)error["Column"]!));
        Assert.Contains(says, (string?)error["Message"], StringComparison.Ordinal);
        Assert.Null(check["Index"]);
        Assert.Null(check["Source"]);
    }

    [Fact]
    public async Task A_check_knows_the_indexes_that_users_have_defined()
    {
        await database.MakeIndexAsync("Users/ByName", "from u in docs.Users select new { u.Name }");
        JsonNode check = await CheckAsync("from index 'Users/ByName' where Name = 'a'");
        Assert.Equal(
            ("Index", "Users/ByName", "Static"),
            ((string?)check["Source"]!["Kind"], (string?)check["Source"]!["Name"], (string?)check["Index"]!["Kind"]));
        JsonNode error = (await CheckAsync("from index 'Users/ByName' where Age = 1"))["Error"]!;
        Assert.Equal(33, (int)error["Column"]!);
        Assert.Contains("has no field 'Age'", (string?)error["Message"], StringComparison.Ordinal);
        error = (await CheckAsync("from index 'Users/ByName' group by Name select count()"))["Error"]!;
        Assert.Contains("'group by' is for collections", (string?)error["Message"], StringComparison.Ordinal);
        JsonNode missing = (await CheckAsync("from index 'Nobodys' where Age = 1"))["Index"]!;
        Assert.Equal(("Static", false, "There is no such index."), (
            (string?)missing["Kind"], (bool)missing["Exists"]!, (string?)missing["Reason"]));
    }

    [Fact]
    public async Task A_check_of_a_query_of_any_size_is_bounded()
    {
        string names = string.Join(',', Enumerable.Range(0, 1024).Select(number => $"$p{number}"));
        JsonNode check = await CheckAsync($"from Checked where Age in ({names}, {names})");
        Assert.Equal((1024, "p0", "p1023"), (
            check["Parameters"]!.AsArray().Count, (string?)check["Parameters"]![0]!["Name"],
            (string?)check["Parameters"]![1023]!["Name"]));
        (await Server.SendAsync(
            "POST", "~/studio/queries/check", $$"""{"Query":"from Checked where Age in ({{names}}, $more)"}"""))
            .ExpectError(400, "a check looks at 1024 parameters at most");
        JsonNode error = (await CheckAsync("from $a " + new string(' ', 1 << 20)))["Error"]!;
        Assert.Contains("longer than 1048576 characters", (string?)error["Message"], StringComparison.Ordinal);
        Assert.Equal(1 << 20, (int)error["Position"]!);
    }

    [Theory]
    [InlineData("{}", "needs a Query")]
    [InlineData("{\"Query\":5}", "needs a Query")]
    [InlineData("{\"Query\":\"from A\",\"QueryParameters\":[]}", "QueryParameters must be an object")]
    [InlineData("[]", "")]
    public async Task A_check_without_a_query_is_refused(string body, string says) =>
        (await Server.SendAsync("POST", "~/studio/queries/check", body)).ExpectError(400, says);

    [Theory]
    [InlineData("queries")]
    [InlineData("streams/queries")]
    public async Task A_query_that_must_make_no_index_is_refused_if_it_would(string route)
    {
        string collection = "NoIndex" + route.Length;
        await database.PutAsync(collection, """{"Name":"a"}""");
        string body = $$"""{"Query":"from {{collection}} where Name = 'a'"}""";
        string url = $"~/{route}?disableAutoIndexCreation=true";
        (await Server.SendAsync("POST", url, body)).ExpectError(400, $"'Auto/{collection}/ByName'");
        string query = Uri.EscapeDataString($"from {collection} where Name = 'a'");
        (await Server.SendAsync("GET", $"{url}&query={query}")).ExpectError(400, "disableAutoIndexCreation");
        Assert.Equal(
            400, (await Server.SendAsync("GET", $"~/indexes/stats?name=Auto/{collection}/ByName")).Status);
        (await Server.SendAsync("POST", url, $$"""{"Query":"from {{collection}}"}""")).Expect(HttpStatusCode.OK);
        (await Server.SendAsync("POST", $"~/{route}", body)).Expect(HttpStatusCode.OK);
        (await Server.SendAsync("POST", url, body)).Expect(HttpStatusCode.OK);
    }

    [Fact]
    public async Task Timings_are_a_tree_whose_parts_are_not_longer_than_the_whole()
    {
        await database.PutAsync("Timed", """{"Name":"a","Boss":"Timed/1"}""");
        JsonNode timings = (await database.QueryAsync(
            "from Timed where Name = 'a' include Boss, timings()"))["Timings"]!["Timings"]!;
        Assert.Equal(
            ["Parse", "Wait", "Search", "Results", "Includes"], timings.AsObject().Select(part => part.Key));
        Assert.Equal(["Plan"], timings["Wait"]!["Timings"]!.AsObject().Select(part => part.Key));
        Assert.Equal(["Load", "Write"], timings["Results"]!["Timings"]!.AsObject().Select(part => part.Key));
        Assert.Null(timings["Search"]!["Timings"]);
        foreach (string part in new[] { "Wait", "Results" })
        {
            Assert.InRange(
                timings[part]!["Timings"]!.AsObject().Sum(inner => (long)inner.Value!["DurationInMicroseconds"]!), 0,
                (long)timings[part]!["DurationInMicroseconds"]!);
        }

        timings = (await database.QueryAsync(
            "from Timed as t where t.Name = 'a' select { A: t.Name } include timings()"))["Timings"]!["Timings"]!;
        Assert.Equal(["Load", "Script"], timings["Results"]!["Timings"]!.AsObject().Select(part => part.Key));
    }

    [Fact]
    public async Task The_last_batches_of_an_index_are_listed_and_when_it_fell_behind()
    {
        await database.MakeIndexAsync("Batched", "map('Batched', u => ({ Name: u.Name }))");
        await database.PutAsync("Batched", """{"Name":"a"}""", """{"Name":"b"}""");
        await Deadline.UntilAsync(async () => await StatsAsync() is var stats
            && (long)stats["EntriesCount"]! == 2 && stats["BehindSince"] is null);
        JsonNode index = (await GetAsync("~/indexes/performance?name=Batched"))["Results"]![0]!;
        JsonArray batches = index["Performance"]!.AsArray();
        Assert.Equal((int)index["Batches"]!, batches.Count);
        Assert.Equal(2, batches.Sum(batch => (int)batch!["InputCount"]!));
        Assert.Equal(2, batches.Sum(batch => (int)batch!["OutputCount"]!));
        Assert.Equal(Enumerable.Range(1, batches.Count), batches.Select(batch => (int)batch!["Id"]!));
        Assert.Equal(
            ["Map", "Reduce", "Commit", "Merge"],
            batches[0]!["Details"]!["Operations"]!.AsArray().Select(part => (string)part!["Name"]!));

        Assert.InRange((await Server.SendAsync("POST", "~/admin/indexes/stop?name=Batched")).Status, 200, 204);
        await database.PutAsync("Batched", """{"Name":"c"}""");
        JsonNode document = (await GetAsync("~/docs?id=Batched/1"))["Results"]![0]!;
        string changed = (string)document["@metadata"]!["@last-modified"]!;
        Assert.Equal(changed, (string?)(await StatsAsync())["BehindSince"]);
        (await Server.SendAsync("DELETE", "~/docs?id=Batched/1")).Expect(HttpStatusCode.NoContent);
        Assert.NotNull((string?)(await StatsAsync())["BehindSince"]);
        Assert.InRange((await Server.SendAsync("POST", "~/admin/indexes/start?name=Batched")).Status, 200, 204);
        await Deadline.UntilAsync(async () => (await StatsAsync())["BehindSince"] is null);
    }

    [Fact]
    public async Task Operations_are_listed_page_by_page()
    {
        OperationRegistry operations = Server.Host.State.Operations;
        List<RunningOperation> begun = [.. Enumerable.Range(0, 3).Select(_ => operations.Begin("listed"))];
        begun[0].Total = 10;
        begun[0].Processed = 4;
        JsonNode all = await GetAsync("/operations?pageSize=1000");
        Assert.Equal((int)all["TotalResults"]!, all["Results"]!.AsArray().Count);
        JsonNode first = all["Results"]!.AsArray().Single(one => (long)one!["Id"]! == begun[0].Id)!;
        Assert.Equal(("listed", "InProgress", 4, 10), (
            (string?)first["Database"], (string?)first["State"]!["Status"],
            (int)first["State"]!["Progress"]!["Processed"]!, (int)first["State"]!["Progress"]!["Total"]!));
        int start = all["Results"]!.AsArray().TakeWhile(one => (long)one!["Id"]! != begun[1].Id).Count();
        JsonNode page = await GetAsync($"/operations?start={start}&pageSize=1");
        Assert.Equal(begun[1].Id, (long)Assert.Single(page["Results"]!.AsArray())!["Id"]!);
        Assert.DoesNotContain(
            (await GetAsync("~/operations"))["Results"]!.AsArray(), one => (string?)one!["Database"] == "listed");
        begun.ForEach(operations.Ended);
    }

    [Fact]
    public async Task Databases_are_listed_with_their_states_and_none_is_opened()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        foreach (string name in new[] { "art", "artists", "shop" })
        {
            (await server.SendAsync("PUT", $"/admin/databases?name={name}", $"{{\"DatabaseName\":\"{name}\"}}"))
                .Expect(HttpStatusCode.Created);
        }

        foreach (string used in new[] { "art", "shop" })
        {
            (await server.SendAsync("PUT", $"/databases/{used}/docs?id=a/1", "{}")).Expect(HttpStatusCode.Created);
        }

        (await server.SendAsync("POST", "/admin/databases/disable", """{"DatabaseNames":["artists"]}"""))
            .Expect(HttpStatusCode.OK);
        Assert.True(server.Host.State.Databases.TryGet("art", out Database? art));
        await Deadline.UntilAsync(() => art.TryClose());
        JsonNode all = (await server.SendAsync("GET", "/studio/databases?filter=AR")).Json;
        Assert.Equal(2, (int)all["TotalResults"]!);
        Assert.Equal(
            ["art Closed False null", "artists Disabled True null"],
            all["Databases"]!.AsArray().Select(one => $"{one!["Name"]} {one["State"]} {(bool)one["IsDisabled"]!} "
                + $"{one["Documents"]?.ToJsonString() ?? "null"}"));

        // It was used; the other one has no files before its first use.
        Assert.InRange((long)all["Databases"]![0]!["SizeBytes"]!, 1, long.MaxValue);
        Assert.Equal(0, (long)all["Databases"]![1]!["SizeBytes"]!);
        Assert.Null(art.OpenStorage);
        JsonNode page = (await server.SendAsync("GET", "/studio/databases?start=3&pageSize=1")).Json;
        JsonNode shop = Assert.Single(page["Databases"]!.AsArray())!;
        Assert.Equal((4, 3, "shop", "Open", 1, 0), (
            (int)page["TotalResults"]!, (int)page["Start"]!, (string?)shop["Name"], (string?)shop["State"],
            (int)shop["Documents"]!, (int)shop["StaleIndexes"]!));
        (await server.SendAsync("GET", "/studio/databases?pageSize=0")).ExpectError(400, "pageSize");
    }

    private static IEnumerable<int> NumbersOf(JsonNode answer) =>
        answer["Results"]!.AsArray().Select(row => (int)row!["Values"]!["N"]!);

    private async Task<JsonNode> GetAsync(string path) =>
        (await Server.SendAsync("GET", path)).Expect(HttpStatusCode.OK).Json;

    private async Task<JsonNode> StatsAsync() => (await GetAsync("~/indexes/stats?name=Batched"))["Results"]![0]!;

    private async Task<JsonNode> CheckAsync(string query, string parameters = "{}") =>
        (await Server.SendAsync(
            "POST", "~/studio/queries/check",
            new JsonObject { ["Query"] = query, ["QueryParameters"] = JsonNode.Parse(parameters) }.ToJsonString()))
        .Expect(HttpStatusCode.OK).Json;
}
