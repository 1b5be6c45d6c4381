using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using FastTests.Support;

namespace FastTests.Security;

/// <summary>A worker of a subscription over TLS, that sends and reads bytes itself.</summary>
internal sealed class TlsWorker : IAsyncDisposable
{
    /// <summary>The header of a worker of the database red.</summary>
    internal const string Header =
        "{\"DatabaseName\":\"red\",\"Operation\":\"Subscription\",\"OperationVersion\":53000}";

    private readonly SslStream _stream;
    private readonly byte[] _one = new byte[1];

    private TlsWorker(SslStream stream) => _stream = stream;

    /// <summary>The certificate of the server, as it was presented.</summary>
    internal byte[] ServerCertificate => _stream.RemoteCertificate!.GetRawCertData();

    /// <summary>A connection on which nothing was sent yet.</summary>
    internal static async Task<TlsWorker> ConnectAsync(TlsServer server, X509Certificate2? certificate)
    {
        Socket socket = await server.ConnectAsync("127.0.0.1");
        var stream = new SslStream(new NetworkStream(socket, ownsSocket: true));
        await stream.AuthenticateAsClientAsync(new SslClientAuthenticationOptions
        {
            TargetHost = "localhost",
            ClientCertificates = certificate is null ? null : [certificate],
            RemoteCertificateValidationCallback = (_, _, _, _) => true,
        }).WaitAsync(Deadline.Hang);
        return new TlsWorker(stream);
    }

    /// <summary>One that was let in, or waits to be.</summary>
    internal static async Task<TlsWorker> OpenAsync(
        TlsServer server, X509Certificate2 certificate, string name, string options = "")
    {
        TlsWorker worker = await ConnectAsync(server, certificate);
        await worker.SendAsync($"{Header}{{\"SubscriptionName\":\"{name}\"{options}}}");
        Assert.Equal("Ok", (string?)(await worker.ReadAsync())["Status"]);
        return worker;
    }

    internal async Task SendAsync(string text) => await _stream.WriteAsync(Encoding.UTF8.GetBytes(text));

    /// <summary>Reads one message, byte by byte, so that the next one stays.</summary>
    internal async Task<JsonNode> ReadAsync()
    {
        List<byte> bytes = [];
        while (true)
        {
            int next = await ReadByteAsync();
            Assert.True(next >= 0, $"The connection has ended behind '{Encoding.UTF8.GetString([.. bytes])}'.");
            if (bytes.Count > 0 || next == '{')
            {
                bytes.Add((byte)next);
            }

            if (next == '}' && IsWhole([.. bytes]))
            {
                return JsonNode.Parse(bytes.ToArray())!;
            }
        }
    }

    /// <summary>The next byte; -1 at the end.</summary>
    internal async Task<int> ReadByteAsync() =>
        await _stream.ReadAsync(_one).AsTask().WaitAsync(Deadline.Hang) == 0 ? -1 : _one[0];

    public ValueTask DisposeAsync() => _stream.DisposeAsync();

    private static bool IsWhole(byte[] bytes)
    {
        var reader = new Utf8JsonReader(bytes, isFinalBlock: false, default);
        return reader.Read() && reader.TrySkip();
    }
}
