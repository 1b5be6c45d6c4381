using System.Diagnostics;
using System.Text;
using System.Text.RegularExpressions;
using SlowTests.Support;

namespace SlowTests.Packaging;

/// <summary>The commands of docs/operations.md that copy, put back and move data, run as they are but for the machine's
/// folders, port and service.</summary>
[Trait(Category.Shard, "packaging")]
public sealed partial class RunbookTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("raven-runbook-").FullName;
    private ServerProcess? _server;

    public void Dispose()
    {
        _server?.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    [Trait("Fault", "B9")]
    [Trait(Category.Run, Category.Ci)]
    public async Task The_commands_of_the_operations_page_copy_restore_and_move_the_data()
    {
        string page = await File.ReadAllTextAsync(Path.Combine(NodeProgram.Root, "docs", "operations.md"));
        int start = page.IndexOf("## Moving, copying, upgrading", StringComparison.Ordinal);
        string part = page[start..page.IndexOf("## When something is wrong", start, StringComparison.Ordinal)];
        string[] blocks = [.. Block().Matches(part).Select(match => match.Groups[1].Value)];
        Assert.Equal(3, blocks.Length);
        Directory.CreateDirectory(Path.Combine(_folder, "backup"));
        Start();
        await SendAsync(HttpMethod.Put, "/admin/databases?name=shop", """{"DatabaseName":"shop"}""");
        await SendAsync(HttpMethod.Put, "/databases/shop/docs?id=a", """{"Name":"Chai"}""");
        await SendAsync(
            HttpMethod.Post, "/databases/shop/admin/revisions/config", """{"Default":{"MinimumRevisionsToKeep":7}}""");

        await RunAsync(blocks[0]);
        await SendAsync(HttpMethod.Put, "/databases/shop/docs?id=b", """{"Name":"later"}""");
        await RunAsync(blocks[1]);
        string stats = await SendAsync(HttpMethod.Get, "/databases/shop/stats", null);
        Assert.Contains("\"CountOfDocuments\":1,", stats, StringComparison.Ordinal);
        string printed = await RunAsync(blocks[2]);
        Assert.Contains("\"CountOfDocuments\":1,", printed, StringComparison.Ordinal);
        Assert.Contains(
            "\"MinimumRevisionsToKeep\":7", await SendAsync(HttpMethod.Get, "/databases/shop2/revisions/config", null));
        Assert.Contains("Chai", await SendAsync(HttpMethod.Get, "/databases/shop2/docs?id=a", null));
    }

    private string Data => Path.Combine(_folder, "raven");

    private void Start() => _server = ServerProcess.Start(Data);

    private async Task<string> RunAsync(string block)
    {
        var printed = new StringBuilder();
        foreach (string line in block.Split('\n', StringSplitOptions.RemoveEmptyEntries))
        {
            if (line == "systemctl stop raven")
            {
                _server!.Dispose();
            }
            else if (line == "systemctl start raven")
            {
                Start();
            }
            else
            {
                printed.Append(await BashAsync(line
                    .Replace("/var/lib/raven", Data, StringComparison.Ordinal)
                    .Replace("/backup/", _folder + "/backup/", StringComparison.Ordinal)
                    .Replace("http://127.0.0.1:8080", _server!.Url, StringComparison.Ordinal)));
            }
        }

        return printed.ToString();
    }

    private static async Task<string> BashAsync(string line)
    {
        using Process process = Process.Start(new ProcessStartInfo("bash", ["-c", line])
        {
            RedirectStandardOutput = true, RedirectStandardError = true,
        })!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string printed = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        Assert.True(process.ExitCode == 0, $"{line}: {printed}{await errors}");
        return printed;
    }

    private async Task<string> SendAsync(HttpMethod method, string path, string? body)
    {
        using var client = new HttpClient { BaseAddress = new Uri(_server!.Url) };
        using var request = new HttpRequestMessage(method, path)
        {
            Content = body is null ? null : new StringContent(body, Encoding.UTF8, "application/json"),
        };
        HttpResponseMessage answer = await client.SendAsync(request);
        string text = await answer.Content.ReadAsStringAsync();
        Assert.True(answer.IsSuccessStatusCode, text);
        return text;
    }

    [GeneratedRegex(@"```sh\n(.*?)```", RegexOptions.Singleline)]
    private static partial Regex Block();
}
