using System.IO.Pipelines;
using System.Text;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;

namespace Raven.Tools.Bench.Suites.Http;

/// <summary>What peers do that answer by less than Kestrel's HTTP, or take bodies.</summary>
internal static class PeerAnswers
{
    private const string HeadersSuffix = ".headers";

    /// <summary>
    /// Fetches an answer of ours into a file, and its own headers into one beside it, for peers to give.
    /// </summary>
    internal static void Save(Uri url, string bodyFile)
    {
        using var client = new HttpClient();
        Save(client, url, bodyFile);
    }

    /// <summary>The same over a client that may fetch it.</summary>
    internal static void Save(HttpClient client, Uri url, string bodyFile)
    {
        using HttpResponseMessage answer = client.GetAsync(url).GetAwaiter().GetResult().EnsureSuccessStatusCode();
        File.WriteAllBytes(bodyFile, answer.Content.ReadAsByteArrayAsync().GetAwaiter().GetResult());
        File.WriteAllLines(
            bodyFile + HeadersSuffix,
            answer.Headers.Where(header => header.Key != "Date")
                .Select(header => $"{header.Key}: {header.Value.First()}"));
    }

    /// <summary>The headers that an answer has besides date, type and length; none if none were kept.</summary>
    internal static (string Name, StringValues Value)[] ReadHeaders(string bodyFile) =>
        File.Exists(bodyFile + HeadersSuffix)
            ? [.. File.ReadLines(bodyFile + HeadersSuffix).Select(line => line.Split(": ", 2))
                .Select(parts => (parts[0], new StringValues(parts[1])))]
            : [];

    /// <summary>
    /// Answers whatever ends with an empty line by the same bytes: Kestrel's transport without its HTTP. Requests must
    /// come one at a time.
    /// </summary>
    internal static async Task AnswerAllAsync(ConnectionContext connection, byte[] answer)
    {
        PipeReader input = connection.Transport.Input;
        while (true)
        {
            ReadResult read = await input.ReadAsync();
            if (read.IsCompleted)
            {
                return;
            }

            bool isWhole = read.Buffer.IsSingleSegment
                && read.Buffer.FirstSpan.EndsWith("\r\n\r\n"u8);
            input.AdvanceTo(isWhole ? read.Buffer.End : read.Buffer.Start, read.Buffer.End);
            if (isWhole)
            {
                await connection.Transport.Output.WriteAsync(answer);
            }
        }
    }

    /// <summary>An answer with its head, as bytes.</summary>
    internal static byte[] Whole(byte[] body, (string Name, StringValues Value)[] headers) =>
    [
        .. Encoding.ASCII.GetBytes(
            $"HTTP/1.1 200 OK\r\nContent-Length: {body.Length}\r\nContent-Type: application/json; charset=utf-8\r\n"
            + "Date: Sat, 21 Nov 2026 20:00:00 GMT\r\n"
            + string.Concat(headers.Select(header => $"{header.Name}: {header.Value}\r\n")) + "\r\n"),
        .. body,
    ];

    /// <summary>Reads a body to its end and answers 201; if there is a log, once the body is on the disk.</summary>
    internal static async Task TakeBodyAsync(HttpContext http, GroupLog? log)
    {
        PipeReader body = http.Request.BodyReader;
        int bytes = 0;
        while (true)
        {
            ReadResult read = await body.ReadAsync();
            bytes += (int)read.Buffer.Length;
            body.AdvanceTo(read.Buffer.End);
            if (read.IsCompleted)
            {
                break;
            }
        }

        if (log is not null)
        {
            await log.AppendAsync(bytes);
        }

        http.Response.StatusCode = 201;
        await PeerServer.WriteBodyAsync(http);
    }
}
