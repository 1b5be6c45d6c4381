using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using FastTests.Documents;
using FastTests.Support;
using Raven.Documents.Catalog;
using Raven.Security.Certificates;
using Raven.Security.Registry;
using Raven.Security.Rights;
using Raven.Server;
using Raven.Server.Options;

namespace FastTests.Security;

/// <summary>A real server with a certificate, the database red, and a clock that a test moves.</summary>
internal sealed class TlsServer : IDisposable
{
    private const int ReceiveBufferBytes = 64 * 1024;

    private readonly string _folder = Directory.CreateTempSubdirectory("tls").FullName;
    private readonly ServerHost _host;

    internal TlsServer(int handshakesMax = 512)
    {
        string path = Path.Combine(_folder, "server.pfx");
        using (X509Certificate2 own = TestCertificates.Make("localhost", purpose: CertificateUse.ServerAuthentication))
        {
            File.WriteAllBytes(path, own.Export(X509ContentType.Pkcs12));
        }

        _host = ServerHost.Start(
            new ServerOptions
            {
                ServerUrl = new Uri("https://127.0.0.1:0"),
                RunInMemory = true,
                DrainMax = TimeSpan.FromSeconds(2),
                Security = new SecurityOptions { CertificatePath = path, HandshakesMax = handshakesMax },
            },
            time: Clock);
        Assert.Equal(CreateDatabaseStatus.Created, _host.State.Databases.TryCreate("red", "{}"u8, out _));
    }

    internal TestClock Clock { get; } = new() { Now = TestCertificates.Now };

    internal ServerHost Host => _host;

    internal TrustRegistry Trust => _host.State.Security.Trust;

    /// <summary>Registers a new certificate with a right to red.</summary>
    internal X509Certificate2 Register(DatabaseRight right)
    {
        X509Certificate2 certificate = TestCertificates.Make("client");
        Trust.Certificates.Put(
            TrustFixture.Local, "client", [ClientCertificate.Of(certificate)], Clearance.ValidUser,
            SecuredServer.OnRed(right));
        return certificate;
    }

    /// <summary>A client with a certificate, from an address of this machine.</summary>
    internal HttpClient Client(X509Certificate2 certificate, string from = "127.0.0.1") => new(new SocketsHttpHandler
    {
        ConnectCallback = async (context, cancel) =>
            new NetworkStream(await ConnectAsync(from, cancel), ownsSocket: true),
        SslOptions = new SslClientAuthenticationOptions
        {
            ClientCertificates = [certificate],
            RemoteCertificateValidationCallback = (_, _, _, _) => true,
        },
    })
    {
        BaseAddress = new Uri(_host.Url),
        Timeout = Deadline.Hang,
    };

    /// <summary>A connection from an address of this machine on which nothing was sent yet.</summary>
    internal async Task<Socket> ConnectAsync(string from, CancellationToken cancel = default)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
        {
            NoDelay = true,

            // So that a reader that stops is soon noticed.
            ReceiveBufferSize = ReceiveBufferBytes,
        };
        try
        {
            socket.Bind(new IPEndPoint(IPAddress.Parse(from), 0));
            await socket.ConnectAsync(IPAddress.Loopback, new Uri(_host.Url).Port, cancel);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Lets the watch of rights look several times.</summary>
    internal void Look(int times)
    {
        for (int i = 0; i < times; i++)
        {
            Clock.Ring(TimeSpan.FromMilliseconds(500));
        }
    }

    public void Dispose()
    {
        _host.Dispose();
        Directory.Delete(_folder, recursive: true);
    }
}
