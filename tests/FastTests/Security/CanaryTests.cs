using System.Net;
using System.Text;
using Microsoft.Extensions.Logging;
using Raven.Server;
using Raven.Server.Options;

namespace FastTests.Security;

/// <summary>Secrets that clients give are in nothing that leaves a server, and in none of its files.</summary>
[Trait("Security", "60")]
public sealed class CanaryTests
{
    [Fact]
    [Trait("Invariant", "SECRET-1")]
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
