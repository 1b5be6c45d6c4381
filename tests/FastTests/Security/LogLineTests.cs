using FastTests.Server;
using Microsoft.Extensions.Logging;
using Raven.Server;
using Raven.Server.Diagnostics;
using Raven.Server.Options;

namespace FastTests.Security;

/// <summary>What a caller sends stays within its line of the log, and tells a terminal nothing.</summary>
[Trait("Security", "58")]
public sealed class LogLineTests
{
    [Theory]
    [InlineData("plain text with \u00e4 and \u4e2d", "plain text with \u00e4 and \u4e2d")]
    [InlineData("a\r\n2026-11-21 crit: all is lost", "a\\u000D\\u000A2026-11-21 crit: all is lost")]
    [InlineData("\u001b[2J\u001b]0;title\u0007", "\\u001B[2J\\u001B]0;title\\u0007")]
    [InlineData("a\u2028b\u2029c\u0085d", "a\\u2028b\\u2029c\\u0085d")]
    [InlineData("a\u202etxt.exe\u200b", "a\\u202Etxt.exe\\u200B")]
    [InlineData("\t\0\u007f", "\\u0009\\u0000\\u007F")]
    public void A_line_has_escapes_for_what_changes_a_line_or_a_terminal(string text, string line)
    {
        using var log = new WarningsLog();
        var logs = new LogSwitch(new OneLog(log), LogLevel.Information);
        ServerLog.OptionIgnored(logs.CreateLogger("x"), text);
        Assert.Equal(line + " ", Assert.Single(log.Lines));
    }

    [Fact]
    public void A_line_is_cut()
    {
        Assert.Equal(LogText.LengthMax + 3, LogText.OneLine(new string('x', 1 << 20)).Length);
        Assert.InRange(LogText.OneLine(new string('\u001b', 1 << 20)).Length, LogText.LengthMax, LogText.LengthMax + 9);
        string whole = new('x', LogText.LengthMax);
        Assert.Same(whole, LogText.OneLine(whole));
    }

    [Theory]
    [InlineData("plain", true)]
    [InlineData("a\u001b[2Jb", false)]
    public void An_exception_that_has_such_characters_is_a_part_of_the_line(string message, bool isKept)
    {
        using var log = new WarningsLog();
        var logs = new LogSwitch(new OneLog(log), LogLevel.Information);
        ServerLog.RequestFailed(
            logs.CreateLogger("x"), new InvalidOperationException(message), "1", "GET", "/");
        string line = Assert.Single(log.Lines);
        Assert.DoesNotContain('\u001b', line);
        Assert.Contains("Error 1: GET / failed", line, StringComparison.Ordinal);
        Assert.Contains(isKept ? "plain" : "a\\u001B[2Jb", line, StringComparison.Ordinal);
    }

    [Fact]
    public void A_path_of_a_request_writes_no_line_of_its_own()
    {
        using var log = new WarningsLog();
        using ILoggerFactory loggers = LoggerFactory.Create(builder => builder.AddProvider(log));
        var options = new ServerOptions
        {
            ServerUrl = new Uri("http://127.0.0.1:0"), RunInMemory = true, SlowRequestMin = TimeSpan.Zero,
        };
        using (ServerHost host = ServerHost.Start(options, loggers))
        {
            foreach (string path in new[]
            {
                "/databases/a%0d%0acrit:%20all%20is%20lost/docs?id=a%0d%0ab", "/x%1b[2J%e2%80%a8y", "/%c2%9b31mred",
                "/" + new string('x', 8000),
            })
            {
                using var connection = new RawConnection(new Uri(host.Url).Port);
                connection.Send($"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
                Assert.InRange(connection.Receive().Status, 400, 503);
            }
        }

        Assert.NotEmpty(log.Lines);
        Assert.All(log.Lines, line =>
        {
            Assert.DoesNotContain(line.TrimEnd(), char.IsControl);
            Assert.InRange(line.Length, 1, LogText.LengthMax + 9);
        });
        Assert.Contains(log.Lines, line => line.Contains("a\\u000D\\u000Acrit: all is lost", StringComparison.Ordinal));
    }

    /// <summary>A factory of one log.</summary>
    private sealed class OneLog(WarningsLog log) : ILoggerFactory
    {
        public ILogger CreateLogger(string categoryName) => log;

        public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

        public void Dispose()
        {
        }
    }
}
