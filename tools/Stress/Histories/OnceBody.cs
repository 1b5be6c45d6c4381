using System.Net;
using System.Text;
using System.Text.Json.Nodes;

namespace Raven.Tools.Stress.Histories;

/// <summary>
/// A body that is sent once: where <see cref="HttpClient"/> would send a request again by itself, as its connection was
/// cut, it fails, and so is perhaps done.
/// </summary>
internal sealed class OnceBody : HttpContent
{
    private readonly byte[] _bytes;
    private int _sent;

    internal OnceBody(JsonNode body)
    {
        _bytes = Encoding.UTF8.GetBytes(body.ToJsonString());
        Headers.ContentType = new("application/json");
    }

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) =>
        Interlocked.Increment(ref _sent) == 1
            ? stream.WriteAsync(_bytes).AsTask()
            : throw new IOException("It was sent before.");

    protected override bool TryComputeLength(out long length)
    {
        length = _bytes.Length;
        return true;
    }
}
