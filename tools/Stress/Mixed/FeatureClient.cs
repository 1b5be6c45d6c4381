using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;

namespace Raven.Tools.Stress.Mixed;

/// <summary>The HTTP of what is not a document: patches, attachments, counters and compare-exchange values.</summary>
internal sealed class FeatureClient(DatabaseClient client)
{
    private const string Script = "this.Key = args.Key; this.Version = args.Version; this.Payload = args.Payload;"
        + "this['@metadata'] = { '@collection': 'Stress' };";

    /// <summary>Makes a document what it is in a version, by a script, whether or not there is one.</summary>
    internal async Task<HttpStatusCode> PatchAsync(string id, long version)
    {
        string patch = $"{{\"Script\":{JsonSerializer.Serialize(Script)},"
            + $"\"Values\":{DocumentContent.Create(id, version)}}}";
        (HttpStatusCode status, _) = await client.SendAsync(
            HttpMethod.Patch, $"docs?id={id}", Json($"{{\"Patch\":{patch},\"PatchIfMissing\":{patch}}}"));
        return status;
    }

    internal async Task<HttpStatusCode> PutAttachmentAsync(string id, string name, long version)
    {
        using ByteArrayContent bytes = Bytes(AttachmentBytes.Create(id, name, version));
        (HttpStatusCode status, _) = await client.SendAsync(HttpMethod.Put, PathOf(id, name), bytes);
        return status;
    }

    internal async Task<HttpStatusCode> DeleteAttachmentAsync(string id, string name)
    {
        (HttpStatusCode status, _) = await client.SendAsync(HttpMethod.Delete, PathOf(id, name), null);
        return status;
    }

    /// <summary>A document and one of its attachments in one batch.</summary>
    internal async Task<HttpStatusCode> SendWithAttachmentAsync(
        string id, long documentVersion, string name, long attachmentVersion)
    {
        using var body = new MultipartFormDataContent();
        body.Add(
            Json($"{{\"Commands\":[{Put(id, documentVersion)},"
                + $"{{\"Id\":\"{id}\",\"Type\":\"AttachmentPUT\",\"Name\":\"{name}\",\"ContentType\":\"\"}}]}}"),
            "main");
        body.Add(Bytes(AttachmentBytes.Create(id, name, attachmentVersion)), "attachment_0", "blob");
        (HttpStatusCode status, _) = await client.SendAsync(HttpMethod.Post, "bulk_docs", body);
        return status;
    }

    /// <summary>A document and an increment of one of its counters in one batch.</summary>
    internal async Task<HttpStatusCode> SendWithIncrementAsync(string id, long version, string counter, long delta)
    {
        (HttpStatusCode status, _) = await client.SendAsync(HttpMethod.Post, "bulk_docs", Json(
            $"{{\"Commands\":[{Put(id, version)},"
            + $"{{\"Id\":\"{id}\",\"Type\":\"Counters\",\"Counters\":{Increment(id, counter, delta)}}}]}}"));
        return status;
    }

    internal async Task<HttpStatusCode> IncrementAsync(string id, string counter, long delta)
    {
        (HttpStatusCode status, _) = await client.SendAsync(
            HttpMethod.Post, "counters", Json($"{{\"Documents\":[{Increment(id, counter, delta)}]}}"));
        return status;
    }

    /// <summary>
    /// Sets a value, or removes it if <paramref name="number"/> is null, provided that its index is the expected one.
    /// </summary>
    internal async Task<(HttpStatusCode Status, bool IsDone)> ExchangeAsync(string key, long index, long? number)
    {
        (HttpStatusCode status, byte[] answer) = await client.SendAsync(
            number is null ? HttpMethod.Delete : HttpMethod.Put, $"cmpxchg?key={key}&index={index}",
            number is null ? null : Json($"{{\"Object\":{number}}}"));
        if (status != HttpStatusCode.OK)
        {
            return (status, false);
        }

        using JsonDocument result = JsonDocument.Parse(answer);
        return (status, result.RootElement.GetProperty("Successful").GetBoolean());
    }

    /// <summary>A value and its index; 0 and 0 if there is none.</summary>
    internal async Task<(long Number, long Index)> GetValueAsync(string key)
    {
        (HttpStatusCode status, byte[] answer) = await client.SendAsync(HttpMethod.Get, $"cmpxchg?key={key}", null);
        if (status == HttpStatusCode.NotFound)
        {
            return (0, 0);
        }

        using JsonDocument result = Parse(status, answer);
        JsonElement values = result.RootElement.GetProperty("Results");
        return (values[0].GetProperty("Value").GetProperty("Object").GetInt64(),
            values[0].GetProperty("Index").GetInt64());
    }

    /// <summary>The version of an attachment, <see cref="Ledger.Absent"/> or <see cref="Ledger.Broken"/>.</summary>
    internal async Task<long> GetAttachmentAsync(string id, string name)
    {
        (HttpStatusCode status, byte[] bytes) = await client.SendAsync(HttpMethod.Get, PathOf(id, name), null);
        return status == HttpStatusCode.NotFound ? Ledger.Absent
            : status == HttpStatusCode.OK ? AttachmentBytes.VersionOf(id, name, bytes)
            : Ledger.Broken;
    }

    /// <summary>All counters of a document.</summary>
    internal async Task<Dictionary<string, long>> GetCountersAsync(string id)
    {
        (HttpStatusCode status, byte[] answer) = await client.SendAsync(HttpMethod.Get, $"counters?docId={id}", null);
        using JsonDocument result = Parse(status, answer);
        return result.RootElement.GetProperty("Counters").EnumerateArray().ToDictionary(
            each => each.GetProperty("CounterName").GetString()!, each => each.GetProperty("TotalValue").GetInt64());
    }

    /// <summary>How many attachments the database says that it has.</summary>
    internal async Task<long> CountAttachmentsAsync()
    {
        (HttpStatusCode status, byte[] answer) = await client.SendAsync(HttpMethod.Get, "stats", null);
        using JsonDocument stats = Parse(status, answer);
        return stats.RootElement.GetProperty("CountOfAttachments").GetInt64();
    }

    private static JsonDocument Parse(HttpStatusCode status, byte[] answer) => status == HttpStatusCode.OK
        ? JsonDocument.Parse(answer)
        : throw new HttpRequestException(
            $"status {(int)status}: {Encoding.UTF8.GetString(answer)}", inner: null, status);

    private static string Put(string id, long version) => $"{{\"Id\":\"{id}\",\"Type\":\"PUT\",\"ChangeVector\":null,"
        + $"\"Document\":{DocumentContent.Create(id, version)}}}";

    private static string Increment(string id, string counter, long delta) =>
        $"{{\"DocumentId\":\"{id}\",\"Operations\":"
        + $"[{{\"Type\":\"Increment\",\"CounterName\":\"{counter}\",\"Delta\":{delta}}}]}}";

    private static string PathOf(string id, string name) => $"attachments?id={id}&name={name}";

    private static StringContent Json(string text) => new(text, Encoding.UTF8, "application/json");

    private static ByteArrayContent Bytes(byte[] bytes)
    {
        var content = new ByteArrayContent(bytes);
        content.Headers.ContentType = new MediaTypeHeaderValue("application/octet-stream");
        return content;
    }
}
