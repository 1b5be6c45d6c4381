using System.Net;
using System.Text.Json;

namespace Raven.Tools.Bench.Suites.Client;

/// <summary>Answers loads and queries of <see cref="ClientItem"/> with the bytes that our server sends, without a
/// network: what is left is the work of the client.</summary>
internal sealed class MemoryHandler : HttpMessageHandler
{
    internal static readonly Uri Url = new("http://127.0.0.1:1/");
    private readonly byte[] _document = AnswerOf(1);
    private readonly byte[] _page = AnswerOf(25);

    /// <summary>A document as the server sends it: properties in the order of their names, the metadata last.</summary>
    internal static string DocumentOf(int number)
    {
        using JsonDocument item = JsonDocument.Parse(JsonSerializer.Serialize(ClientItem.Of(number)));
        IEnumerable<string> properties = item.RootElement.EnumerateObject().Where(property => property.Name != "Id")
            .OrderBy(property => property.Name, StringComparer.Ordinal)
            .Select(property => $"\"{property.Name}\":{property.Value.GetRawText()}");
        return "{" + string.Join(',', properties)
            + ",\"@metadata\":{\"@collection\":\"ClientItems\",\"Raven-Clr-Type\":\"Raven.Tools.Bench.Suites.Client."
            + $"ClientItem, Bench\",\"@id\":\"clientitems/{number}\",\"@change-vector\":\"A:{number + 1000}-"
            + "dGVzdGRhdGFiYXNlaWRhYg\",\"@last-modified\":\"2026-11-21T23:00:00.0000000Z\"}}";
    }

    protected override Task<HttpResponseMessage> SendAsync(
        HttpRequestMessage request, CancellationToken cancellationToken)
    {
        var answer = new HttpResponseMessage(HttpStatusCode.OK)
        {
            Content = new ByteArrayContent(request.Method == HttpMethod.Get ? _document : _page),
        };
        answer.Headers.TryAddWithoutValidation("ETag", "\"A:1000-dGVzdGRhdGFiYXNlaWRhYg\"");
        return Task.FromResult(answer);
    }

    private static byte[] AnswerOf(int count) => System.Text.Encoding.UTF8.GetBytes(
        "{\"Results\":[" + string.Join(',', Enumerable.Range(0, count).Select(DocumentOf)) + "],\"Includes\":{},"
        + "\"TotalResults\":25,\"LongTotalResults\":25,\"SkippedResults\":0,\"IndexName\":\"Auto/ClientItems/ByAge\","
        + "\"IsStale\":false,\"DurationInMs\":0,\"ResultEtag\":123456789}");
}
