using System.Collections.Concurrent;
using System.Net;
using System.Net.WebSockets;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Https;
using Microsoft.Extensions.Logging;
using Raven.Client.Documents;

namespace FastTests.Client;

/// <summary>
/// A web server of the tests' own that speaks https, writes down who sends what, and answers as it is told to. One for
/// the tests of a class.
/// </summary>
public sealed class SecuredWebServer : IAsyncLifetime
{
    internal const string Key = "rvk_aaaabbbbcccc_secretsecretsecret_012345";

    private readonly ConcurrentDictionary<string, (int Status, string Body)> _answers = new();
    private readonly ConcurrentQueue<Seen> _seen = new();
    private readonly X509Certificate2 _authority = TlsCertificates.Authority("test authority");
    private readonly WebApplication _application;
    private string[] _urls = [];

    public SecuredWebServer()
    {
        X509Certificate2 good = TlsCertificates.Server(_authority, IPAddress.Loopback);
        X509Certificate2 ended = TlsCertificates.Server(_authority, IPAddress.Loopback, hasEnded: true);
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseKestrelHttpsConfiguration();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            Listen(kestrel, good, ClientCertificateMode.AllowCertificate);
            Listen(kestrel, good, ClientCertificateMode.RequireCertificate);
            Listen(kestrel, ended, ClientCertificateMode.NoCertificate);
            kestrel.Listen(IPAddress.Loopback, 0);
        });
        _application = builder.Build();
        _application.UseWebSockets();
        _application.Run(AnswerAsync);
    }

    /// <summary>The url over which a certificate of the client is asked for.</summary>
    internal string Url => _urls[0];

    /// <summary>The url over which none is answered without a certificate.</summary>
    internal string StrictUrl => _urls[1];

    /// <summary>The url whose certificate has ended.</summary>
    internal string EndedUrl => _urls[2];

    /// <summary>The url without encryption.</summary>
    internal string PlainUrl => _urls[3];

    internal X509Certificate2 Certificate { get; } = TlsCertificates.Client("client");

    internal X509Certificate2Collection Authorities => [_authority];

    /// <summary>What came for a path, in order.</summary>
    internal Seen[] SeenOf(string path) => [.. _seen.Where(seen => seen.Path == path)];

    /// <summary>Sets the answer to a method and a path, such as <c>GET /build/version</c>.</summary>
    internal void Answer(string request, string body, int status = 200) => _answers[request] = (status, body);

    /// <summary>Forgets an answer that was set.</summary>
    internal void Serve(string request) => _answers.TryRemove(request, out _);

    /// <summary>A store that trusts this server, and shows the API key.</summary>
    internal DocumentStore StoreWithKey(string? url = null, string database = "db")
    {
        var store = new DocumentStore
        {
            Urls = [url ?? Url], Database = database, ApiKey = Key, CertificateAuthorities = Authorities,
        };
        store.Initialize();
        return store;
    }

    /// <summary>A store that trusts this server, and shows the certificate.</summary>
    internal DocumentStore StoreWithCertificate(string? url = null)
    {
        var store = new DocumentStore
        {
            Urls = [url ?? Url], Database = "db", Certificate = Certificate, CertificateAuthorities = Authorities,
        };
        store.Initialize();
        return store;
    }

    public async ValueTask InitializeAsync()
    {
        await _application.StartAsync();
        _urls = [.. _application.Urls];
        Answer("GET /build/version", """{"ProductVersion":"7.2","BuildVersion":72000,"FullVersion":"7.2"}""");
    }

    public async ValueTask DisposeAsync()
    {
        await _application.DisposeAsync();
        _authority.Dispose();
        Certificate.Dispose();
    }

    private static void Listen(
        KestrelServerOptions kestrel, X509Certificate2 certificate, ClientCertificateMode mode) =>
        kestrel.Listen(IPAddress.Loopback, 0, listen =>
        {
            listen.Protocols = HttpProtocols.Http1AndHttp2;
            listen.UseHttps(new HttpsConnectionAdapterOptions
            {
                ServerCertificate = certificate,
                ClientCertificateMode = mode,
                ClientCertificateValidation = (_, _, _) => true,
            });
        });

    private async Task AnswerAsync(HttpContext context)
    {
        HttpRequest request = context.Request;
        string body = await new StreamReader(request.Body).ReadToEndAsync();
        string path = request.Path.Value!;
        _seen.Enqueue(new Seen(
            request.Method, path, request.QueryString.Value!, request.Headers.Authorization.ToString(),
            context.Connection.ClientCertificate?.Thumbprint, body));
        if (_answers.TryGetValue($"{request.Method} {path}", out (int Status, string Body) answer))
        {
            context.Response.StatusCode = answer.Status;
            if (answer.Body.Length > 0)
            {
                await context.Response.WriteAsync(answer.Body);
            }
        }
        else if (context.WebSockets.IsWebSocketRequest)
        {
            using WebSocket socket = await context.WebSockets.AcceptWebSocketAsync();
            await WaitForEndAsync(socket, context.RequestAborted);
        }
        else if (path == "/topology")
        {
            string url = request.Query["name"] == "downgraded" ? PlainUrl : $"{request.Scheme}://{request.Host}";
            await context.Response.WriteAsync($$"""{"Etag":1,"Nodes":[{"Url":"{{url}}","ClusterTag":"A"}]}""");
        }
        else
        {
            context.Response.StatusCode = 404;
        }
    }

    private static async Task WaitForEndAsync(WebSocket socket, CancellationToken cancellationToken)
    {
        try
        {
            byte[] buffer = new byte[1024];
            while ((await socket.ReceiveAsync(buffer, cancellationToken)).MessageType != WebSocketMessageType.Close)
            {
                // What is watched does not matter here.
            }
        }
        catch (Exception e) when (e is WebSocketException or OperationCanceledException)
        {
            // The store was disposed.
        }
    }

    /// <summary>A request, and who sent it.</summary>
    internal sealed record Seen(
        string Method, string Path, string Query, string Authorization, string? Thumbprint, string Body);
}
