using System.Text;
using Microsoft.Extensions.Logging;
using Raven.Server;
using Raven.Server.Options;

namespace FastTests.Server;

public sealed class SlowRequestLogTests
{
    private const string Script = "const end = Date.now() + 4; while (Date.now() < end); this.Done = 1;";

    [Theory]
    [InlineData(1, true)]
    [InlineData(600_000, false)]
    public async Task A_request_that_takes_longer_than_the_option_is_logged_as_slow(int millisecondsMin, bool isLogged)
    {
        using var log = new WarningsLog();
        var options = new ServerOptions
        {
            ServerUrl = new Uri("http://127.0.0.1:0"), RunInMemory = true,
            SlowRequestMin = TimeSpan.FromMilliseconds(millisecondsMin),
        };
        using ILoggerFactory loggers = LoggerFactory.Create(builder => builder.AddProvider(log));
        using (ServerHost host = ServerHost.Start(options, loggers))
        using (var client = new HttpClient { BaseAddress = new Uri(host.Url) })
        {
            (await client.PutAsync("/admin/databases?name=db", Json("{}"))).EnsureSuccessStatusCode();
            (await client.PutAsync("/databases/db/docs?id=a", Json("{}"))).EnsureSuccessStatusCode();
            string patch = $"{{\"Patch\":{{\"Script\":\"{Script}\"}}}}";
            (await client.PatchAsync("/databases/db/docs?id=a", Json(patch))).EnsureSuccessStatusCode();
        }

        // The server has stopped: what it had to log is logged.
        string[] slow = [.. log.Lines.Where(line => line.StartsWith("Slow request: PATCH", StringComparison.Ordinal))];
        Assert.Equal(isLogged ? 1 : 0, slow.Length);
        Assert.All(
            slow,
            line => Assert.Matches("^Slow request: PATCH /databases/db/docs took \\d+ ms, answered 200", line));
        Assert.True(isLogged || log.Lines.IsEmpty, string.Join('\n', log.Lines));
    }

    private static StringContent Json(string text) => new(text, Encoding.UTF8, "application/json");
}
