using System.Diagnostics;
using System.IO.Compression;
using System.Text;
using System.Text.Json.Nodes;
using FastTests.Server;
using Microsoft.AspNetCore.Http;

namespace FastTests.Security;

/// <summary>Dumps that the server reads from its own disk: for operators, regular files below one folder, and nothing
/// from elsewhere.</summary>
[Trait("Row", "90")]
public sealed class FileImportTests : IDisposable
{
    private const string Import = "/databases/red/admin/smuggler/import";
    private const string Dump =
        """{"BuildVersion":72000,"Docs":[{"A":1,"@metadata":{"@id":"a/1","@collection":"As"}}]}""";

    private readonly string _folder = Directory.CreateTempSubdirectory("raven-import-").FullName;
    private readonly SecuredServer _secured;

    public FileImportTests()
    {
        Directory.CreateDirectory(Root);
        _secured = new SecuredServer(null, configureServer: options => options with { BackupRootPath = Root });
    }

    private string Root => Path.Combine(_folder, "root");

    public void Dispose()
    {
        _secured.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public void An_operator_imports_a_file_below_the_root_and_nobody_with_less_does()
    {
        string path = Write("a.ravendbdump", Encoding.UTF8.GetBytes(Dump));
        foreach (string caller in new[] { "N", "U", "E", "R", "W", "A", "K", "M" })
        {
            Assert.Equal(403, Send(caller, $"file={Uri.EscapeDataString(path)}").StatusCode);
        }

        using var packed = new MemoryStream();
        using (var gzip = new GZipStream(packed, CompressionLevel.Fastest, leaveOpen: true))
        {
            gzip.Write(Encoding.UTF8.GetBytes(Dump));
        }

        string linked = Path.Combine(Root, "linked");
        File.CreateSymbolicLink(linked, Write("b.ravendbdump", packed.ToArray()));
        foreach (string file in new[] { path, linked })
        {
            InMemoryRequest answer = Send("O", $"file={Uri.EscapeDataString(file)}");
            Assert.True(answer.StatusCode == 200, answer.Answer);
            Assert.Equal(1, (int)JsonNode.Parse(answer.Answer)!["Documents"]!["ReadCount"]!);
        }

        Assert.Equal(200, _secured.Send("R", "GET", "/databases/red/docs?id=a/1").StatusCode);

        // A link of a page elsewhere leads an operator's browser here.
        InMemoryRequest led = _secured.Request(
            _secured.Caller("O"), "GET", $"{Import}?file={Uri.EscapeDataString(path)}");
        ((IHeaderDictionary)led.Request)["Sec-Fetch-Site"] = "cross-site";
        ((IHeaderDictionary)led.Request)["Sec-Fetch-Mode"] = "navigate";
        Assert.Equal(403, _secured.Server.Send(led));
        Assert.Contains("another origin", led.Answer, StringComparison.Ordinal);
    }

    [Fact]
    public void Nothing_else_is_opened()
    {
        string outside = Path.Combine(_folder, "outside.ravendbdump");
        File.WriteAllText(outside, Dump);
        string link = Path.Combine(Root, "link.ravendbdump");
        File.CreateSymbolicLink(link, outside);
        File.CreateSymbolicLink(Path.Combine(Root, "up"), _folder);
        string pipe = Path.Combine(Root, "pipe");
        using (Process made = Process.Start("mkfifo", [pipe])!)
        {
            made.WaitForExit();
            Assert.Equal(0, made.ExitCode);
        }

        Directory.CreateDirectory(Path.Combine(Root, "folder"));
        string empty = Write("empty", []);
        foreach (string file in new[]
        {
            outside, link, pipe, empty, Path.Combine(Root, "none"), Path.Combine(Root, "folder"),
            Path.Combine(Root, "up", "outside.ravendbdump"), Path.Combine(Root, "..", "outside.ravendbdump"),
            "/proc/self/environ", "/dev/zero", "/etc/passwd", "a.ravendbdump", "", $"{link}\0", "file:///etc/passwd",
        })
        {
            InMemoryRequest answer = Send("O", $"file={Uri.EscapeDataString(file)}");
            Assert.True(answer.StatusCode == 400, $"{file}: {answer.StatusCode} {answer.Answer}");
        }

        foreach (string query in new[] { "url=http%3A%2F%2F169.254.169.254%2F", "url=file%3A%2F%2F%2Fetc" })
        {
            InMemoryRequest answer = Send("O", $"{query}&file={Uri.EscapeDataString(outside)}");
            Assert.True(answer.StatusCode == 501, $"{query}: {answer.StatusCode} {answer.Answer}");
            Assert.Contains("url", answer.Answer, StringComparison.Ordinal);
        }

        string broken = Write("broken", Encoding.UTF8.GetBytes(Dump[..^4]));
        InMemoryRequest failed = Send("O", $"file={Uri.EscapeDataString(broken)}");
        Assert.True(failed.StatusCode == 400, failed.Answer);
    }

    [Fact]
    public void Without_a_root_no_file_is_read()
    {
        string path = Write("a.ravendbdump", Encoding.UTF8.GetBytes(Dump));
        using var server = new InMemoryServer();
        var request = new InMemoryRequest(
            "GET", "/databases/db/admin/smuggler/import", $"?file={Uri.EscapeDataString(path)}");
        Assert.Equal(400, server.Send(request));
        Assert.Contains("Backup.LocalRootPath", request.Answer, StringComparison.Ordinal);
    }

    private InMemoryRequest Send(string caller, string query) => _secured.Send(caller, "GET", $"{Import}?{query}");

    private string Write(string name, byte[] bytes)
    {
        string path = Path.Combine(Root, name);
        File.WriteAllBytes(path, bytes);
        return path;
    }
}
