using System.Security.Cryptography.X509Certificates;
using System.Text.Json.Nodes;
using FastTests.Support;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Raven.Client.Documents;
using Raven.Client.Documents.BulkInsert;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions.Security;
using Raven.Client.ServerWide.Operations;
using Raven.Client.ServerWide.Operations.ApiKeys;
using Raven.Client.ServerWide.Operations.Certificates;
using Raven.DependencyInjection;
using Raven.Server;
using Raven.Server.Options;
using Raven.TestDriver;

namespace FastTests.Client;

/// <summary>
/// A server that speaks https in this process and the stores that a test driver gives for it; and what the operations
/// on certificates and keys send, read by a server of the tests' own.
/// </summary>
[Trait("Security", "17")]
public sealed class SecuredServerTests(SecuredWebServer web) : RavenTestDriver, IClassFixture<SecuredWebServer>
{
    private static readonly Dictionary<string, DatabaseAccess> Rights = new() { ["Shop"] = DatabaseAccess.ReadWrite };

    protected override bool IsSecured => true;

    [Fact]
    public async Task An_administrator_uses_everything_over_https()
    {
        using IDocumentStore store = GetDocumentStore();
        Assert.StartsWith("https://", SecuredServerUrl, StringComparison.Ordinal);
        await store.Changes().EnsureConnectedNow().WaitAsync(Deadline.Hang);
        await using (BulkInsertOperation bulk = store.BulkInsert())
        {
            await bulk.StoreAsync(new User { Name = "Ann" }, "users/1");
        }

        using IAsyncDocumentSession session = store.OpenAsyncSession();
        session.Advanced.Attachments.Store("users/1", "note", new MemoryStream("hello"u8.ToArray()));
        await session.SaveChangesAsync();
        await foreach (StreamResult<User> user in session.Advanced.StreamAsync<User>("users/"))
        {
            Assert.Equal("Ann", user.Document.Name);
        }

        Assert.True(await session.Advanced.Attachments.ExistsAsync("users/1", "note"));
    }

    [Fact]
    public async Task A_caller_without_an_identity_gets_nothing_of_a_server_that_speaks_https()
    {
        using IDocumentStore known = GetDocumentStore();
        await using var store = new DocumentStore
        {
            Urls = [SecuredServerUrl], Database = known.Database,
            CertificateAuthorities = ((DocumentStore)known).CertificateAuthorities,
        };
        store.Initialize();
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await Assert.ThrowsAsync<AuthorizationException>(() => session.LoadAsync<User>("users/1"));
        await Assert.ThrowsAsync<AuthorizationException>(() => store.Changes().EnsureConnectedNow());
    }

    [Fact]
    public void An_embedded_server_with_certificates_needs_one() =>
        Assert.Throws<ArgumentException>(() => EmbeddedServer.StartInMemory(new SecurityOptions()));

    [Fact]
    public async Task AddRaven_reads_identity_and_authorities_from_the_configuration()
    {
        string folder = Directory.CreateTempSubdirectory("raven-identity-").FullName;
        try
        {
            string certificate = Path.Combine(folder, "client.pfx");
            string pem = Path.Combine(folder, "client.pem");
            string authorities = Path.Combine(folder, "ca.pem");
            await File.WriteAllBytesAsync(
                certificate, web.Certificate.Export(X509ContentType.Pkcs12, "a password"));
            await File.WriteAllTextAsync(
                pem,
                web.Certificate.ExportCertificatePem() + "\n"
                + web.Certificate.GetECDsaPrivateKey()!.ExportPkcs8PrivateKeyPem());
            await File.WriteAllTextAsync(authorities, web.Authorities.ExportCertificatePems());
            Dictionary<string, string?> settings = new()
            {
                ["Raven:Urls:0"] = web.StrictUrl,
                ["Raven:Database"] = "db",
                ["Raven:ApiKey"] = SecuredWebServer.Key,
                ["Raven:CertificateAuthorities"] = authorities,
                ["Raven:Certificate:Path"] = certificate,
                ["Raven:Certificate:Password"] = "a password",
            };
            Assert.Equal(
                (web.Certificate.Thumbprint, $"Bearer {SecuredWebServer.Key}"), await SeenAsync(settings));
            settings["Raven:Certificate:Path"] = pem;
            settings["Raven:Certificate:Password"] = null;
            settings["Raven:ApiKey"] = "";
            Assert.Equal((web.Certificate.Thumbprint, ""), await SeenAsync(settings));
            settings["Raven:Certificate:Path"] = certificate;
            settings["Raven:Certificate:Password"] = "another password";
            InvalidOperationException wrong =
                await Assert.ThrowsAsync<InvalidOperationException>(() => SeenAsync(settings));
            Assert.Contains(certificate, wrong.Message, StringComparison.Ordinal);
            Assert.DoesNotContain("another password", wrong.ToString(), StringComparison.Ordinal);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task Operations_on_certificates_send_what_the_HTTP_API_has()
    {
        await using DocumentStore store = web.StoreWithCertificate();
        web.Answer("POST /admin/certificates", "PK zip", 201);
        web.Answer("PUT /admin/certificates", "", 204);
        web.Answer("POST /admin/certificates/edit", "", 204);
        web.Answer("DELETE /admin/certificates", "", 204);
        web.Answer("POST /admin/certificates/replace-cluster-cert", "", 204);
        CertificateRawData made = await Send(store, new CreateClientCertificateOperation(
            "ann", Rights, SecurityClearance.ValidUser, "pw", new DateTime(2030, 1, 2, 0, 0, 0, DateTimeKind.Utc)));
        Assert.Equal("PK zip"u8.ToArray(), made.RawData);
        AssertSent(
            "/admin/certificates",
            """
            {"Name":"ann","Password":"pw","SecurityClearance":"ValidUser","Permissions":{"Shop":"ReadWrite"},
            "NotAfter":"2030-01-02T00:00:00Z"}
            """);

        Assert.True(await Send(store, new PutClientCertificateOperation(
            "ann", web.Certificate, Rights, SecurityClearance.Operator)));
        string body = AssertSent(
            "/admin/certificates",
            $$$"""
            {"Name":"ann","Certificate":"{{{Convert.ToBase64String(web.Certificate.RawData)}}}",
            "SecurityClearance":"Operator","Permissions":{"Shop":"ReadWrite"}}
            """);
        Assert.DoesNotContain("PRIVATE", body, StringComparison.Ordinal);

        Assert.True(await Send(store, new EditClientCertificateOperation(new EditClientCertificateOperation.Parameters
        {
            Thumbprint = "AB", Name = "bob", Clearance = SecurityClearance.ValidUser, Permissions = [],
        })));
        AssertSent(
            "/admin/certificates/edit",
            """{"Name":"bob","Thumbprint":"AB","SecurityClearance":"ValidUser","Permissions":{}}""");

        Assert.True(await Send(store, new DeleteCertificateOperation("AB")));
        Assert.StartsWith("?thumbprint=AB&raft-request-id=", web.SeenOf("/admin/certificates")[^1].Query);

        Assert.True(await Send(store, new ReplaceClusterCertificateOperation([1, 2], replaceImmediately: true)));
        AssertSent("/admin/certificates/replace-cluster-cert", """{"Certificate":"AQI="}""");
        Assert.StartsWith(
            "?replaceImmediately=true&raft-request-id=",
            web.SeenOf("/admin/certificates/replace-cluster-cert")[^1].Query);
    }

    [Fact]
    public async Task Operations_read_certificates_and_the_caller()
    {
        await using DocumentStore store = web.StoreWithCertificate();
        web.Answer(
            "GET /admin/certificates",
            """
            {"Results":[{"Name":"ann","Thumbprint":"AB","PublicKeyPinningHash":"h","Certificate":"AQI=",
            "SecurityClearance":"ValidUser","Permissions":{"Shop":"Read"},"NotBefore":"2026-01-02T00:00:00.0000000Z",
            "NotAfter":"2030-01-02T00:00:00.0000000Z","CollectionPrimaryKey":"","CollectionSecondaryKeys":["CD"],
            "CreatedAt":"2026-01-02T00:00:00.0000000Z","CreatedBy":"x","LastSeenAt":null,"Usage":null}]}
            """);
        CertificateDefinition one = await Send(store, new GetCertificateOperation("AB"));
        Assert.Equal("?thumbprint=AB", web.SeenOf("/admin/certificates")[^1].Query);
        Assert.Equal(("ann", "AB", "h", "AQI="), (one.Name, one.Thumbprint, one.PublicKeyPinningHash, one.Certificate));
        Assert.Equal(
            (DatabaseAccess.Read, SecurityClearance.ValidUser), (one.Permissions!["Shop"], one.SecurityClearance));
        Assert.Equal((2026, 2030), (one.NotBefore!.Value.Year, one.NotAfter!.Value.Year));
        Assert.Equal("CD", Assert.Single(one.CollectionSecondaryKeys!));

        Assert.Single(await Send(store, new GetCertificatesOperation(0, 10)));
        Assert.Equal("?start=0&pageSize=10", web.SeenOf("/admin/certificates")[^1].Query);
        CertificateMetadata metadata = await Send(store, new GetCertificateMetadataOperation("AB"));
        Assert.Equal("?thumbprint=AB&metadataOnly=true", web.SeenOf("/admin/certificates")[^1].Query);
        Assert.Equal("ann", metadata.Name);
        Assert.Single(await Send(store, new GetCertificatesMetadataOperation("ann")));
        Assert.Equal("?metadataOnly=true&name=ann", web.SeenOf("/admin/certificates")[^1].Query);
        web.Answer("GET /admin/certificates", """{"Results":[]}""");
        Assert.Null(await store.Maintenance.Server.SendAsync(new GetCertificateOperation("AB")));

        web.Answer(
            "GET /certificates/whoami",
            """{"Name":"ann","KeyId":"k","Kind":"ApiKey","SecurityClearance":"Operator","Permissions":{}}""");
        WhoAmIResult me = await Send(store, new WhoAmIOperation());
        Assert.Equal(("ann", "k", "ApiKey"), (me.Name, me.KeyId, me.Kind));
        Assert.Equal(SecurityClearance.Operator, me.SecurityClearance);
    }

    [Fact]
    public async Task Operations_on_API_keys_send_and_read_what_the_HTTP_API_has()
    {
        await using DocumentStore store = web.StoreWithCertificate();
        web.Answer("POST /admin/api-keys", """{"Id":"a","Key":"rvk_new"}""", 201);
        web.Answer("POST /admin/api-keys/rotate", """{"Id":"a","Key":"rvk_newer"}""");
        web.Answer("PUT /admin/api-keys", "", 204);
        web.Answer("DELETE /admin/api-keys", "", 204);
        web.Answer(
            "GET /admin/api-keys",
            """
            {"Results":[{"Id":"a","Name":"scraper","SecurityClearance":"ValidUser","Permissions":{},
            "Scopes":["monitoring"],"AllowedAddresses":["10.0.0.0/8"],"CreatedAt":"2026-01-02T00:00:00.0000000Z",
            "CreatedBy":"ann","ExpiresAt":null,"LastUsedAt":null,"Disabled":true}]}
            """);
        var key = new ApiKeyDefinition
        {
            Name = "scraper", Scopes = ["monitoring"], AllowedAddresses = ["10.0.0.0/8"], CreatedBy = "not sent",
        };
        ApiKeyResult made = await Send(store, new CreateApiKeyOperation(key));
        Assert.Equal(("a", "rvk_new"), (made.Id, made.Key));
        Assert.DoesNotContain("rvk", made.ToString(), StringComparison.Ordinal);
        const string Sent = """
            {"Name":"scraper","SecurityClearance":"ValidUser","Permissions":{},"Scopes":["monitoring"],
            "AllowedAddresses":["10.0.0.0/8"],"ExpiresAt":null}
            """;
        AssertSent("/admin/api-keys", Sent);

        Assert.True(await Send(store, new PutApiKeyOperation("a", key)));
        AssertSent("/admin/api-keys", Sent);
        Assert.StartsWith("?id=a&raft-request-id=", web.SeenOf("/admin/api-keys")[^1].Query);
        ApiKeyResult rotated = await Send(store, new RotateApiKeyOperation("a", TimeSpan.FromHours(1)));
        Assert.Equal("rvk_newer", rotated.Key);
        Assert.StartsWith("?id=a&graceSec=3600&", web.SeenOf("/admin/api-keys/rotate")[^1].Query);
        ApiKeyDefinition read = Assert.Single(await Send(store, new GetApiKeysOperation(0, 10, "a")));
        Assert.Equal("?start=0&pageSize=10&id=a", web.SeenOf("/admin/api-keys")[^1].Query);
        Assert.Equal(("a", "scraper", true, null), (read.Id, read.Name, read.Disabled, read.ExpiresAt));
        Assert.True(await Send(store, new DeleteApiKeyOperation("a")));
        Assert.Equal("DELETE", web.SeenOf("/admin/api-keys")[^1].Method);
    }

    private static async Task<TResult> Send<TResult>(DocumentStore store, IServerOperation<TResult> operation)
    {
        TResult? result = await store.Maintenance.Server.SendAsync(operation);
        Assert.NotNull(result);
        return result!;
    }

    /// <summary>Checks what was sent last to a path, as JSON.</summary>
    private string AssertSent(string path, string json)
    {
        string sent = web.SeenOf(path)[^1].Body;
        Assert.True(JsonNode.DeepEquals(JsonNode.Parse(json), JsonNode.Parse(sent)), sent);
        return sent;
    }

    /// <summary>Whom the server sees if the store is that of some settings.</summary>
    private async Task<(string? Thumbprint, string Authorization)> SeenAsync(Dictionary<string, string?> settings)
    {
        IConfiguration configuration = new ConfigurationBuilder().AddInMemoryCollection(settings).Build();
        await using ServiceProvider services = new ServiceCollection().AddLogging()
            .AddRaven(configuration.GetSection("Raven")).BuildServiceProvider();
        IDocumentStore store = services.GetRequiredService<IDocumentStore>();
        Assert.Equal("db", store.Database);
        await store.Maintenance.Server.SendAsync(new GetBuildNumberOperation());
        SecuredWebServer.Seen seen = web.SeenOf("/build/version")[^1];
        return (seen.Thumbprint, seen.Authorization);
    }
}
