using System.Collections.Concurrent;
using System.Net;
using System.Text;

namespace FastTests.Server.Monitoring;

/// <summary>Stands in for a collector of OpenTelemetry: takes what is sent over HTTP, and reads its spans.</summary>
internal sealed class OtlpCollector : IDisposable
{
    private readonly HttpListener _listener;
    private readonly int _status;
    private readonly string? _location;
    private readonly Task _stalls;

    /// <param name="status">What it answers.</param>
    /// <param name="location">Where it says that the answer is.</param>
    /// <param name="stalls">Completes when it goes on to answer; at once if null.</param>
    internal OtlpCollector(int status = 200, string? location = null, Task? stalls = null)
    {
        _status = status;
        _location = location;
        _stalls = stalls ?? Task.CompletedTask;
        for (int attempt = 0; ; attempt++)
        {
            Url = $"http://127.0.0.1:{Random.Shared.Next(20000, 60000)}";
            _listener = new HttpListener();
            _listener.Prefixes.Add(Url + "/");
            try
            {
                _listener.Start();
                break;
            }
            catch (HttpListenerException) when (attempt < 20)
            {
                // The port is another's.
            }
        }

        _ = ServeAsync();
    }

    internal string Url { get; }

    /// <summary>The bodies by their paths.</summary>
    internal ConcurrentQueue<(string Path, byte[] Body, string? Secret)> Taken { get; } = new();

    /// <summary>The spans that have come.</summary>
    internal List<OtlpSpan> Spans() => [.. Taken.Where(one => one.Path == "/v1/traces")
        .SelectMany(one => Fields(one.Body))
        .Where(resource => resource.Number == 1).SelectMany(resource => Fields(resource.Bytes))
        .Where(scope => scope.Number == 2).SelectMany(scope => Fields(scope.Bytes))
        .Where(span => span.Number == 2).Select(span => OtlpSpan.Read(Fields(span.Bytes)))];

    /// <summary>Whether a text is anywhere in what has come.</summary>
    internal bool Has(string text) =>
        Taken.Any(one => one.Body.AsSpan().IndexOf(Encoding.UTF8.GetBytes(text)) >= 0);

    public void Dispose() => ((IDisposable)_listener).Dispose();

    /// <summary>The fields of a message of protobuf: numbers, and bytes for those with a length.</summary>
    internal static List<(int Number, byte[] Bytes, ulong Value)> Fields(byte[] message)
    {
        List<(int, byte[], ulong)> fields = [];
        int at = 0;
        while (at < message.Length)
        {
            ulong tag = Varint();
            switch (tag & 7)
            {
                case 0:
                    fields.Add(((int)(tag >> 3), [], Varint()));
                    break;
                case 1:
                    fields.Add(((int)(tag >> 3), message[at..(at + 8)], 0));
                    at += 8;
                    break;
                case 2:
                    int length = (int)Varint();
                    fields.Add(((int)(tag >> 3), message[at..(at + length)], 0));
                    at += length;
                    break;
                case 5:
                    fields.Add(((int)(tag >> 3), message[at..(at + 4)], 0));
                    at += 4;
                    break;
                default:
                    throw new InvalidDataException($"A field of the kind {tag & 7}.");
            }
        }

        return fields;

        ulong Varint()
        {
            ulong value = 0;
            for (int shift = 0; ; shift += 7)
            {
                byte next = message[at++];
                value |= (ulong)(next & 0x7F) << shift;
                if (next < 0x80)
                {
                    return value;
                }
            }
        }
    }

    private async Task ServeAsync()
    {
        try
        {
            while (true)
            {
                HttpListenerContext context = await _listener.GetContextAsync();
                using var body = new MemoryStream();
                await context.Request.InputStream.CopyToAsync(body);
                Taken.Enqueue((context.Request.Url!.AbsolutePath, body.ToArray(), context.Request.Headers["x-secret"]));
                await _stalls;
                context.Response.ContentType = "application/x-protobuf";
                context.Response.StatusCode = _status;
                if (_location != null)
                {
                    context.Response.AddHeader("Location", _location);
                }

                context.Response.Close();
            }
        }
        catch (Exception e) when (e is HttpListenerException or ObjectDisposedException or InvalidOperationException)
        {
            // The test is over.
        }
    }
}
