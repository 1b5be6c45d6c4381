using System.Text;
using System.Text.Json;
using Raven.Client.Http;
using Raven.Client.Json;

namespace Raven.Client.Documents.Commands;

/// <summary>Several reads in one request.</summary>
internal sealed class MultiGetCommand(IReadOnlyList<InnerRequest> requests) : RavenCommand<InnerAnswer[]>
{
    public override bool IsReadRequest => true;

    public override bool CanCache => false;

    internal override string Kind => "lazy operations";

    /// <summary>
    /// The sum of the waits of the reads, as the server answers one after the other. Each is capped, so that the sum
    /// does not overflow.
    /// </summary>
    internal override TimeSpan ServerWaitMax => TimeSpan.FromTicks(
        requests.Sum(request => Math.Min(request.ServerWaitMax.Ticks, LongestServerWait.Ticks)));

    protected internal override HttpRequestMessage CreateRequest(ServerNode node) =>
        new UrlBuilder(node, "/multi_get").ToRequest(HttpMethod.Post, JsonBody.Write(writer => Write(writer, node)));

    protected internal override InnerAnswer[] ReadResponse(RavenResponse response) =>
    [
        .. response.ReadJson().GetProperty("Results").EnumerateArray().Select(result => new InnerAnswer(
            result.TryGetProperty("StatusCode", out JsonElement status) ? status.GetInt32() : 0,
            result.GetProperty("Result"))),
    ];

    private void Write(Utf8JsonWriter writer, ServerNode node)
    {
        string database = node.BaseUrl[node.Url.Length..];
        writer.WriteStartObject();
        writer.WriteStartArray("Requests"u8);
        foreach (InnerRequest request in requests)
        {
            writer.WriteStartObject();
            writer.WriteString("Url"u8, database + request.Path);
            writer.WriteString("Query"u8, request.Query);
            writer.WriteString("Method"u8, request.Content is null ? "GET"u8 : "POST"u8);
            if (request.KnownChangeVector != null)
            {
                writer.WriteStartObject("Headers"u8);
                writer.WriteString("If-None-Match"u8, $"\"{request.KnownChangeVector}\"");
                writer.WriteEndObject();
            }

            if (request.Content != null)
            {
                writer.WriteString("Content"u8, TextOf(request.Content));
            }

            writer.WriteEndObject();
        }

        writer.WriteEndArray();
        writer.WriteEndObject();
    }

    private static string TextOf(Action<Utf8JsonWriter> write)
    {
        using var stream = new MemoryStream();
        using (var writer = new Utf8JsonWriter(stream, JsonFormats.Writer))
        {
            write(writer);
        }

        return Encoding.UTF8.GetString(stream.GetBuffer(), 0, (int)stream.Length);
    }
}
