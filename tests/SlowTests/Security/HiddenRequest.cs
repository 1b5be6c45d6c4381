using System.Net.Security;
using System.Text;
using System.Text.RegularExpressions;
using FastTests.Support;

namespace SlowTests.Security;

/// <summary>
/// Requests whose end two readers could see at two places, with another request inside, which deletes the database
/// <c>hidden</c>.
/// </summary>
internal static partial class HiddenRequest
{
    /// <summary>The first line of the request inside, but for its version.</summary>
    internal const string FirstLine = "DELETE /admin/databases";

    private const string Hidden =
        FirstLine + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 46\r\n\r\n"
        + "{\"DatabaseNames\":[\"hidden\"],\"HardDelete\":true}";

    private const string Chunks = "0\r\n\r\n" + Hidden;

    /// <summary>Headers and what follows them, in the text of a request that only reads.</summary>
    internal static readonly (string Headers, string Body)[] Framings =
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

    /// <summary>Sends one of them.</summary>
    /// <returns>The statuses of all answers until the end of the connection, or for as long as a request in hand would
    /// take.</returns>
    internal static async Task<string[]> SendAsync(SslStream tls, (string Headers, string Body) framing)
    {
        string request = "POST /databases/hidden/docs HTTP/1.1\r\nHost: localhost\r\n"
            + $"{framing.Headers}\r\n\r\n{framing.Body}";
        await tls.WriteAsync(Encoding.Latin1.GetBytes(request));
        string answer = await ReadToEndAsync(tls);
        return [.. Status().Matches(answer).Select(match => match.Groups[1].Value)];
    }

    /// <summary>A request that is refused, or whose chunks are wrong, with another inside that stores a document.
    /// </summary>
    internal static byte[] InBody(int number, string id)
    {
        string hidden = $"PUT /databases/gone/docs?id={id} HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Length: 2\r\n\r\n{}";
        return Encoding.ASCII.GetBytes((number % 3) switch
        {
            0 => "POST /databases/gone/docs HTTP/1.1\r\nHost: localhost\r\n"
                + $"Transfer-Encoding: chunked\r\n\r\n0;a\n\r\n{hidden}",
            1 => "POST /databases/gone/docs HTTP/1.1\r\nHost: localhost\r\n"
                + $"Transfer-Encoding: chunked\r\n\r\n0;a\r\r\n\r\n{hidden}",
            _ => "PUT /databases/nowhere/docs?id=a HTTP/1.1\r\nHost: localhost\r\n"
                + $"Content-Length: {hidden.Length}\r\n\r\n{hidden}",
        });
    }

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
