using System.Net;
using System.Security.Cryptography.X509Certificates;
using FastTests.Documents;
using FastTests.Server;
using Microsoft.AspNetCore.Http;
using Raven.Documents.Catalog;
using Raven.Security.Certificates;
using Raven.Security.Registry;
using Raven.Security.Rights;
using Raven.Server.Http.Routing;
using Raven.Server.Options;

namespace FastTests.Security;

/// <summary>
/// A secured server in memory with the databases red and blue, and one caller of each kind: R, W and A have rights to
/// red only (Read, ReadWrite, Admin), K is an API key with the rights of W, M one for metrics, O an operator, C an
/// administrator of the cluster; N has no certificate, U one that is not registered, E one that has expired.
/// </summary>
public sealed class SecuredServer : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("secured").FullName;
    private readonly Dictionary<string, TestCaller> _callers = [];
    private int _addresses;

    public SecuredServer()
        : this(null)
    {
    }

    /// <summary>The same with other routes or options.</summary>
    internal SecuredServer(
        RouteTable? routes, Func<SecurityOptions, SecurityOptions>? configure = null,
        Func<ServerOptions, ServerOptions>? configureServer = null)
    {
        string path = Path.Combine(_folder, "server.pfx");
        using (X509Certificate2 own = TestCertificates.Make("localhost", purpose: CertificateUse.ServerAuthentication))
        {
            File.WriteAllBytes(path, own.Export(X509ContentType.Pkcs12));
        }

        Server = new InMemoryServer(
            Clock,
            configure: options => (configureServer ?? (server => server))(options with
            {
                ServerUrl = new Uri("https://127.0.0.1:443"),
                Security = (configure ?? (security => security))(new SecurityOptions { CertificatePath = path }),
            }),
            routes: routes);
        foreach (string name in new[] { "red", "blue" })
        {
            Assert.Equal(CreateDatabaseStatus.Created, Server.State.Databases.TryCreate(name, "{}"u8, out _));
        }

        _callers["N"] = new TestCaller();
        _callers["U"] = new TestCaller(TestCertificates.Make("U"));
        Register("E", Clearance.ClusterAdmin, DatabaseRight.None, to: Clock.Now.AddHours(-1));
        Register("R", Clearance.ValidUser, DatabaseRight.Read);
        Register("W", Clearance.ValidUser, DatabaseRight.ReadWrite);
        Register("A", Clearance.ValidUser, DatabaseRight.Admin);
        Register("O", Clearance.Operator, DatabaseRight.None);
        Register("C", Clearance.ClusterAdmin, DatabaseRight.None);
        RegisterKey("K", DatabaseRight.ReadWrite, mayMonitor: false);
        RegisterKey("M", DatabaseRight.None, mayMonitor: true);
    }

    internal TestClock Clock { get; } = new() { Now = TestCertificates.Now };

    internal InMemoryServer Server { get; }

    internal TrustRegistry Trust => Server.State.Security.Trust;

    internal static Permissions OnRed(DatabaseRight right) => right == DatabaseRight.None
        ? Permissions.None
        : Permissions.Of([new KeyValuePair<string, DatabaseRight>("red", right)]);

    internal TestCaller Caller(string name) => _callers[name];

    /// <summary>Registers a new certificate and gives it.</summary>
    internal X509Certificate2 Register(
        string name, Clearance clearance, DatabaseRight right, DateTimeOffset? to = null)
    {
        X509Certificate2 certificate = TestCertificates.Make(name, to: to);
        Trust.Certificates.Put(
            TrustFixture.Local, name, [ClientCertificate.Of(certificate)], clearance, OnRed(right));
        _callers[name] = new TestCaller(certificate);
        return certificate;
    }

    /// <summary>Gives a registered certificate another right to red.</summary>
    internal void Narrow(X509Certificate2 certificate, DatabaseRight right) => Trust.Certificates.Edit(
        TrustFixture.Local, certificate.Thumbprint, "narrowed", Clearance.ValidUser, OnRed(right));

    /// <summary>A request on a connection of its own, from an address of its own.</summary>
    internal InMemoryRequest Request(TestCaller caller, string method, string target, string body = "")
    {
        string[] parts = target.Split('?', 2);
        var request = new InMemoryRequest(method, parts[0], parts.Length == 2 ? "?" + parts[1] : "", body)
        {
            ClientCertificate = caller.Certificate,
            RemoteIpAddress = NextAddress(),
            MayBeAborted = true,
        };
        if (caller.Header != null)
        {
            ((IHeaderDictionary)request.Request).Authorization = caller.Header;
        }

        return request;
    }

    /// <summary>Sends a request on a connection of its own.</summary>
    internal InMemoryRequest Send(string caller, string method, string target, string body = "") =>
        Send(_callers[caller], method, target, body);

    internal InMemoryRequest Send(TestCaller caller, string method, string target, string body = "")
    {
        InMemoryRequest request = Request(caller, method, target, body);
        Server.Send(request);
        return request;
    }

    /// <summary>Of this machine, and another each time: failed logins are counted by address.</summary>
    internal IPAddress NextAddress()
    {
        int number = ++_addresses;
        return new IPAddress([127, (byte)(number >> 16), (byte)(number >> 8), (byte)number]);
    }

    public void Dispose()
    {
        Server.Dispose();
        Directory.Delete(_folder, recursive: true);
        foreach (TestCaller caller in _callers.Values)
        {
            caller.Certificate?.Dispose();
        }
    }

    private void RegisterKey(string name, DatabaseRight right, bool mayMonitor)
    {
        string key = Trust.Keys.Create(
            TrustFixture.Local,
            new RegisteredKey
            {
                Id = "",
                Hash = [],
                Name = name,
                Clearance = Clearance.ValidUser,
                Permissions = OnRed(right),
                MayMonitor = mayMonitor,
                ExpiresAt = null,
                CreatedAt = default,
                CreatedBy = "",
            },
            out _);
        _callers[name] = new TestCaller(Header: "Bearer " + key);
    }
}
