using System.Net;
using System.Text;
using System.Text.Json.Nodes;

namespace FastTests.Server;

public sealed class DocumentsHttpTests
{
    private const string User = """{"Name":"Ada","Age":36,"@metadata":{"@collection":"Users","Custom":[1,2]}}""";

    [Theory]
    [InlineData("~/docs")]
    [InlineData("~/docs?start=0&pageSize=1")]
    [InlineData("~/docs?id=none&id=nobody&include=x")]
    [InlineData("~/queries?query=from%20@all_docs")]
    public async Task A_new_database_of_the_same_name_answers_with_other_tags(string url)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{}");
        HttpAnswer first = await server.SendAsync("GET", url);
        Assert.Equal(304, (await server.SendAsync("GET", url, (string?)null, $"If-None-Match: {first.ETag}")).Status);
        (await server.SendAsync("DELETE", "/admin/databases?name=db&hardDelete=true")).Expect(HttpStatusCode.OK);
        (await server.SendAsync("PUT", "/admin/databases?name=db", "{}")).Expect(HttpStatusCode.Created);
        await server.PutAsync("b", "{}");
        HttpAnswer second = await server.SendAsync("GET", url, (string?)null, $"If-None-Match: {first.ETag}");
        Assert.Equal(200, second.Status);
        Assert.NotEqual(first.ETag, second.ETag);
    }

    [Fact]
    public async Task A_document_is_written_read_and_deleted()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        HttpAnswer put = (await server.SendAsync("PUT", "~/docs?id=users/1", User)).Expect(HttpStatusCode.Created);
        Assert.Equal("users/1", (string?)put.Json["Id"]);
        string vector = (string)put.Json["ChangeVector"]!;
        Assert.Matches("^A:1-[A-Za-z0-9+/]{22}$", vector);

        HttpAnswer get = (await server.SendAsync("GET", "~/docs?id=USERS/1")).Expect(HttpStatusCode.OK);
        JsonObject document = get.Json["Results"]!.AsArray().Single()!.AsObject();
        Assert.Equal("Ada", (string?)document["Name"]);
        Assert.Equal(36, (int)document["Age"]!);
        JsonNode metadata = document["@metadata"]!;
        Assert.Equal("users/1", (string?)metadata["@id"]);
        Assert.Equal("Users", (string?)metadata["@collection"]);
        Assert.Equal(vector, (string?)metadata["@change-vector"]);
        Assert.Matches(@"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z$", (string?)metadata["@last-modified"]);
        Assert.Equal("[1,2]", metadata["Custom"]!.ToJsonString());
        Assert.Equal($"\"{vector}\"", get.ETag);
        Assert.Equal("{}", get.Json["Includes"]!.ToJsonString());

        (await server.SendAsync("DELETE", "~/docs?id=users/1")).Expect(HttpStatusCode.NoContent);
        (await server.SendAsync("GET", "~/docs?id=users/1")).ExpectError(404, "users/1");
        (await server.SendAsync("HEAD", "~/docs?id=users/1")).Expect(HttpStatusCode.NotFound);
    }

    [Theory]
    [InlineData("users/1%2F2")]
    [InlineData("a b+c")]
    [InlineData("שלום/\U0001F600")]
    [InlineData("100% \"quoted\" \\ <>&?#")]
    public async Task An_id_may_hold_any_characters(string id)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync(id, "{}");
        HttpAnswer get = await server.SendAsync("GET", $"~/docs?id={Uri.EscapeDataString(id)}");
        Assert.Equal(id, (string?)get.Expect(HttpStatusCode.OK).Json["Results"]![0]!["@metadata"]!["@id"]);
    }

    [Fact]
    public async Task Ids_that_end_with_a_slash_or_a_pipe_are_completed_by_the_server()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        HttpAnswer slash = await server.SendAsync("PUT", "~/docs?id=users/", "{}");
        Assert.Matches(@"^users/\d{19}-A$", (string?)slash.Expect(HttpStatusCode.Created).Json["Id"]);
        HttpAnswer bar = await server.SendAsync("PUT", "~/docs?id=users%7C", "{}");
        Assert.Equal("users/1", (string?)bar.Expect(HttpStatusCode.Created).Json["Id"]);
        HttpAnswer empty = await server.SendAsync("PUT", "~/docs?id=", "{}");
        Assert.True(Guid.TryParse((string?)empty.Expect(HttpStatusCode.Created).Json["Id"], out _));
    }

    [Fact]
    public async Task A_write_with_a_stale_change_vector_is_refused_with_409_and_both_change_vectors()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        string first = await server.PutAsync("users/1", "{}");
        string second = await server.PutAsync("users/1", "{\"a\":1}");
        foreach (string method in new[] { "PUT", "DELETE" })
        {
            HttpAnswer conflict = await server.SendAsync(
                method, "~/docs?id=users/1", method == "PUT" ? "{}" : null, $"If-Match: \"{first}\"");
            conflict.ExpectError(409, first);
            Assert.Equal("Raven.Client.Exceptions.ConcurrencyException", (string?)conflict.Json["Type"]);
            Assert.Equal(first, (string?)conflict.Json["ExpectedChangeVector"]);
            Assert.Equal(second, (string?)conflict.Json["ActualChangeVector"]);
        }

        (await server.SendAsync("PUT", "~/docs?id=users/1", "{}", "If-Match: \"\"")).ExpectError(409, "must not exist");
        (await server.SendAsync("PUT", "~/docs?id=users/2", "{}", "If-Match: \"\"")).Expect(HttpStatusCode.Created);
        (await server.SendAsync("DELETE", "~/docs?id=users/1", (string?)null, $"If-Match: {second}"))
            .Expect(HttpStatusCode.NoContent);
    }

    [Fact]
    public async Task A_document_that_the_client_has_is_answered_with_304()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        string vector = await server.PutAsync("users/1", "{}");
        await server.PutAsync("users/2", "{}");
        string[] urls = ["~/docs?id=users/1", "~/docs?id=users/1&id=users/2", "~/docs?start=0&pageSize=5"];
        foreach (string url in urls)
        {
            HttpAnswer first = (await server.SendAsync("GET", url)).Expect(HttpStatusCode.OK);
            HttpAnswer again = await server.SendAsync("GET", url, (string?)null, $"If-None-Match: {first.ETag}");
            Assert.Empty(again.Expect(HttpStatusCode.NotModified).Bytes);
            Assert.Equal(first.ETag, again.ETag);
        }

        (await server.SendAsync("HEAD", "~/docs?id=users/1", (string?)null, $"If-None-Match: {vector}"))
            .Expect(HttpStatusCode.NotModified);
        HttpAnswer head = await server.SendAsync("HEAD", "~/docs?id=users/1");
        Assert.Equal($"\"{vector}\"", head.Expect(HttpStatusCode.OK).ETag);
        (await server.SendAsync("GET", "~/docs?id=no", (string?)null, "If-None-Match: \"404 Response\""))
            .Expect(HttpStatusCode.NotFound);
        await server.PutAsync("users/1", "{\"a\":1}");
        (await server.SendAsync("GET", "~/docs?id=users/1", (string?)null, $"If-None-Match: \"{vector}\""))
            .Expect(HttpStatusCode.OK);
    }

    [Fact]
    public async Task Documents_by_several_ids_are_in_their_order_once_each_with_null_for_missing_ones()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{\"n\":1}");
        await server.PutAsync("b", "{\"n\":2}");
        HttpAnswer get = await server.SendAsync("GET", "~/docs?id=b&id=missing&id=A&id=B&id=a");
        Assert.Equal(["2", "null", "1"], NumbersOf(get.Expect(HttpStatusCode.OK)));
        HttpAnswer post = await server.SendAsync("POST", "~/docs", "{\"Ids\":[\"a\",\"b\",null,\"c\"]}");
        Assert.Equal(["1", "2", "null", "null"], NumbersOf(post.Expect(HttpStatusCode.OK)));
        (await server.SendAsync("POST", "~/docs", "{\"Ids\":[1]}")).ExpectError(400, "Ids[0]");
        (await server.SendAsync("POST", "~/docs", "{}")).ExpectError(400, "Ids");
    }

    [Fact]
    public async Task Included_documents_are_listed_once_beside_the_results()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("orders/1", """
            {"Company":"companies/1","Lines":[{"Product":"products/1"},{"Product":"products/2"},{"Product":7}],
             "Employee":"8","Self":"orders/1"}
            """);
        await server.PutAsync("companies/1", "{\"Name\":\"c\"}");
        await server.PutAsync("products/1", "{\"Name\":\"p1\"}");
        await server.PutAsync("employees/8", "{\"Name\":\"e\"}");
        HttpAnswer get = await server.SendAsync(
            "GET",
            "~/docs?id=orders/1&include=Company&include=Lines%5B%5D.Product&include=Employee(employees/)&include=Self"
            + "&include=Nothing.There");
        JsonObject includes = get.Expect(HttpStatusCode.OK).Json["Includes"]!.AsObject();
        Assert.Equal(
            ["companies/1", "products/1", "products/2", "7", "employees/8"], includes.Select(property => property.Key));
        Assert.Equal("p1", (string?)includes["products/1"]!["Name"]);
        Assert.Null(includes["products/2"]);
        Assert.Single(get.Json["Results"]!.AsArray());
    }

    [Fact]
    public async Task Documents_by_prefix_are_paged_filtered_and_continued()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        for (int i = 1; i <= 5; i++)
        {
            await server.PutAsync($"users/{i}", $"{{\"n\":{i}}}");
        }

        await server.PutAsync("other/1", "{}");
        HttpAnswer page =
            await server.SendAsync("GET", "~/docs?startsWith=USERS/&start=1&pageSize=2&matches=&exclude=");
        Assert.Equal(["2", "3"], NumbersOf(page.Expect(HttpStatusCode.OK)));
        Assert.Equal(3, (int)page.Json["NextPageStart"]!);
        HttpAnswer last = await server.SendAsync("GET", "~/docs?startsWith=users/&start=3&pageSize=2");
        Assert.Equal(["4", "5"], NumbersOf(last));
        Assert.Null(last.Json["NextPageStart"]);
        const string all = "~/docs?startsWith=users/";
        Assert.Equal(["2", "3"], NumbersOf(await server.SendAsync("GET", $"{all}&matches=2%7C3")));
        Assert.Equal(["1", "5"], NumbersOf(await server.SendAsync("GET", $"{all}&exclude=2%7C3%7C4")));
        Assert.Equal(["4", "5"], NumbersOf(await server.SendAsync("GET", $"{all}&startAfter=users/3")));
    }

    [Fact]
    public async Task A_list_without_ids_has_the_last_changed_documents_first()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        for (int i = 1; i <= 4; i++)
        {
            await server.PutAsync($"users/{i}", $"{{\"n\":{i}}}");
        }

        await server.PutAsync("users/2", "{\"n\":2}");
        Assert.Equal(["2", "4", "3", "1"], NumbersOf(await server.SendAsync("GET", "~/docs")));
        Assert.Equal(["4", "3"], NumbersOf(await server.SendAsync("GET", "~/docs?&start=1&pageSize=2")));
    }

    [Fact]
    public async Task Only_the_metadata_of_documents_is_answered_if_the_request_asks_for_it()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("users/1", User);
        foreach (string url in new[] { "~/docs?id=users/1&metadataOnly=true", "~/docs?startsWith=u&metadataOnly=true" })
        {
            HttpAnswer get = await server.SendAsync("GET", url);
            JsonObject document = get.Expect(HttpStatusCode.OK).Json["Results"]![0]!.AsObject();
            Assert.Equal(["@metadata"], document.Select(property => property.Key));
            Assert.Equal("Users", (string?)document["@metadata"]!["@collection"]);
        }
    }

    [Fact]
    public async Task A_large_document_and_a_large_list_are_answered_whole()
    {
        using TestServer server =
            await TestServer.WithDatabaseAsync(o => o with { ResponseBufferSizeBytesMax = 65_536 });
        string text = new('x', 300_000);
        for (int i = 0; i < 4; i++)
        {
            await server.PutAsync($"big/{i}", $"{{\"n\":{i},\"Text\":\"{text}\"}}");
        }

        HttpAnswer get = await server.SendAsync("GET", "~/docs?startsWith=big/");
        Assert.Equal(["0", "1", "2", "3"], NumbersOf(get.Expect(HttpStatusCode.OK)));
        Assert.All(get.Json["Results"]!.AsArray(), d => Assert.Equal(text, (string?)d!["Text"]));
        HttpAnswer many = await server.SendAsync("GET", "~/docs?id=big/3&id=big/0&id=big/1");
        Assert.Equal(["3", "0", "1"], NumbersOf(many.Expect(HttpStatusCode.OK)));
    }

    [Fact]
    public async Task Compressed_request_bodies_are_decoded()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        byte[] json = Encoding.UTF8.GetBytes("{\"Name\":\"" + new string('y', 50_000) + "\"}");
        foreach (string encoding in new[] { "gzip", "br", "deflate" })
        {
            using var body = new ByteArrayContent(Compressed.By(encoding, json));
            body.Headers.ContentEncoding.Add(encoding);
            (await server.SendAsync("PUT", $"~/docs?id=z/{encoding}", body)).Expect(HttpStatusCode.Created);
            HttpAnswer get = await server.SendAsync("GET", $"~/docs?id=z/{encoding}");
            Assert.Equal(50_000, ((string)get.Json["Results"]![0]!["Name"]!).Length);
        }
    }

    private static IEnumerable<string> NumbersOf(HttpAnswer answer) =>
        answer.Json["Results"]!.AsArray().Select(document => document == null ? "null" : $"{document["n"]}");
}
