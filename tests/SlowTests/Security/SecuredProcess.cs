using System.Collections;
using System.Net;
using System.Net.Http.Json;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using FastTests.Security;
using Raven.Server;
using Raven.Server.Setup;
using SlowTests.Support;

namespace SlowTests.Security;

/// <summary>
/// The real server over https in a process of its own, with an audit log, made by <c>--setup dev-cert</c>. It may be
/// killed and started again on the same data.
/// </summary>
public sealed class SecuredProcess : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("raven-secured-").FullName;
    private readonly string[] _options;
    private readonly X509Certificate2 _own;
    private readonly List<X509Certificate2> _registered = [];

    public SecuredProcess()
        : this([])
    {
    }

    /// <summary>One with more options, as on a command line.</summary>
    internal SecuredProcess(params string[] options)
    {
        SetupCommand.Run(
            ["--setup", "dev-cert", $"--out={Files}", $"--DataDir={Data}", "--ServerUrl=https://127.0.0.1:0"],
            new Hashtable(), _root, TimeProvider.System);
        _own = X509CertificateLoader.LoadCertificateFromFile(PathOf(DevCertificate.ServerCrt));
        Admin = X509CertificateLoader.LoadPkcs12FromFile(PathOf(DevCertificate.AdminPfx), null);
        _options =
        [
            "--ServerUrl=https://127.0.0.1:0", $"--Security.Certificate.Path={PathOf(DevCertificate.ServerPfx)}",
            $"--Security.AuditLog.FolderPath={Audit}", $"--Security.KeysFolder={Keys}", .. options,
        ];
        Server = ServerProcess.Start(Data, _options);
    }

    /// <summary>The process.</summary>
    internal ServerProcess Server { get; private set; }

    internal string Url => Server.Url;

    internal int Port => new Uri(Url).Port;

    /// <summary>The administrator that the setup registered.</summary>
    internal X509Certificate2 Admin { get; }

    /// <summary>The folder of the certificates.</summary>
    internal string Files => Path.Combine(_root, "files");

    internal string Data => Path.Combine(_root, "data");

    /// <summary>The folder of the audit log.</summary>
    internal string Audit => Path.Combine(_root, "audit");

    /// <summary>The folder of the master key.</summary>
    internal string Keys => Path.Combine(_root, "keys");

    internal string PathOf(string name) => Path.Combine(Files, name);

    /// <summary>Ends the server at once, as a power cut would.</summary>
    internal void Kill() => Server.Kill();

    /// <summary>Starts it again.</summary>
    internal void Start()
    {
        Server.Dispose();
        Server = ServerProcess.Start(Data, _options);
    }

    /// <summary>A client that trusts this server, with a certificate or without one.</summary>
    internal HttpClient Client(X509Certificate2? own = null) => new(new SocketsHttpHandler
    {
        SslOptions = new SslClientAuthenticationOptions
        {
            // Offline: a client would fetch what its own certificate names, too.
            ClientCertificateContext =
                own == null ? null : SslStreamCertificateContext.Create(own, null, offline: true),
            RemoteCertificateValidationCallback = (_, theirs, _, _) =>
                theirs!.GetRawCertData().AsSpan().SequenceEqual(_own.RawDataMemory.Span),
        },
    })
    {
        BaseAddress = new Uri(Url),
    };

    /// <summary>A connection after the handshake, for what an HTTP client would never send.</summary>
    /// <exception cref="IOException">The server has refused the handshake.</exception>
    /// <exception cref="System.Security.Authentication.AuthenticationException">It has, too.</exception>
    internal async Task<SslStream> OpenAsync(SslStreamCertificateContext? own, SslApplicationProtocol protocol)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        SslStream? tls = null;
        try
        {
            await socket.ConnectAsync(IPAddress.Loopback, Port);
            tls = new SslStream(new NetworkStream(socket, ownsSocket: true));
            await tls.AuthenticateAsClientAsync(new SslClientAuthenticationOptions
            {
                TargetHost = "localhost",
                ClientCertificateContext = own,
                ApplicationProtocols = [protocol],
                RemoteCertificateValidationCallback = (_, _, _, _) => true,
            });
            return tls;
        }
        catch
        {
            tls?.Dispose();
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Has the administrator create a database.</summary>
    internal async Task CreateDatabaseAsync(string name)
    {
        using HttpClient admin = Client(Admin);
        using HttpResponseMessage answer = await admin.PutAsync(
            new Uri($"/admin/databases?name={name}", UriKind.Relative),
            JsonContent.Create(new { DatabaseName = name }));
        answer.EnsureSuccessStatusCode();
    }

    /// <summary>Has the administrator register a new certificate.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="clearance">Its clearance.</param>
    /// <param name="permissions">Its rights, a database each.</param>
    internal async Task<X509Certificate2> RegisterAsync(
        string name, string clearance, params (string Database, string Right)[] permissions)
    {
        X509Certificate2 certificate = NewCertificate(name);
        _registered.Add(certificate);
        await RegisterAsync(certificate, name, clearance, permissions);
        return certificate;
    }

    /// <summary>Has the administrator register a certificate that is there already.</summary>
    internal async Task RegisterAsync(
        X509Certificate2 certificate, string name, string clearance,
        params (string Database, string Right)[] permissions)
    {
        using HttpClient admin = Client(Admin);
        using HttpResponseMessage answer = await admin.PutAsync(
            new Uri("/admin/certificates", UriKind.Relative),
            JsonContent.Create(
                new
                {
                    Name = name,
                    Certificate = Convert.ToBase64String(certificate.RawData),
                    SecurityClearance = clearance,
                    Permissions = permissions.ToDictionary(each => each.Database, each => each.Right),
                },
                options: JsonSerializerOptions.Default));
        Assert.True(answer.IsSuccessStatusCode, await answer.Content.ReadAsStringAsync());
    }

    /// <summary>A certificate of a client that is not registered.</summary>
    internal static X509Certificate2 NewCertificate(string name) => TestCertificates.Make(
        name, from: DateTimeOffset.UtcNow.AddDays(-1), to: DateTimeOffset.UtcNow.AddDays(30));

    /// <summary>All that the audit log has.</summary>
    internal string ReadAudit()
    {
        var all = new System.Text.StringBuilder();
        foreach (string path in Directory.EnumerateFiles(Audit).Order(StringComparer.Ordinal))
        {
            using var file = new FileStream(
                path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            using var text = new StreamReader(file);
            all.Append(text.ReadToEnd());
        }

        return all.ToString();
    }

    /// <summary>Whether a new database can be written: what came before left the server well.</summary>
    internal async Task AssertServesAsync()
    {
        string name = $"after{Guid.NewGuid():N}";
        await CreateDatabaseAsync(name);
        using HttpClient admin = Client(Admin);
        using HttpResponseMessage put = await admin.PutAsync(
            new Uri($"/databases/{name}/docs?id=a", UriKind.Relative), new StringContent("{}"));
        put.EnsureSuccessStatusCode();
    }

    public void Dispose()
    {
        Server.Dispose();
        _own.Dispose();
        Admin.Dispose();
        _registered.ForEach(certificate => certificate.Dispose());
        Directory.Delete(_root, recursive: true);
    }
}
