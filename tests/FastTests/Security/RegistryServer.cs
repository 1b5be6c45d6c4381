using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json.Nodes;
using FastTests.Documents;
using FastTests.Server;
using Microsoft.AspNetCore.Http;
using Raven.Security.Certificates;
using Raven.Security.Registry;
using Raven.Security.Rights;
using Raven.Server.Options;

namespace FastTests.Security;

/// <summary>A server in memory that has a certificate, with registered callers, and without TLS around it.</summary>
public sealed class RegistryServer : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("secured").FullName;
    private readonly List<X509Certificate2> _certificates = [];

    /// <summary>One with the options of a test's own.</summary>
    internal RegistryServer(
        Func<SecurityOptions, SecurityOptions> configure, params IReadOnlyList<string> trustedOrigins)
    {
        using X509Certificate2 own = MakeServer();
        File.WriteAllBytes(Pfx, own.Export(X509ContentType.Pkcs12));
        Server = new InMemoryServer(Clock, configure: options => options with
        {
            Security = configure(new SecurityOptions { CertificatePath = Pfx }),
            TrustedOrigins = trustedOrigins,
        });
        Admin = Register("admin", Clearance.ClusterAdmin);
        Operator = Register("operator", Clearance.Operator);
        Writer = Register(
            "writer", Clearance.ValidUser, Permissions.Of([KeyValuePair.Create("db", DatabaseRight.ReadWrite)]));
    }

    /// <summary>One for all tests of a class.</summary>
    public RegistryServer()
        : this(options => options)
    {
    }

    internal TestClock Clock { get; } = new() { Now = TestCertificates.Now };

    internal InMemoryServer Server { get; }

    internal TrustRegistry Trust => Server.State.Security.Trust;

    /// <summary>The file of the server's certificate.</summary>
    internal string Pfx => Path.Combine(_folder, "server.pfx");

    internal X509Certificate2 Admin { get; }

    internal X509Certificate2 Operator { get; }

    /// <summary>May read and write the database <c>db</c>.</summary>
    internal X509Certificate2 Writer { get; }

    /// <summary>What is stored of who is trusted, to see that nothing has changed.</summary>
    internal string Stored => string.Join(
        '\n',
        Server.State.Databases.Records.Read("trust/").Select(r => $"{r.Key} {Encoding.UTF8.GetString(r.Value)}"));

    internal static X509Certificate2 MakeServer() =>
        TestCertificates.Make("localhost", purpose: CertificateUse.ServerAuthentication);

    /// <summary>Registers a new certificate.</summary>
    internal X509Certificate2 Register(
        string name, Clearance clearance, Permissions? permissions = null, ECDsa? key = null)
    {
        X509Certificate2 certificate = TestCertificates.Make(name, key);
        _certificates.Add(certificate);
        Trust.Certificates.Put(
            TrustFixture.Local, name, [ClientCertificate.Of(certificate)], clearance, permissions ?? Permissions.None);
        return certificate;
    }

    /// <summary>Sends a request on a connection of its own.</summary>
    /// <param name="by">The certificate of the connection; null for none.</param>
    /// <param name="method">The method.</param>
    /// <param name="target">The path and the query.</param>
    /// <param name="body">The body.</param>
    /// <param name="headers">Headers as <c>Name: value</c>.</param>
    internal InMemoryRequest Send(
        X509Certificate2? by, string method, string target, string body = "", params string[] headers)
    {
        string[] parts = target.Split('?', 2);
        var request = new InMemoryRequest(method, parts[0], parts.Length == 2 ? "?" + parts[1] : "", body)
        {
            ClientCertificate = by,
        };
        foreach (string header in headers)
        {
            string[] pair = header.Split(": ", 2);
            request.Request[pair[0]] = pair[1];
        }

        Server.Send(request);
        return request;
    }

    /// <summary>Sends a request whose answer must have a status.</summary>
    internal InMemoryRequest Expect(
        int status, X509Certificate2? by, string method, string target, string body = "", params string[] headers)
    {
        InMemoryRequest answer = Send(by, method, target, body, headers);
        Assert.True(answer.StatusCode == status, $"{answer.StatusCode} instead of {status}: {answer.Answer}");
        return answer;
    }

    /// <summary>The results of a list.</summary>
    internal JsonArray Results(X509Certificate2 by, string target) =>
        JsonNode.Parse(Expect(200, by, "GET", target).Answer)!["Results"]!.AsArray();

    /// <summary>A header of an answer, empty if it has none.</summary>
    internal static string Header(InMemoryRequest answer, string name) =>
        ((IHeaderDictionary)answer.Response)[name].ToString();

    public void Dispose()
    {
        Server.Dispose();
        _certificates.ForEach(certificate => certificate.Dispose());
        Directory.Delete(_folder, recursive: true);
    }
}
