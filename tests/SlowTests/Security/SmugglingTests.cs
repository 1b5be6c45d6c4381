using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.RegularExpressions;
using FastTests.Support;

namespace SlowTests.Security;

/// <summary>
/// A caller who may only read sends requests whose end two readers could see at two places, with another request hidden
/// inside: it is never read as one.
/// </summary>
[Trait(Category.Shard, "tls")]
public sealed partial class SmugglingTests(SecuredProcess server) : IClassFixture<SecuredProcess>
{
    private const string Hidden =
        "DELETE /admin/databases HTTP/1.1\r\nHost: localhost\r\nContent-Length: 46\r\n\r\n"
        + "{\"DatabaseNames\":[\"hidden\"],\"HardDelete\":true}";

    private const string Chunks = "0\r\n\r\n" + Hidden;

    /// <summary>Headers and what follows them, in the text of a request that only reads.</summary>
    private static readonly (string Headers, string Body)[] Framings =
    [
        ($"Content-Length: {Chunks.Length}\r\nTransfer-Encoding: chunked", Chunks),
        ("Transfer-Encoding: chunked\r\nContent-Length: 4", Chunks),
        ("Content-Length: 0\r\nContent-Length: 200", Hidden),
        ("Content-Length: 200\r\nContent-Length: 0", Hidden),
        ("Content-Length: 0, 200", Hidden), ("Content-Length: 0,0", Hidden),
        ("Content-Length: -1", Hidden), ("Content-Length: 0x0", Hidden), ("Content-Length: 0 0", Hidden),
        ("Content-Length: 1e0", Hidden), ("Content-Length: \u0660", Hidden),
        ("Content-Length: 18446744073709551616", Hidden), ("Content-Length:\t0\u000b", Hidden),
        ("Content-Length : 0", Hidden), ("Content-Length\t: 0", Hidden), (" Content-Length: 0", Hidden),
        ("X: a\r\n Content-Length: 0", Hidden), ("X: a\rContent-Length: 0", Hidden),
        ("X: a\nContent-Length: 9", Hidden),
        ("Transfer-Encoding: xchunked", Chunks), ("Transfer-Encoding: chunked, identity", Chunks),
        ("Transfer-Encoding: identity, chunked", Chunks), ("Transfer-Encoding: chunked\u000b", Chunks),
        ("Transfer-Encoding: \u000bchunked", Chunks), ("Transfer-Encoding : chunked", Chunks),
        ("Transfer-Encoding: \"chunked\"", Chunks), ("Transfer-Encoding: chunked;q=1", Chunks),
        ("Transfer-Encoding:\r\n chunked", Chunks), ("Transfer-Encoding: chunked\r\nTransfer-Encoding: x", Chunks),
        ("Transfer-Encoding: x\r\nTransfer-Encoding: chunked", Chunks), ("Transfer-Encoding: CHUNKED\0", Chunks),
        ("Transfer-Encoding: chunked", "0;a\n\r\n" + Hidden), ("Transfer-Encoding: chunked", "0;a\r\r\n\r\n" + Hidden),
        ("Transfer-Encoding: chunked", "0\n\n" + Hidden), ("Transfer-Encoding: chunked", "0x0\r\n\r\n" + Hidden),
        ("Transfer-Encoding: chunked", "-0\r\n\r\n" + Hidden),
        ("Transfer-Encoding: chunked", "00000000000000000\r\n\r\n" + Hidden),
        ("Transfer-Encoding: chunked", "2\r\n{}XX0\r\n\r\n" + Hidden), ("Transfer-Encoding: chunked", "1;\n" + Hidden),
        ("Transfer-Encoding: chunked", "100000000\r\n" + Hidden), ("Transfer-Encoding: chunked", " 0\r\n\r\n" + Hidden),
    ];

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait("Security", "13")]
    public async Task A_request_hidden_in_another_is_never_run()
    {
        await server.CreateDatabaseAsync("hidden");
        using X509Certificate2 reader = await server.RegisterAsync("reader-13", "ValidUser", ("hidden", "Read"));
        SslStreamCertificateContext own = SslStreamCertificateContext.Create(reader, null, offline: true);
        foreach ((string headers, string body) in Framings)
        {
            await using SslStream tls = await server.OpenAsync(own, SslApplicationProtocol.Http11);
            string request = $"POST /databases/hidden/docs HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n\r\n{body}";
            await tls.WriteAsync(Encoding.Latin1.GetBytes(request));
            string answer = await ReadToEndAsync(tls);
            string[] statuses = [.. Status().Matches(answer).Select(match => match.Groups[1].Value)];
            Assert.True(statuses.Skip(1).All(status => status == "400"), $"{string.Join(' ', statuses)} for {headers}");
        }

        // Whoever may not delete is in the audit log if the server took it for a request.
        string audit = server.ReadAudit();
        Assert.DoesNotContain("DELETE", audit, StringComparison.Ordinal);
        using HttpClient admin = server.Client(server.Admin);
        Assert.Contains(
            "hidden", await admin.GetStringAsync(new Uri("/databases", UriKind.Relative)), StringComparison.Ordinal);
    }

    /// <summary>The answers up to the end of the connection, or for as long as a request in hand would take.</summary>
    private static async Task<string> ReadToEndAsync(SslStream tls)
    {
        var received = new StringBuilder();
        byte[] buffer = new byte[16 * 1024];
        using CancellationTokenSource over = Deadline.NewToken();
        over.CancelAfter(TimeSpan.FromSeconds(1));
        try
        {
            int count;
            while ((count = await tls.ReadAsync(buffer, over.Token)) > 0)
            {
                received.Append(Encoding.Latin1.GetString(buffer, 0, count));
            }
        }
        catch (Exception end) when (end is IOException or OperationCanceledException)
        {
            // It is closed, or waits for the rest of a request.
        }

        return received.ToString();
    }

    [GeneratedRegex("HTTP/1.1 ([0-9]{3}) ")]
    private static partial Regex Status();
}
