using System.IO.Compression;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json.Nodes;
using FastTests.Server;
using Raven.Security.Certificates;
using Raven.Security.Registry;
using Raven.Security.Rights;

namespace FastTests.Security;

/// <summary>The routes of client certificates: what official clients read, and what nobody gets by them.</summary>
public sealed class CertificatesHttpTests(RegistryServer server) : IClassFixture<RegistryServer>
{
    private const string Certificates = "/admin/certificates";

    [Fact]
    public void A_certificate_is_registered_listed_edited_and_removed()
    {
        using X509Certificate2 app = TestCertificates.Make("app");
        InMemoryRequest put = server.Expect(
            204, server.Operator, "PUT", Certificates,
            Body("App", Convert.ToBase64String(app.RawData), """{"Red":"Read","blue-1":"Admin"}"""));
        Assert.Equal("", RegistryServer.Header(put, "Raven-Warning"));

        JsonNode one = Assert.Single(
            server.Results(server.Operator, $"{Certificates}?thumbprint={app.Thumbprint.ToLowerInvariant()}"))!;
        Assert.Equal(Convert.ToBase64String(app.RawData), (string?)one["Certificate"]);
        Assert.Equal(app.Thumbprint, (string?)one["Thumbprint"]);
        Assert.Equal("ValidUser", (string?)one["SecurityClearance"]);
        Assert.Equal("Read", (string?)one["Permissions"]!["Red"]);
        Assert.Equal("Admin", (string?)one["Permissions"]!["blue-1"]);
        Assert.Equal("2026-12-21T12:00:00.0000000Z", (string?)one["NotAfter"]);
        Assert.Equal("operator", (string?)one["CreatedBy"]);
        JsonNode bare = Assert.Single(
            server.Results(server.Operator, $"{Certificates}?thumbprint={app.Thumbprint}&metadataOnly=true"))!;
        Assert.Equal(
            one.AsObject().Select(member => member.Key).Where(name => name != "Certificate"),
            bare.AsObject().Select(member => member.Key));
        Assert.Single(server.Results(server.Operator, $"{Certificates}?metadataOnly=true&name=APP"));
        Assert.Equal(2, server.Results(server.Operator, $"{Certificates}?start=1&pageSize=2").Count);

        server.Expect(
            204, server.Operator, "POST", Certificates + "/edit",
            $$"""
            {"Thumbprint":"{{app.Thumbprint}}","Name":"App 2","SecurityClearance":"ValidUser","Permissions":{} }
            """);
        one = Assert.Single(server.Results(server.Operator, $"{Certificates}?thumbprint={app.Thumbprint}"))!;
        Assert.Equal("App 2", (string?)one["Name"]);
        Assert.Empty(one["Permissions"]!.AsObject());
        server.Expect(204, server.Operator, "DELETE", $"{Certificates}?thumbprint={app.Thumbprint}");
        server.Expect(204, server.Operator, "DELETE", $"{Certificates}?thumbprint={app.Thumbprint}");
        server.Expect(404, server.Operator, "GET", $"{Certificates}?thumbprint={app.Thumbprint}");
        server.Expect(400, server.Operator, "DELETE", Certificates);
    }

    [Fact]
    public void A_made_certificate_comes_as_a_zip_with_its_key_in_the_forms_that_clients_read()
    {
        InMemoryRequest answer = server.Expect(
            200, server.Operator, "POST", Certificates,
            """{"Name":"../made","SecurityClearance":"Operator","Password":"p","NotAfter":"2027-01-01T00:00:00Z"}""");
        Assert.Equal("application/zip", RegistryServer.Header(answer, "Content-Type"));
        Assert.Equal("no-store", RegistryServer.Header(answer, "Cache-Control"));
        using var zip = new ZipArchive(new MemoryStream(answer.AnswerBytes));
        Dictionary<string, byte[]> files = zip.Entries.ToDictionary(entry => entry.FullName, Read);
        Assert.Equal(["_made.crt", "_made.key", "_made.pem", "_made.pfx"], files.Keys.Order());
        string pem = Encoding.ASCII.GetString(files["_made.pem"]);
        Assert.StartsWith(
            "-----BEGIN RSA PRIVATE KEY-----", Encoding.ASCII.GetString(files["_made.key"]),
            StringComparison.Ordinal);
        using X509Certificate2 made = X509Certificate2.CreateFromPem(pem, pem);
        using X509Certificate2 pfx = X509CertificateLoader.LoadPkcs12(files["_made.pfx"], "p");
        Assert.True(pfx.HasPrivateKey);
        Assert.Equal(made.Thumbprint, pfx.Thumbprint);
        Assert.Equal(new DateTime(2027, 1, 1), made.NotAfter.ToUniversalTime());
        JsonNode entry = Assert.Single(
            server.Results(server.Operator, $"{Certificates}?thumbprint={made.Thumbprint}"))!;
        Assert.Equal("../made", (string?)entry["Name"]);
        Assert.DoesNotContain("PRIVATE KEY", server.Stored, StringComparison.Ordinal);
        JsonNode who = JsonNode.Parse(server.Expect(200, made, "GET", "/certificates/whoami").Answer)!;
        Assert.Equal("Operator", (string?)who["SecurityClearance"]);
    }

    [Fact]
    public void A_private_key_that_is_posted_is_dropped_and_the_answer_says_so()
    {
        using X509Certificate2 app = TestCertificates.Make("with-key");
        InMemoryRequest answer = server.Expect(
            204, server.Operator, "PUT", Certificates,
            Body("K", Convert.ToBase64String(app.Export(X509ContentType.Pkcs12)), "{}"));
        Assert.Contains("private key", RegistryServer.Header(answer, "Raven-Warning"), StringComparison.Ordinal);
        Assert.DoesNotContain(
            Convert.ToBase64String(app.Export(X509ContentType.Pkcs12))[..64], server.Stored, StringComparison.Ordinal);
    }

    [Fact]
    public void A_second_factor_is_not_served_and_a_misspelled_member_is_named()
    {
        using X509Certificate2 app = TestCertificates.Make("app");
        string body = Body("A", Convert.ToBase64String(app.RawData), "{}");
        server.Expect(
            501, server.Operator, "PUT", Certificates, body[..^1] + ",\"TwoFactorAuthenticationKey\":\"x\"}");
        server.Expect(400, server.Operator, "PUT", Certificates, body[..^1] + ",\"permissions\":{\"db\":\"Admin\"}}");
        Assert.Contains("'Colour'", RegistryServer.Header(
            server.Expect(204, server.Operator, "PUT", Certificates, body[..^1] + ",\"Colour\":1}"),
            "Raven-Warning"), StringComparison.Ordinal);
    }

    [Theory]
    [Trait("Security", "33")]
    [Trait("Invariant", "BODY-1")]
    [InlineData("""{"Name":"x","SecurityClearance":"ValidUser","SecurityClearance":"Operator","Permissions":{}}""")]
    [InlineData("""{"Name":"x","SecurityClearance":"ValidUser","Permissions":{},"Permissions":{"db":"Admin"}}""")]
    [InlineData("""{"Name":"x","SecurityClearance":"ValidUser","Permissions":{"red":"Read","red":"Admin"}}""")]
    [InlineData("""{"Name":"x","SecurityClearance":"ValidUser","Permissions":{"RED":"Read","red":"Admin"}}""")]
    [InlineData("""{"Name":"x","SecurityClearance":"ValidUser","Permissions":{},"\u0050ermissions":{"db":"Admin"}}""")]
    [InlineData("""{"Name":"x","SecurityClearance":"ValidUser","Permissions":{"r\u0065d":"Read","red":"Admin"}}""")]
    [InlineData("\uFEFF{\"Name\":\"x\",\"SecurityClearance\":\"ValidUser\",\"Permissions\":{}}")]
    [InlineData("""{"Name":"x","SecurityClearance":"ValidUser","Permissions":{}} {"SecurityClearance":"Operator"}""")]
    [InlineData("""{"Name":"x","SecurityClearance":"ValidUser","Permissions":{"\uD800":"Read"}}""")]
    [InlineData("""{"Name":"\uD800","SecurityClearance":"ValidUser","Permissions":{}}""")]
    [InlineData("""{"Name":"a\nb","SecurityClearance":"ValidUser","Permissions":{}}""")]
    [InlineData("""{"Name":"x","SecurityClearance":"ValidUser","Permissions":{"../x":"Read"}}""")]
    [InlineData("""{"Name":"x","SecurityClearance":"ValidUser","Permissions":{"red":"read"}}""")]
    [InlineData("""{"Name":"x","SecurityClearance":"ValidUser","Permissions":{"red":2}}""")]
    [InlineData("""{"Name":"x","SecurityClearance":"ValidUser","Permissions":[]}""")]
    [InlineData("""{"Name":"x","SecurityClearance":"ValidUser"}""")]
    [InlineData("""[{"Name":"x","SecurityClearance":"ValidUser","Permissions":{}}]""")]
    [InlineData("")]
    public void A_body_that_could_mean_two_things_changes_nothing(string body) => AssertRefusedEverywhere(body, [400]);

    [Theory]
    [Trait("Security", "34")]
    [Trait("Invariant", "BODY-2")]
    [InlineData("\"God\"")]
    [InlineData("\"validuser\"")]
    [InlineData("\"OPERATOR\"")]
    [InlineData("\"ClusterNode\"")]
    [InlineData("\"ClusterAdmin\"")]
    [InlineData("\"UnauthenticatedClients\"")]
    [InlineData("\"\"")]
    [InlineData("0")]
    [InlineData("null")]
    [InlineData("[\"ValidUser\"]")]
    [InlineData("{}")]
    public void A_clearance_that_is_none_or_too_much_changes_nothing(string clearance) => AssertRefusedEverywhere(
        $$"""{"Name":"x","SecurityClearance":{{clearance}},"Permissions":{} }""", [400, 403]);

    [Fact]
    [Trait("Security", "35")]
    public void An_operator_makes_nobody_more_than_he_is_and_touches_no_administrator()
    {
        string admin = server.Admin.Thumbprint;
        string own = server.Operator.Thumbprint;
        string before = server.Stored;
        (string Method, string Target, string Body)[] attempts =
        [
            ("PUT", Certificates, Body("admin", Convert.ToBase64String(server.Admin.RawData), "{}")),
            ("POST", Certificates, """{"Name":"x","SecurityClearance":"ClusterAdmin","Permissions":{}}"""),
            ("POST", Certificates + "/edit", Edit(own, "ClusterAdmin")),
            ("POST", Certificates + "/edit", Edit(admin, "ValidUser")),
            ("DELETE", $"{Certificates}?thumbprint={admin}", ""),
            ("POST", Certificates + "/replace-cluster-cert", """{"Certificate":"AAAA"}"""),
            ("POST", Certificates + "/refresh", ""),
        ];
        foreach ((string method, string target, string body) in attempts)
        {
            InMemoryRequest answer = server.Expect(403, server.Operator, method, target, body);
            Assert.Contains("AuthorizationException", answer.Answer, StringComparison.Ordinal);
            server.Expect(403, server.Writer, method, target, body);
        }

        server.Expect(403, server.Writer, "GET", Certificates);
        server.Expect(403, server.Writer, "GET", Certificates + "/export");
        server.Expect(403, server.Writer, "POST", Certificates + "/edit", Edit(server.Writer.Thumbprint, "Operator"));
        Assert.Equal(before, server.Stored);
    }

    [Fact]
    [Trait("Security", "35")]
    public async Task An_edit_of_an_administrator_by_an_operator_is_refused_also_during_edits_by_one()
    {
        using var own = new RegistryServer();
        X509Certificate2 other = own.Register("other", Clearance.ClusterAdmin);
        const int rounds = 1000;
        Task<int[]> operators = Task.Run(() => Enumerable.Range(0, rounds).Select(_ => own.Send(
            own.Operator, "POST", Certificates + "/edit", Edit(other.Thumbprint, "ValidUser")).StatusCode).ToArray());
        for (int i = 0; i < rounds; i++)
        {
            own.Expect(204, own.Admin, "POST", Certificates + "/edit", Edit(other.Thumbprint, "ClusterAdmin"));
        }

        Assert.All(await operators, status => Assert.Equal(403, status));
        Assert.Equal(Clearance.ClusterAdmin, own.Trust.Current.FindThumbprint(other.Thumbprint)!.Clearance);
    }

    [Fact]
    [Trait("Security", "37")]
    public async Task The_last_administrator_stays_also_if_two_remove_each_other()
    {
        using var own = new RegistryServer();
        X509Certificate2 other = own.Register("other", Clearance.ClusterAdmin);
        int[] statuses = await Task.WhenAll(
            Task.Run(() => own.Send(
                own.Admin, "DELETE", $"{Certificates}?thumbprint={other.Thumbprint}").StatusCode),
            Task.Run(() => own.Send(
                other, "DELETE", $"{Certificates}?thumbprint={own.Admin.Thumbprint}").StatusCode));
        Assert.Single(statuses, status => status == 204);
        Assert.Single(statuses, status => status is 400 or 403);
        RegisteredCertificate last = Assert.Single(
            own.Trust.Current.Certificates, entry => entry.Clearance == Clearance.ClusterAdmin);
        X509Certificate2 left = last.Name == "admin" ? own.Admin : other;
        own.Expect(400, left, "DELETE", $"{Certificates}?thumbprint={left.Thumbprint}");
        own.Expect(400, left, "POST", Certificates + "/edit", Edit(left.Thumbprint, "Operator"));
        own.Expect(200, left, "GET", Certificates);
    }

    [Fact]
    [Trait("Security", "40")]
    public void A_certificate_with_the_key_and_the_issuer_of_a_registered_one_renews_it()
    {
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        X509Certificate2 first = server.Register(
            "app", Clearance.ValidUser, Permissions.Of([KeyValuePair.Create("db", DatabaseRight.Read)]), key);
        using X509Certificate2 sameSubject = TestCertificates.Make("app");
        using X509Certificate2 otherIssuer = TestCertificates.Make("another", key);
        using X509Certificate2 renewed = TestCertificates.Make("app", key, to: TestCertificates.Now.AddDays(90));
        server.Expect(403, sameSubject, "GET", "/certificates/whoami");
        server.Expect(403, otherIssuer, "GET", "/certificates/whoami");
        JsonNode who = JsonNode.Parse(server.Expect(200, renewed, "GET", "/certificates/whoami").Answer)!;
        Assert.Equal(("app", renewed.Thumbprint), ((string?)who["Name"], (string?)who["Thumbprint"]));
        JsonNode former = Assert.Single(
            server.Results(server.Operator, $"{Certificates}?thumbprint={first.Thumbprint}"))!;
        Assert.Equal(renewed.Thumbprint, (string?)Assert.Single(former["CollectionSecondaryKeys"]!.AsArray()));
        JsonNode latter = Assert.Single(
            server.Results(server.Operator, $"{Certificates}?thumbprint={renewed.Thumbprint}"))!;
        Assert.Equal(first.Thumbprint, (string?)latter["CollectionPrimaryKey"]);
        server.Expect(204, server.Operator, "DELETE", $"{Certificates}?thumbprint={first.Thumbprint}");
        server.Expect(403, renewed, "GET", "/certificates/whoami");
    }

    [Theory]
    [Trait("Security", "40")]
    [InlineData(false, 403)]
    [InlineData(true, 200)]
    public void An_administrator_is_renewed_only_if_an_option_says_so(bool isRenewed, int status)
    {
        using var own = new RegistryServer(options => options with { RenewsAdministrators = isRenewed });
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        own.Register("chief", Clearance.ClusterAdmin, key: key);
        using X509Certificate2 renewed = TestCertificates.Make("chief", key, to: TestCertificates.Now.AddDays(90));
        own.Expect(status, renewed, "GET", Certificates);
    }

    [Fact]
    [Trait("Security", "10")]
    public void A_file_that_would_cost_much_to_read_is_refused()
    {
        using X509Certificate2 app = TestCertificates.Make("bomb");
        byte[] slow = app.ExportPkcs12(
            new PbeParameters(PbeEncryptionAlgorithm.Aes256Cbc, HashAlgorithmName.SHA256, 70_000), "");

        // The number of rounds, in each of its places: as many as three bytes hold.
        for (int at; (at = slow.AsSpan().IndexOf((ReadOnlySpan<byte>)[2, 3, 0x01, 0x11, 0x70])) >= 0;)
        {
            ((ReadOnlySpan<byte>)[0x7F, 0xFF, 0xFF]).CopyTo(slow.AsSpan(at + 2));
        }

        string before = server.Stored;
        foreach (byte[] file in (byte[][])[slow, [0x30, 0x84, 0x7F, 0xFF, 0xFF, 0xFF, 2, 1, 3], []])
        {
            server.Expect(
                400, server.Operator, "PUT", Certificates, Body("bomb", Convert.ToBase64String(file), "{}"));
        }

        server.Expect(
            413, server.Operator, "PUT", Certificates,
            Body("bomb", new string('A', 1 << 20), "{}"));
        Assert.Equal(before, server.Stored);
    }

    [Fact]
    [Trait("Invariant", "CHANGE-3")]
    public void A_request_that_comes_twice_changes_nothing_the_second_time()
    {
        X509Certificate2 app = server.Register("twice", Clearance.ValidUser);
        string target = $"{Certificates}/edit?raft-request-id=one";
        server.Expect(204, server.Operator, "POST", target, Edit(app.Thumbprint, "Operator"));
        server.Expect(204, server.Operator, "POST", target, Edit(app.Thumbprint, "ValidUser"));
        Assert.Equal(Clearance.Operator, server.Trust.Current.FindThumbprint(app.Thumbprint)!.Clearance);
        server.Expect(204, server.Admin, "POST", target, Edit(app.Thumbprint, "ValidUser"));
        Assert.Equal(Clearance.ValidUser, server.Trust.Current.FindThumbprint(app.Thumbprint)!.Clearance);

        // What was refused was not made.
        target = $"{Certificates}/edit?raft-request-id=two";
        server.Expect(400, server.Operator, "POST", target, Edit(new string('0', 40), "ValidUser"));
        server.Expect(204, server.Operator, "POST", target, Edit(app.Thumbprint, "Operator"));

        const string made = """{"Name":"once","SecurityClearance":"ValidUser","Permissions":{}}""";
        target = $"{Certificates}?raft-request-id=three";
        server.Expect(200, server.Operator, "POST", target, made);
        server.Expect(409, server.Operator, "POST", target, made);
        Assert.Single(server.Results(server.Operator, $"{Certificates}?name=once"));
        server.Expect(
            400, server.Operator, "POST", $"{Certificates}?raft-request-id={new string('x', 129)}", made);
    }

    [Fact]
    public void Certificates_that_have_ended_are_purged()
    {
        using var own = new RegistryServer();
        using X509Certificate2 brief = TestCertificates.Make("brief", to: TestCertificates.Now.AddHours(1));
        own.Expect(
            204, own.Operator, "PUT", Certificates, Body("brief", Convert.ToBase64String(brief.RawData), "{}"));
        own.Clock.Now += TimeSpan.FromHours(2);
        own.Expect(204, own.Operator, "DELETE", Certificates + "/purge");
        Assert.Equal(3, own.Results(own.Operator, Certificates).Count);
    }

    [Fact]
    [Trait("Security", "9")]
    public void A_certificate_on_a_curve_without_a_name_is_not_registered()
    {
        (X509Certificate2 certificate, ECDsa key) =
            TestCertificates.MakeWithExplicitCurve(CertificateUse.ClientAuthentication);
        using (key)
        using (certificate)
        {
            string before = server.Stored;
            InMemoryRequest answer = server.Expect(
                400, server.Admin, "PUT", Certificates,
                Body("explicit", Convert.ToBase64String(certificate.RawData), "{}"));
            Assert.Contains("named curve", answer.Answer, StringComparison.Ordinal);
            Assert.Equal(before, server.Stored);
        }
    }

    [Fact]
    public void Whoami_says_what_a_caller_may_do_and_a_stranger_gets_no_answer()
    {
        JsonNode who = JsonNode.Parse(server.Expect(200, server.Writer, "GET", "/certificates/whoami").Answer)!;
        Assert.Equal(
            ["Name", "Thumbprint", "Kind", "SecurityClearance", "Permissions", "NotAfter", "PublicKeyPinningHash"],
            who.AsObject().Select(member => member.Key));
        Assert.Equal("Certificate", (string?)who["Kind"]);
        Assert.Equal("ReadWrite", (string?)who["Permissions"]!["db"]);
        server.Expect(403, null, "GET", "/certificates/whoami");
    }

    [Fact]
    [Trait("Security", "21")]
    public void A_long_list_is_sent_uncompressed_and_kept_by_no_cache()
    {
        InMemoryRequest answer = server.Expect(
            200, server.Operator, "GET", Certificates, "", "Accept-Encoding: gzip, br, zstd");
        Assert.True(answer.AnswerBytes.Length > 2048);
        Assert.Equal("no-store", RegistryServer.Header(answer, "Cache-Control"));
        Assert.Equal("", RegistryServer.Header(answer, "Content-Encoding"));
    }

    /// <summary>Sends a body to each route that takes rights.</summary>
    private void AssertRefusedEverywhere(string body, int[] statuses)
    {
        X509Certificate2 target = server.Writer;
        string before = server.Stored;
        string Extended(string members) =>
            body.StartsWith("{\"Name\"", StringComparison.Ordinal) ? $"{{{members},{body[1..]}" : body;
        (string Method, string Target, string Body)[] requests =
        [
            ("PUT", Certificates, Extended($"\"Certificate\":\"{Convert.ToBase64String(target.RawData)}\"")),
            ("POST", Certificates, body),
            ("POST", Certificates + "/edit", Extended($"\"Thumbprint\":\"{target.Thumbprint}\"")),
            ("POST", "/admin/api-keys", Extended("\"ExpiresAt\":null")),
        ];
        foreach ((string method, string path, string sent) in requests)
        {
            InMemoryRequest answer = server.Send(server.Operator, method, path, sent);
            Assert.True(
                statuses.Contains(answer.StatusCode), $"{method} {path}: {answer.StatusCode} {answer.Answer}");
        }

        Assert.Equal(before, server.Stored);
    }

    private static string Body(string name, string certificate, string permissions) =>
        $$"""
        {"Name":"{{name}}","Certificate":"{{certificate}}","SecurityClearance":"ValidUser",
         "Permissions":{{permissions}} }
        """;

    private static string Edit(string thumbprint, string clearance) =>
        $$"""
        {"Thumbprint":"{{thumbprint}}","Name":"edited","SecurityClearance":"{{clearance}}","Permissions":{} }
        """;

    private static byte[] Read(ZipArchiveEntry entry)
    {
        using Stream stream = entry.Open();
        using var bytes = new MemoryStream();
        stream.CopyTo(bytes);
        return bytes.ToArray();
    }
}
