namespace FastTests.Security;

/// <summary>No text that a caller chooses ends a header of an answer and begins another.</summary>
[Trait("Security", "59")]
public sealed class HeaderSplittingTests(TwoDatabases databases) : IClassFixture<TwoDatabases>
{
    private const string Split = "%0d%0aX-Injected:%20yes%0d%0a%0d%0a%3Chtml%3E";

    [Theory]
    [InlineData("GET", "/databases/none" + Split + "/docs?id=a")]
    [InlineData("GET", "/databases/red/docs?id=a" + Split)]
    [InlineData("GET", "/databases/red/attachments?id=a&name=n" + Split)]
    [InlineData("GET", "/databases/red/queries?query=from%20'Orders" + Split + "'")]
    [InlineData("GET", "/databases/red/queries?query=from%20Orders&queryHash=" + Split)]
    [InlineData("GET", "/databases/red/hilo/next?tag=a" + Split)]
    [InlineData("GET", "/topology?name=none" + Split)]
    [InlineData("GET", "/admin/databases?name=none" + Split)]
    [InlineData("GET", "/nothing" + Split)]
    [InlineData("OPTIONS", "/databases/red/docs" + Split)]
    [InlineData("DELETE", "/databases/red/docs?id=a" + Split)]
    [InlineData("GET", "/databases/red/docs?id=a&changeVector=" + Split)]
    public void A_text_of_the_url_begins_no_header(string method, string target) => AssertWhole(method, target, "");

    [Theory]
    [InlineData("PUT", "/databases/red/attachments?id=a&name=n" + Split, "x")]
    [InlineData("PUT", "/databases/red/attachments?id=a&name=n&contentType=text/html" + Split, "x")]
    [InlineData("PUT", "/databases/red/docs?id=b" + Split, "{}")]
    [InlineData("PUT", "/admin/databases?name=x" + Split, "{}")]
    [InlineData("POST", "/databases/red/multi_get", "{\"Requests\":[],\"a\\r\\nX-Injected: yes\":1}")]
    [InlineData("POST", "/databases/red/queries", "{\"Query\":\"from X\",\"a\\r\\nX-Injected: yes\":1}")]
    [InlineData("POST", "/databases/red/queries", "{\"Query\":\"from 'X\\r\\nX-Injected: yes'\"}")]
    [InlineData("PUT", "/admin/databases?name=x", "{\"DatabaseName\":\"x\\r\\nX-Injected: yes\"}")]
    [InlineData("POST", "/databases/red/bulk_docs",
        "{\"Commands\":[{\"Type\":\"PUT\",\"Id\":\"a\\r\\nX-Injected: yes\",\"Document\":{}}]}")]
    [InlineData("POST", "/admin/certificates/edit", "{\"a\\r\\nX-Injected: yes\":1}")]
    public void A_text_of_the_body_begins_no_header(string method, string target, string body) =>
        AssertWhole(method, target, body);

    [Fact]
    public void An_attachment_keeps_its_name_and_type_in_one_header_each()
    {
        const string target = "/databases/red/attachments?id=a&name=n%22;%20filename=%22x.html&contentType=text/html";
        Assert.Equal(201, Send("PUT", target, "x").Status);
        (int status, string head, _) = Send("GET", target, "");
        Assert.Equal(200, status);
        string disposition = Assert.Single(
            head.Split("\r\n"), line => line.StartsWith("Content-Disposition:", StringComparison.OrdinalIgnoreCase));
        Assert.DoesNotContain("filename=\"", disposition, StringComparison.Ordinal);
        Assert.Contains("filename*=UTF-8''n%22%3B%20filename%3D%22x.html", disposition, StringComparison.Ordinal);
    }

    private void AssertWhole(string method, string target, string body)
    {
        (int status, string head, string answer) = Send(method, target, body);
        Assert.True(status is (>= 200 and < 500) or 503, $"{status} {answer}");
        Assert.DoesNotContain(
            head.Split("\r\n"), line => line.StartsWith("X-Injected", StringComparison.OrdinalIgnoreCase));
        Assert.DoesNotContain('\n', head.Replace("\r\n", "", StringComparison.Ordinal));
    }

    private (int Status, string Head, string Body) Send(string method, string target, string body) =>
        databases.SendBody(method, target, body);
}
