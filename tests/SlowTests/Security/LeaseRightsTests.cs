using System.Net;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json.Nodes;

namespace SlowTests.Security;

/// <summary>What a client has leased goes to others when its right ends, long before the lease does.</summary>
[Trait(Category.Shard, "attacks")]
[Trait(Category.Run, Category.Ci)]
public sealed class LeaseRightsTests(SecuredProcess secured) : IClassFixture<SecuredProcess>
{
    [Fact]
    [Trait("Security", "38")]
    public async Task A_lease_ends_with_the_right_of_its_holder_and_its_documents_go_to_another()
    {
        await secured.CreateDatabaseAsync("leased");
        X509Certificate2 holder = await secured.RegisterAsync("holder", "ValidUser", ("leased", "ReadWrite"));
        X509Certificate2 other = await secured.RegisterAsync("other", "ValidUser", ("leased", "ReadWrite"));
        using HttpClient held = secured.Client(holder);
        using HttpClient next = secured.Client(other);
        await SendAsync(next, HttpMethod.Put, "/databases/leased/docs?id=users/1", "{}");
        await SendAsync(
            next, HttpMethod.Put, "/databases/leased/subscriptions", """{"Name":"all","Query":"from @all_docs"}""");
        JsonNode lease = JsonNode.Parse(await SendAsync(
            held, HttpMethod.Post, "/databases/leased/subscriptions/batch?name=all&lease=1h"))!;
        Assert.Equal("", await SendAsync(
            next, HttpMethod.Post, "/databases/leased/subscriptions/batch?name=all"));

        using HttpClient admin = secured.Client(secured.Admin);
        using var narrowed = new StringContent(
            $$$"""
            {"Thumbprint":"{{{holder.Thumbprint}}}","Name":"holder","SecurityClearance":"ValidUser",
            "Permissions":{"leased":"Read"}}
            """,
            Encoding.UTF8, "application/json");
        using HttpResponseMessage edited = await admin.PostAsync(
            new Uri("/admin/certificates/edit", UriKind.Relative), narrowed);
        Assert.True(edited.IsSuccessStatusCode, await edited.Content.ReadAsStringAsync());

        JsonNode taken = JsonNode.Parse(await SendAsync(
            next, HttpMethod.Post, "/databases/leased/subscriptions/batch?name=all&wait=60s"))!;
        Assert.Equal("users/1", (string?)taken["Items"]![0]!["Id"]);
        using HttpResponseMessage late = await held.PostAsync(
            new Uri($"/databases/leased/subscriptions/batch/ack?batch={lease["BatchId"]}", UriKind.Relative), null);
        Assert.Equal(HttpStatusCode.Forbidden, late.StatusCode);
        await SendAsync(
            next, HttpMethod.Post, $"/databases/leased/subscriptions/batch/ack?batch={taken["BatchId"]}");
        Assert.Contains($"the lease {lease["BatchId"]}", secured.ReadAudit(), StringComparison.Ordinal);
    }

    private static async Task<string> SendAsync(HttpClient client, HttpMethod method, string path, string? body = null)
    {
        using var request = new HttpRequestMessage(method, path)
        {
            Content = body is null ? null : new StringContent(body, Encoding.UTF8, "application/json"),
        };
        using HttpResponseMessage answer = await client.SendAsync(request);
        string text = await answer.Content.ReadAsStringAsync();
        Assert.True(answer.IsSuccessStatusCode, $"{method} {path}: {answer.StatusCode} {text}");
        return text;
    }
}
