using System.Net;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json.Nodes;
using Microsoft.Extensions.Logging;
using Raven.Security.Certificates;
using Raven.Server;
using Raven.Server.Options;

namespace FastTests.Security;

/// <summary>Secrets that clients give are in nothing that leaves a server, and in none of its files.</summary>
[Trait("Security", "60")]
public sealed class CanaryTests
{
    /// <summary>What shows how the server is set up and what happens in it.</summary>
    private static readonly string[] Shown =
    [
        "/admin/databases?name=red", "/databases/red/admin/record", "/databases", "/metrics", "/healthz",
        "/databases/red/stats", "/databases/blue/stats", "/databases/blue/debug/storage/report",
        "/admin/requests/running", "/admin/logs/configuration", "/admin/certificates", "/admin/api-keys",
        "/certificates/whoami", "/databases/red/indexes", "/openapi.json", "/admin/audit-log/verify",
    ];

    [Fact]
    [Trait("Invariant", "SECRET-1")]
    [Trait("Row", "94")]
    public async Task A_planted_secret_is_in_no_file_answer_log_audit_line_or_metric()
    {
        string folder = Directory.CreateTempSubdirectory("canary").FullName;
        var log = new AllLog();
        using var loggers = new LoggerFactory([log], new LoggerFilterOptions { MinLevel = LogLevel.Trace });
        var answers = new StringBuilder();
        await using (ServerHost host = await ServerHost.StartAsync(OptionsIn(folder), loggers))
        {
            using var client = new HttpClient { BaseAddress = new Uri(host.Url) };
            await SendAsync("PUT", "/admin/databases?name=red", RecordCanaries.Planted(), HttpStatusCode.Created);
            await SendAsync(
                "PUT", "/databases/red/admin/configuration/settings",
                $$"""{"ETL.Some.Password":"{{RecordCanaries.Canary}}setting"}""", HttpStatusCode.NoContent);
            await SendAsync("PUT", "/admin/databases?name=red", RecordCanaries.Planted(), HttpStatusCode.Conflict);
            await SendAsync(
                "PUT", "/admin/databases?name=two", "{\"Password\":\"" + RecordCanaries.Canary + "\",}",
                HttpStatusCode.BadRequest);
            await SendAsync(
                "PUT", "/admin/databases?name=two", "{\"Password\":\"" + RecordCanaries.Canary + "\",\"Settings\":1}",
                HttpStatusCode.BadRequest);
            await SendAsync(
                "POST", "/admin/logs/configuration", """{"Logs":{"MinLevel":"Trace"}}""", HttpStatusCode.NoContent);
            foreach (string url in new[]
            {
                "/admin/databases?name=red", "/databases/red/admin/record", "/databases", "/metrics", "/healthz",
                "/databases/red/stats", "/databases/red/debug/storage/report", "/admin/requests/running",
                "/topology?name=red", "/admin/logs/configuration",
            })
            {
                await SendAsync("GET", url, null, HttpStatusCode.OK);
            }

            await SendAsync("DELETE", "/admin/databases?name=red", null, HttpStatusCode.OK);
            await SendAsync("PUT", "/admin/databases?name=red", RecordCanaries.Planted(), HttpStatusCode.Created);
            host.State.Security.Secrets.Rotate();

            async Task SendAsync(string method, string url, string? body, HttpStatusCode status)
            {
                using var request = new HttpRequestMessage(new HttpMethod(method), url)
                {
                    Content = body == null ? null : new StringContent(body, Encoding.UTF8, "application/json"),
                };
                using HttpResponseMessage answer = await client.SendAsync(request);
                string text = await answer.Content.ReadAsStringAsync();
                Assert.True(answer.StatusCode == status, $"{method} {url}: {(int)answer.StatusCode} {text}");
                answers.Append(answer.Headers).Append(text);
            }
        }

        AssertNone("an answer", answers.ToString());
        AssertNone("the log", log.ToString());
        byte[] canary = Encoding.UTF8.GetBytes(RecordCanaries.Canary);
        string[] files = Directory.GetFiles(folder, "*", SearchOption.AllDirectories);
        Assert.Contains(files, file => file.EndsWith("audit.jsonl", StringComparison.Ordinal));
        foreach (string file in files)
        {
            Assert.True(File.ReadAllBytes(file).AsSpan().IndexOf(canary) < 0, $"{file} has a secret.");
        }

        // The test can find one: of what is no secret, the folder has a file with it.
        Assert.Contains(files, file => File.ReadAllBytes(file).AsSpan().IndexOf("which is no secret"u8) >= 0);
        Directory.Delete(folder, recursive: true);
    }

    /// <summary>
    /// What callers show to be let in, what the operator has set, what a query asks for: none of it is in what others
    /// read, and a document is nowhere but in its database.
    /// </summary>
    [Fact]
    public async Task No_password_no_key_and_no_parameter_is_in_a_file_answer_log_audit_line_or_metric()
    {
        string folder = Directory.CreateTempSubdirectory("canary").FullName;
        DateTimeOffset now = DateTimeOffset.UtcNow;
        using X509Certificate2 own = TestCertificates.Make("admin", from: now.AddDays(-1), to: now.AddDays(9));
        using X509Certificate2 server = TestCertificates.Make(
            "localhost", from: now.AddDays(-1), to: now.AddDays(9), purpose: CertificateUse.ServerAuthentication,
            names: ["127.0.0.1"]);
        ServerOptions options = SecuredOptionsIn(folder, server, own);
        var log = new AllLog();
        using var loggers = new LoggerFactory([log], new LoggerFilterOptions { MinLevel = LogLevel.Trace });
        var answers = new StringBuilder(OptionTable.Print(options));
        string key;
        await using (ServerHost host = await ServerHost.StartAsync(options, loggers))
        {
            using var client = new SecureClient(host.Url, server, own);
            await ExpectAsync(client, 201, "PUT", "/admin/databases?name=blue", """{"SqlConnectionStrings":{}}""");
            await ExpectAsync(client, 201, "PUT", "/admin/databases?name=red", RecordCanaries.Planted());
            await ExpectAsync(
                client, 201, "PUT", "/databases/blue/docs?id=a", $$"""{"Text":"{{Secret("document")}}"}""");
            await ExpectAsync(client, 204, "POST", "/admin/logs/configuration", """{"Logs":{"MinLevel":"Trace"}}""");
            key = (string)JsonNode.Parse((await client.SendAsync(
                "POST", "/admin/api-keys",
                """{"Name":"k","SecurityClearance":"ValidUser","Permissions":{"red":"Read"},"ExpiresAt":null}"""))
                .Body)!["Key"]!;
            await ExpectAsync(
                client, 200, "POST", "/admin/certificates",
                $$"""{"Name":"made","SecurityClearance":"Operator","Password":"{{Secret("made")}}"}""", keep: false);
            using var keyed = new SecureClient(host.Url, server) { Authorization = "Bearer " + key };
            using var guessing = new SecureClient(host.Url, server) { Authorization = "Bearer " + Secret("guess") };

            // An error says to its caller what it asked for.
            await ExpectAsync(guessing, 401, "GET", $"/databases?access_token={Secret("url")}", keep: false);
            await ExpectAsync(keyed, 403, "GET", $"/databases/blue/docs?id={Secret("id")}", keep: false);
            await ExpectAsync(
                keyed, 404, "GET", $"/databases/red/docs?id={Secret("id")}&access_token={key}", keep: false);
            await ExpectAsync(
                keyed, 200, "POST", "/databases/red/queries",
                $$"""{"Query":"from @all_docs where id() = $p","QueryParameters":{"p":"{{Secret("parameter")}}"} }""");
            foreach (string url in Shown)
            {
                await ExpectAsync(client, 200, "GET", url);
                await ExpectAsync(keyed, null, "GET", url);
            }
        }

        AssertNone("an answer", answers.ToString());
        AssertNone("the log", log.ToString());
        string secret = key.Split('_', 3)[2];
        Assert.DoesNotContain(secret, answers.ToString() + log, StringComparison.Ordinal);
        AssertNoneInFiles(folder, secret);
        Directory.Delete(folder, recursive: true);

        async Task ExpectAsync(
            SecureClient by, int? status, string method, string url, string? body = null, bool keep = true)
        {
            (int actual, string text) = await by.SendAsync(method, url, body);
            Assert.True(status is null || actual == status, $"{method} {url}: {actual} {text}");
            answers.Append(keep ? text : "");
        }
    }

    private static string Secret(string what) => $"{RecordCanaries.Canary}{what}-s3cr3t";

    private static void AssertNoneInFiles(string folder, string key)
    {
        byte[] master = File.ReadAllBytes(Path.Combine(folder, "keys", "master.key"));
        foreach (string file in Directory.GetFiles(folder, "*", SearchOption.AllDirectories))
        {
            byte[] bytes = File.ReadAllBytes(file);
            string where = Path.GetRelativePath(folder, file);
            AssertNone(key, "the API key");
            AssertNone("PRIVATE KEY", "a private key");
            foreach (string what in new[] { "pfx", "made", "guess", "url", "parameter", "id" })
            {
                AssertNone(Secret(what), $"the secret '{what}'");
            }

            if (!where.StartsWith(Path.Combine("data", "Databases", "blue"), StringComparison.Ordinal))
            {
                AssertNone(Secret("document"), "a document of another database");
            }

            if (!where.StartsWith("keys", StringComparison.Ordinal))
            {
                AssertNone(Convert.ToBase64String(master), "the master key");
                Assert.True(bytes.AsSpan().IndexOf(master) < 0, $"{where} has the master key.");
            }

            void AssertNone(string text, string what) =>
                Assert.True(bytes.AsSpan().IndexOf(Encoding.UTF8.GetBytes(text)) < 0, $"{where} has {what}.");
        }
    }

    /// <summary>Over https, with a certificate under a password, and one administrator.</summary>
    private static ServerOptions SecuredOptionsIn(
        string folder, X509Certificate2 server, X509Certificate2 administrator)
    {
        string pfx = Path.Combine(folder, "server.pfx");
        File.WriteAllBytes(pfx, CertificateText.Pkcs12(server, Secret("pfx")));
        ServerOptions options = OptionsIn(folder);
        return options with
        {
            ServerUrl = new Uri("https://127.0.0.1:0"),
            Security = options.Security with
            {
                CertificatePath = pfx,
                CertificatePassword = Secret("pfx"),
                WellKnownAdministrators = [administrator.Thumbprint],
            },
        };
    }

    private static ServerOptions OptionsIn(string folder) => new()
    {
        ServerUrl = new Uri("http://127.0.0.1:0"),
        DataDirectory = Path.Combine(folder, "data"),
        ShowStackTraces = true,
        LogLevel = LogLevel.Trace,
        DrainMax = TimeSpan.FromSeconds(2),
        Security = new SecurityOptions
        {
            KeysFolder = Path.Combine(folder, "keys"),
            AuditFolder = Path.Combine(folder, "log"),
        },
    };

    private static void AssertNone(string where, string text)
    {
        Assert.NotEqual("", text);
        int place = text.IndexOf(RecordCanaries.Canary, StringComparison.Ordinal);
        Assert.True(place < 0, $"{where} has a secret: {(place < 0 ? "" : text[Math.Max(0, place - 200)..])}");
    }

    private sealed class AllLog : ILoggerProvider, ILogger
    {
        private readonly StringBuilder _text = new();

        public ILogger CreateLogger(string categoryName) => this;

        public void Dispose()
        {
        }

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter)
        {
            lock (_text)
            {
                _text.Append(formatter(state, exception)).Append(' ').Append(exception).Append('\n');
            }
        }

        public override string ToString()
        {
            lock (_text)
            {
                return _text.ToString();
            }
        }
    }
}
