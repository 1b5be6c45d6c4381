using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using FastTests.Support;
using Raven.Client.Documents;
using Raven.Client.Documents.BulkInsert;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions;
using Raven.Client.Exceptions.Security;
using Raven.Client.ServerWide.Operations;

namespace FastTests.Client;

/// <summary>What a store shows of itself, to whom, and which servers it believes.</summary>
[Trait("Security", "17")]
public sealed class StoreSecurityTests(SecuredWebServer server) : IClassFixture<SecuredWebServer>
{
    private const string Key = SecuredWebServer.Key;

    [Theory]
    [InlineData("http://127.0.0.1:1")]
    [InlineData("http://localhost:1")]
    [InlineData("https://127.0.0.1:1", "http://127.0.0.1:1")]
    public void A_certificate_over_http_is_refused_before_any_request(params string[] urls)
    {
        using var store = new DocumentStore { Urls = urls, Certificate = server.Certificate };
        InvalidOperationException refused = Assert.Throws<InvalidOperationException>(() => store.Initialize());
        Assert.Contains("is not https", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Urls_of_http_and_https_together_are_refused_before_any_request()
    {
        using var store = new DocumentStore { Urls = ["https://127.0.0.1:1", "http://127.0.0.1:1"] };
        InvalidOperationException refused = Assert.Throws<InvalidOperationException>(() => store.Initialize());
        Assert.StartsWith("http://127.0.0.1:1 is http", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("http://10.0.0.1:8080")]
    [InlineData("http://localhost.example:8080")]
    [InlineData("http://0.0.0.0:8080")]
    public void An_API_key_goes_over_http_to_this_machine_only(string url)
    {
        using var store = new DocumentStore { Urls = [url], ApiKey = Key };
        InvalidOperationException refused = Assert.Throws<InvalidOperationException>(() => store.Initialize());
        Assert.Contains("Use an https url", refused.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", refused.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("http://127.0.0.1:8080")]
    [InlineData("http://127.9.9.9:8080")]
    [InlineData("http://[::1]:8080")]
    [InlineData("http://LOCALHOST:8080")]

    // A Uri makes localhost of it, and that is where the request goes.
    [InlineData("http://loopback:8080")]
    [InlineData("https://10.0.0.1")]
    public void An_API_key_may_go_over_https_and_to_this_machine(string url)
    {
        using var store = new DocumentStore { Urls = [url], ApiKey = Key };
        store.Initialize();
        Assert.DoesNotContain("secret", store.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("secret\n")]
    [InlineData("secret\r\nX: y")]
    [InlineData("Bearer secret")]
    [InlineData("secr\u00e9t")]
    public void What_cannot_be_an_API_key_is_refused_and_not_shown(string key)
    {
        ArgumentException refused = Assert.Throws<ArgumentException>(() => new DocumentStore { ApiKey = key });
        Assert.DoesNotContain("secr", refused.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void A_certificate_without_its_key_is_refused()
    {
        using X509Certificate2 open = X509CertificateLoader.LoadCertificate(server.Certificate.RawData);
        ArgumentException refused = Assert.Throws<ArgumentException>(() => new DocumentStore { Certificate = open });
        Assert.Contains("no private key", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_handler_of_the_application_that_cannot_take_certificates_is_refused()
    {
        using var store = new DocumentStore { Urls = [server.Url], Certificate = server.Certificate };
        store.Conventions.CreateHttpMessageHandler = () => new HttpClientHandler();
        Assert.Contains(
            nameof(HttpClientHandler),
            Assert.Throws<InvalidOperationException>(() => store.Initialize()).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_API_key_goes_with_every_request_and_with_the_changes()
    {
        await using DocumentStore store = server.StoreWithKey();
        await UseAsync(store);
        Assert.All(SeenOfAll(), seen => Assert.Equal($"Bearer {Key}", seen.Authorization));
        Assert.All(SeenOfAll(), seen => Assert.Null(seen.Thumbprint));
    }

    [Fact]
    public async Task The_certificate_is_shown_on_every_connection_and_on_that_of_the_changes()
    {
        await using DocumentStore store = server.StoreWithCertificate();
        await UseAsync(store);
        Assert.All(SeenOfAll(), seen => Assert.Equal(server.Certificate.Thumbprint, seen.Thumbprint));
        Assert.All(SeenOfAll(), seen => Assert.Equal("", seen.Authorization));
    }

    [Fact]
    public async Task A_handler_of_the_application_sends_the_identity_too()
    {
        await using var store = new DocumentStore
        {
            Urls = [server.StrictUrl], Certificate = server.Certificate, ApiKey = Key,
            CertificateAuthorities = server.Authorities,
        };
        store.Conventions.CreateHttpMessageHandler = () => new Passing(new SocketsHttpHandler());
        store.Initialize();
        Assert.NotNull(await store.Maintenance.Server.SendAsync(new GetBuildNumberOperation()));
        SecuredWebServer.Seen seen = server.SeenOf("/build/version")[^1];
        Assert.Equal((server.Certificate.Thumbprint, $"Bearer {Key}"), (seen.Thumbprint, seen.Authorization));
    }

    [Fact]
    public async Task No_event_and_no_exception_has_the_API_key()
    {
        await using DocumentStore store = server.StoreWithKey(server.PlainUrl);
        List<string?> texts = [];
        store.OnBeforeRequest += (_, args) => texts.Add(args.Request.ToString());
        store.OnSucceedRequest += (_, args) => texts.AddRange([args.Request.ToString(), args.Response.ToString()]);
        store.OnFailedRequest += (_, args) => texts.Add(args.Exception.ToString());
        await store.Maintenance.Server.SendAsync(new GetBuildNumberOperation());
        server.Answer("GET /databases", "no", 500);
        RavenException failed = await Assert.ThrowsAnyAsync<RavenException>(
            () => store.Maintenance.Server.SendAsync(new GetDatabaseNamesOperation(0, 1)));
        texts.Add(failed.ToString());
        Assert.True(texts.Count >= 6);
        Assert.All(texts, text => Assert.DoesNotContain("secret", text, StringComparison.Ordinal));
        Assert.Equal($"Bearer {Key}", server.SeenOf("/databases")[^1].Authorization);
    }

    [Theory]
    [InlineData(401, """{"Type":"Raven.Client.Exceptions.Security.AuthenticationException","Message":"why not"}""")]
    [InlineData(401, """{"Type":"Something.OfAProxy","Message":"why not"}""")]
    [InlineData(401, "why not")]
    [InlineData(403, """{"Type":"Raven.Client.Exceptions.Security.AuthorizationException","Message":"why not"}""")]
    [InlineData(403, """{"Message":"why not"}""")]
    [InlineData(403, "<p>why not</p>")]
    public async Task A_refused_caller_gets_an_exception_of_security_with_the_text_of_the_server(
        int status, string body)
    {
        await using DocumentStore store = server.StoreWithKey();
        server.Answer("GET /configuration/client", body, status);
        SecurityException refused = await Assert.ThrowsAnyAsync<SecurityException>(
            () => store.Maintenance.Server.SendAsync(new GetServerWideClientConfigurationOperation()));
        Assert.IsType(status == 401 ? typeof(AuthenticationException) : typeof(AuthorizationException), refused);
        Assert.Equal(status, refused.StatusCode);
        Assert.Contains("why not", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(401, typeof(AuthenticationException))]
    [InlineData(403, typeof(AuthorizationException))]
    public async Task Refused_changes_end_the_wait_for_them_until_they_are_allowed(int status, Type expected)
    {
        string database = $"refused{status}";
        string request = $"GET /databases/{database}/changes";
        server.Answer(request, "", status);
        await using DocumentStore store = server.StoreWithKey(database: database);
        Exception refused = await Assert.ThrowsAsync(
            expected, () => store.Changes().EnsureConnectedNow().WaitAsync(Deadline.Hang));
        Assert.DoesNotContain("secret", refused.ToString(), StringComparison.Ordinal);
        TaskCompletionSource connected = new();
        store.Changes().ConnectionStatusChanged += (_, _) => connected.TrySetResult();
        server.Serve(request);
        await connected.Task.WaitAsync(Deadline.Hang);
        await store.Changes().EnsureConnectedNow();
    }

    [Fact]
    public async Task A_server_of_an_unknown_authority_is_not_asked()
    {
        using X509Certificate2 other = TlsCertificates.Authority("other");
        foreach (X509Certificate2Collection authorities in (X509Certificate2Collection[])[[], [other]])
        {
            AuthenticationException refused = await RefusalAsync<AuthenticationException>(
                server.Url, store => store.CertificateAuthorities = authorities);
            Assert.Contains("test authority", refused.Message, StringComparison.Ordinal);
            Assert.Contains("set DocumentStore.CertificateAuthorities", refused.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task No_authority_that_a_certificate_names_is_fetched()
    {
        using var issuer = new TcpListener(IPAddress.Loopback, 0);
        issuer.Start();
        using X509Certificate2 absent = TlsCertificates.Authority("absent authority");
        using X509Certificate2 lone = TlsCertificates.Server(
            absent, IPAddress.Loopback, issuerUrl: $"http://{issuer.LocalEndpoint}/issuer.crt");
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        Task serving = ShakeHandsAsync(
            listener, SslStreamCertificateContext.Create(lone, additionalCertificates: null, offline: true));
        foreach (X509Certificate2Collection authorities in (X509Certificate2Collection[])[[], server.Authorities])
        {
            await RefusalAsync<AuthenticationException>(
                $"https://{listener.LocalEndpoint}", store => store.CertificateAuthorities = authorities);
        }

        // A check that asks is not over before it is connected, or has given that up.
        Assert.False(issuer.Pending());
        listener.Stop();
        await serving;
    }

    [Fact]
    public async Task A_server_with_a_certificate_for_other_names_is_not_asked()
    {
        string url = server.Url.Replace("127.0.0.1", "localhost", StringComparison.Ordinal);
        CertificateNameMismatchException refused = await RefusalAsync<CertificateNameMismatchException>(url);
        Assert.Contains("for other names (127.0.0.1)", refused.Message, StringComparison.Ordinal);
        Assert.StartsWith(url, refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_with_a_certificate_that_has_ended_is_not_asked() => Assert.Contains(
        "counts at another time",
        (await RefusalAsync<AuthenticationException>(server.EndedUrl)).Message, StringComparison.Ordinal);

    [Fact]
    public async Task A_server_that_does_not_speak_https_at_all_is_named()
    {
        string url = server.PlainUrl.Replace("http:", "https:", StringComparison.Ordinal);
        AuthenticationException refused = await RefusalAsync<AuthenticationException>(url);
        Assert.StartsWith($"There is no encrypted connection to {url}", refused.Message, StringComparison.Ordinal);
        Assert.Contains("check that it speaks https", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_that_wants_a_certificate_ends_the_connection_and_the_message_says_what_is_missing()
    {
        RavenException refused = await RefusalAsync<RavenException>(server.StrictUrl);
        Assert.Contains("set DocumentStore.Certificate", refused.Message, StringComparison.Ordinal);
        await using DocumentStore store = server.StoreWithCertificate(server.StrictUrl);
        Assert.NotNull(await store.Maintenance.Server.SendAsync(new GetBuildNumberOperation()));
    }

    [Fact]
    public async Task A_server_that_lists_an_unencrypted_url_for_itself_is_asked_no_further()
    {
        await using DocumentStore store = server.StoreWithKey(database: "downgraded");
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        InvalidOperationException refused = await Assert.ThrowsAsync<InvalidOperationException>(
            () => session.LoadAsync<User>("users/1"));
        Assert.Contains("PublicServerUrl", refused.Message, StringComparison.Ordinal);
        Assert.Empty(server.SeenOf("/databases/downgraded/docs"));
    }

    private SecuredWebServer.Seen[] SeenOfAll() =>
    [
        server.SeenOf("/databases/db/streams/docs")[^1],
        server.SeenOf("/databases/db/operations/next-operation-id")[^1],
        server.SeenOf("/databases/db/bulk_insert")[^1],
        server.SeenOf("/databases/db/changes")[^1],
        server.SeenOf("/topology")[^1],
        server.SeenOf("/build/version")[^1],
    ];

    private async Task UseAsync(DocumentStore store)
    {
        server.Answer("GET /databases/db/streams/docs", "");
        server.Answer("GET /databases/db/operations/next-operation-id", """{"Id":1,"NodeTag":"A"}""");
        server.Answer("POST /databases/db/bulk_insert", "{}");
        await store.Maintenance.Server.SendAsync(new GetBuildNumberOperation());
        await store.Changes().EnsureConnectedNow().WaitAsync(Deadline.Hang);
        await using (BulkInsertOperation bulk = store.BulkInsert())
        {
            await bulk.StoreAsync(new User(), "users/1");
        }

        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await foreach (StreamResult<User> user in session.Advanced.StreamAsync<User>("users/"))
        {
            Assert.Fail(user.Id);
        }
    }

    private async Task<TException> RefusalAsync<TException>(string url, Action<DocumentStore>? configure = null)
        where TException : RavenException
    {
        await using var store = new DocumentStore { Urls = [url], CertificateAuthorities = server.Authorities };
        configure?.Invoke(store);
        store.Initialize();
        int before = server.SeenOf("/build/version").Length;
        TException refused = await Assert.ThrowsAnyAsync<TException>(
            () => store.Maintenance.Server.SendAsync(new GetBuildNumberOperation()));
        Assert.Equal(before, server.SeenOf("/build/version").Length);
        return refused;
    }

    /// <summary>A server that speaks TLS alone, and fetches nothing for it.</summary>
    private static async Task ShakeHandsAsync(TcpListener listener, SslStreamCertificateContext own)
    {
        while (await Accepting.NextAsync(listener) is { } client)
        {
            using TcpClient closing = client;
            await using var tls = new SslStream(client.GetStream());
            try
            {
                await tls.AuthenticateAsServerAsync(
                    new SslServerAuthenticationOptions { ServerCertificateContext = own });
                await tls.ReadAtLeastAsync(new byte[1], 1, throwOnEndOfStream: false);
            }
            catch (Exception e) when (e is IOException or System.Security.Authentication.AuthenticationException)
            {
                // The client does not believe it.
            }
        }
    }

    /// <summary>What an application may put around the handler.</summary>
    private sealed class Passing(HttpMessageHandler inner) : DelegatingHandler(inner);
}
