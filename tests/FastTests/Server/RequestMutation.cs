using System.Text;

namespace FastTests.Server;

/// <summary>Requests of which a few bytes were changed: whatever they are now, they are no reason for a 5xx.</summary>
internal static class RequestMutation
{
    private static readonly byte[][] Sound =
    [
        Encoding.ASCII.GetBytes(
            "PUT /databases/db/docs?id=a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 13\r\n\r\n{\"a\":[1,2.5]}"),
        Encoding.ASCII.GetBytes(
            "POST /databases/db/bulk_docs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 59\r\n\r\n"
            + "{\"Commands\":[{\"Id\":\"m\",\"Type\":\"PUT\",\"Document\":{\"x\":\"y\"}}]}"),
        Encoding.ASCII.GetBytes(
            "GET /databases/db/docs?startsWith=a&start=0&pageSize=5 HTTP/1.1\r\nHost: localhost\r\n"
            + "If-None-Match: \"x\"\r\n\r\n"),
        Encoding.ASCII.GetBytes(
            "POST /databases/db/bulk_insert HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "25\r\n[{\"Id\":\"b\",\"Type\":\"PUT\",\"Document\":\r\n4\r\n{}}]\r\n0\r\n\r\n"),
    ];

    /// <summary>Sends requests one by one, each on a connection of its own; a failure names the seed.</summary>
    internal static void Send(int port, int seed, int requests)
    {
        var random = new Random(seed);
        for (int i = 0; i < requests; i++)
        {
            byte[] request = (byte[])Sound[random.Next(Sound.Length)].Clone();
            for (int change = random.Next(1, 4); change > 0; change--)
            {
                request[random.Next(request.Length)] = (byte)random.Next(256);
            }

            using var connection = new RawConnection(port);
            connection.Send(request);
            connection.EndSending();
            int? status = connection.ReceiveStatusOrClose();

            // 501: a command that is not served, 503: the name of another database, 505: another version of HTTP.
            Assert.True(
                status is null or < 500 or 501 or 503 or 505,
                $"seed {seed}, request {i}: {status} for {Encoding.Latin1.GetString(request)}");
        }
    }
}
