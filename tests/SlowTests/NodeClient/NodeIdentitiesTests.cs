using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using SlowTests.Security;
using SlowTests.Support;

namespace SlowTests.NodeClient;

/// <summary>
/// The official Node client with the certificate of each kind of identity, as the server made them for it: what it may
/// do, and the error that it sees for the rest.
/// </summary>
[Trait(Category.Shard, "node-tls")]
public sealed class NodeIdentitiesTests : IDisposable
{
    private const string Refused = "AuthorizationException";

    private static readonly TimeSpan RunLimit = TimeSpan.FromMinutes(4);

    /// <summary>In the order of the program.</summary>
    private static readonly string[] Operations =
    [
        "read", "write", "bulk-insert", "change", "index", "read-other", "create-database", "delete-database",
        "list-certificates", "create-user", "create-admin",
    ];

    /// <summary>What each may do; the database red is the one of the rights.</summary>
    private static readonly (string Identity, string[] Allowed)[] Rights =
    [
        ("C", Operations),
        ("EC", []),
        ("R", ["read", "change"]),
        ("W", ["read", "change", "write", "bulk-insert"]),
        ("A", ["read", "change", "write", "bulk-insert", "index"]),
        ("O", [.. Operations.Except(["create-admin"])]),
    ];

    private readonly string _folder = Directory.CreateTempSubdirectory("node-identities-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait("Security", "50")]
    public async Task The_Node_client_may_do_what_its_identity_may()
    {
        using var server = new SecuredProcess();
        string elliptic = await RegisterEllipticAsync(server);
        List<string> lines = [];
        (int code, string errors) = NodeProgram.Run(
            NodeClientFixture.Folder, ["identities.mjs", server.Url, server.Files, elliptic], RunLimit, lines.Add);
        Assert.True(code == 0, errors);
        Assert.Equal([.. Rights.SelectMany(Expected), .. ExpectedAtTheEnd], lines);
    }

    private static string[] ExpectedAtTheEnd =>
    [
        "W write-by-pfx ok", $"W write-narrowed {Refused}", "W read-narrowed ok", $"W read-deleted {Refused}",
    ];

    private static IEnumerable<string> Expected((string Identity, string[] Allowed) row) =>
        Operations.Take(row.Identity == "EC" ? 1 : Operations.Length).Select(operation =>
            $"{row.Identity} {operation} {(row.Allowed.Contains(operation) ? "ok" : NameOfRefusal(operation))}");

    /// <summary>A bulk insert that ends early is an error of its own for the client.</summary>
    private static string NameOfRefusal(string operation) =>
        operation == "bulk-insert" ? "BulkInsertAbortedException" : Refused;

    /// <summary>A certificate with an elliptic key. The client takes RSA keys out of a PEM and no others: it shows no
    /// certificate then.</summary>
    private async Task<string> RegisterEllipticAsync(SecuredProcess server)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=EC", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(
            new X509EnhancedKeyUsageExtension([new Oid("1.3.6.1.5.5.7.3.2")], critical: false));
        using X509Certificate2 certificate = request.CreateSelfSigned(
            DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(30));
        await server.RegisterAsync(certificate, "EC", "ValidUser", ("red", "Read"));
        string path = Path.Combine(_folder, "ec.pem");
        await File.WriteAllTextAsync(path, certificate.ExportCertificatePem() + "\n" + key.ExportECPrivateKeyPem());
        return path;
    }
}
