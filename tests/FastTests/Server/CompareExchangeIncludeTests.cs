using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Compare-exchange values come along with the documents that name their keys.</summary>
public sealed class CompareExchangeIncludeTests
{
    [Fact]
    public async Task Compare_exchange_values_named_in_documents_are_included_with_the_documents()
    {
        using TestServer server = await WithUsersAsync();
        foreach ((string asked, string expected) in new[]
        {
            ("cmpxchg=Email", "emails/a=A emails/none=-1"),
            ("cmpxchg=Emails", "emails/a=A emails/b=B"),
            ("cmpxchg=Emails&cmpxchg=Email&include=Email", "emails/a=A emails/b=B emails/none=-1"),
            ("cmpxchg=Lines[].Key&counter=none", "emails/b=B"),
            ("cmpxchg=Short(emails/)", "emails/b=B"),
            ("cmpxchg=EMAILS/B&cmpxchg=emails/b", "EMAILS/B=B"),
            ("cmpxchg=none&metadataOnly=true", "none=-1"),
            ("cmpxchg=Both", "Both=both emails/a=A"),
        })
        {
            const string Ids = """{"Ids":["users/1","users/2","users/none"]}""";
            HttpAnswer got = await server.SendAsync("GET", $"~/docs?id=users/1&id=users/2&id=users/none&{asked}");
            HttpAnswer posted = await server.SendAsync("POST", $"~/docs?{asked}", Ids);
            Assert.Equal((asked, expected), (asked, Told(got)));
            Assert.Equal((asked, expected), (asked, Told(posted)));
        }

        Assert.Null((await server.SendAsync("GET", "~/docs?id=users/1")).Json["CompareExchangeValueIncludes"]);
        JsonNode one = (await server.SendAsync("GET", "~/docs?id=users/1&cmpxchg=Email")).Json;
        JsonNode value = one["CompareExchangeValueIncludes"]!["emails/a"]!;
        Assert.Equal("emails/a", (string?)value["Key"]);
        Assert.Equal(
            (long)(await server.SendAsync("GET", "~/cmpxchg?key=emails/a")).Json["Results"]![0]!["Index"]!,
            (long)value["Index"]!);
    }

    [Fact]
    public async Task Compare_exchange_values_named_in_the_results_of_a_query_are_included_with_them()
    {
        using TestServer server = await WithUsersAsync();
        foreach ((string query, string expected) in new[]
        {
            ("from Users include cmpxchg(Email)", "emails/a=A emails/none=-1"),
            ("from Users where Name = 'a' include cmpxchg(Email)", "emails/a=A"),
            ("from Users as u where u.Name = 'a' include cmpxchg(u.Email)", "emails/a=A"),
            ("from Users as u where u.Name = 'a' include cmpxchg('u.Email')", "emails/a=A"),
            ("from Users where Name = 'a' include cmpxchg('Email')", "emails/a=A"),
            ("from Users where Name = 'a' select Name include cmpxchg(Emails), Email", "emails/a=A emails/b=B"),
            ("from Users as u where u.Name = 'a' select { N: u.Name } include cmpxchg(u.Lines[].Key)", "emails/b=B"),
            ("from Users where Name = 'a' include cmpxchg('Short(emails/)')", "emails/b=B"),
            ("from Users where Name = 'a' include cmpxchg($keys, Email)", "emails/a=A emails/b=B none=-1"),
            ("from Users where Name = 'a' include cmpxchg(Name), cmpxchg(Nothing)", "a=-1"),
            ("from Users where Name = 'a' include cmpxchg('Both')", "Both=both emails/a=A"),
            ("from Users where Name = 'a' include cmpxchg(Both)", "emails/a=A"),
            ("from Users where Name = 'nobody' include cmpxchg(Email)", ""),
            ("from @all_docs include cmpxchg(Email)", "emails/a=A emails/none=-1"),
        })
        {
            HttpAnswer answer = await server.SendAsync(
                "POST", "~/queries", QueryHttpTests.Body(query, """{"keys":["emails/b","none"]}"""));
            Assert.Equal((query, expected), (query, Told(answer)));
        }
    }

    [Fact]
    public async Task An_answer_with_an_included_compare_exchange_value_is_sent_again_when_the_value_has_changed()
    {
        using TestServer server = await WithUsersAsync();
        const string Url = "~/docs?id=users/1&cmpxchg=Email";
        HttpAnswer before = await server.SendAsync("GET", Url);
        string known = $"If-None-Match: {before.ETag}";
        (await server.SendAsync("GET", Url, body: (string?)null, known)).Expect(HttpStatusCode.NotModified);
        long index = (long)before.Json["CompareExchangeValueIncludes"]!["emails/a"]!["Index"]!;
        await SetAsync(server, "emails/a", "changed", index);
        HttpAnswer changed = await server.SendAsync("GET", Url, body: (string?)null, known);
        Assert.Equal("emails/a=changed", Told(changed));
        known = $"If-None-Match: {changed.ETag}";
        (await server.SendAsync("DELETE", "~/cmpxchg?key=emails/a")).Expect(HttpStatusCode.OK);
        Assert.Equal("emails/a=-1", Told(await server.SendAsync("GET", Url, body: (string?)null, known)));
    }

    private static async Task<TestServer> WithUsersAsync()
    {
        TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("users/1", """
            {"Name":"a","Email":"emails/a","Emails":["emails/a","emails/b"],"Lines":[{"Key":"emails/b"},{}],
             "Short":"b","Both":"emails/a","@metadata":{"@collection":"Users"}}
            """);
        await server.PutAsync("users/2", """
            {"Name":"b","Email":"emails/none","@metadata":{"@collection":"Users"}}
            """);
        await SetAsync(server, "emails/a", "A", 0);
        await SetAsync(server, "emails/b", "B", 0);
        await SetAsync(server, "Both", "both", 0);
        return server;
    }

    private static async Task SetAsync(TestServer server, string key, string value, long index) =>
        (await server.SendAsync("PUT", $"~/cmpxchg?key={key}&index={index}", $"{{\"Object\":\"{value}\"}}"))
            .Expect(HttpStatusCode.OK);

    /// <summary>The values that came along, or the index of those that are not there.</summary>
    private static string Told(HttpAnswer answer) => string.Join(
        ' ', answer.Expect(HttpStatusCode.OK).Json["CompareExchangeValueIncludes"]!.AsObject()
            .Select(one => $"{one.Key}={one.Value!["Value"]?["Object"] ?? one.Value["Index"]}")
            .Order(StringComparer.Ordinal));
}
