using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text;
using SlowTests.Client;
using SlowTests.Support;

namespace SlowTests.Packaging;

/// <summary>The server as one file with its runtime: its assemblies are in no files of their own, and indexes in C# are
/// compiled against them.</summary>
[Trait(Category.Shard, "packaging")]
public sealed class SingleFileTests : IDisposable
{
    /// <summary>Decision 30: a package that is added brings its machine code with it.</summary>
    private const long SizeMax = 130_000_000;

    private readonly string _folder = Directory.CreateTempSubdirectory("raven-one-file-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    [Trait("Fault", "B4")]
    public async Task A_server_published_as_a_single_file_compiles_indexes()
    {
        string app = Path.Combine(_folder, "app");
        await PackageTests.RunAsync(
            NodeProgram.Root, "dotnet", "publish", Path.Combine("src", "CommandLine"), "--nologo",
            "-p:PublishProfile=folder", "-p:SelfContained=true", "-p:DebugType=none",
            "-p:PublishSingleFile=true", "-r", RuntimeInformation.RuntimeIdentifier,
            "--artifacts-path", Path.Combine(_folder, "artifacts"), "-o", app);
        Assert.Empty(Directory.GetFiles(app, "*.dll"));
        Assert.InRange(new FileInfo(Path.Combine(app, "raven")).Length, 1, SizeMax);
        string url = $"http://127.0.0.1:{SamplesTests.FreePort()}";
        using Process server = Process.Start(new ProcessStartInfo(
            Path.Combine(app, "raven"),
            [$"--ServerUrl={url}", $"--DataDir={Path.Combine(_folder, "data")}", "--Indexing.CSharp=All"])
        {
            RedirectStandardOutput = true, RedirectStandardError = true,
        })!;
        try
        {
            Task<string> errors = server.StandardError.ReadToEndAsync();
            string? line = await server.StandardOutput.ReadLineAsync().WaitAsync(TimeSpan.FromMinutes(1));
            Assert.True(line == $"Server available on: {url} (Studio: {url}/studio/)", line ?? await errors);
            using var client = new HttpClient { BaseAddress = new Uri(url) };
            await SendAsync(client, HttpMethod.Put, "/admin/databases?name=db", """{"DatabaseName":"db"}""");
            await SendAsync(
                client, HttpMethod.Put, "/databases/db/docs?id=a", """{"N":"Ann","@metadata":{"@collection":"Os"}}""");
            await SendAsync(client, HttpMethod.Put, "/databases/db/admin/indexes", """
                {"Indexes":[
                    {"Name":"A","Maps":["from o in docs.Os select new { L = o.N.Length }"]},
                    {"Name":"B","Maps":["from o in docs.Os select new { U = Up.Of(o.N) }"],
                     "AdditionalSources":{"Up":"using System.Text.RegularExpressions; public static class Up {
                         public static string Of(string t) => Regex.Replace(t, \"n\", \"m\"); }"}}]}
                """.ReplaceLineEndings(" "));
            foreach (string condition in new[] { "'A' where L = 3", "'B' where U = 'Amm'" })
            {
                string found = await SendAsync(
                    client, HttpMethod.Post, "/databases/db/queries",
                    $$"""{"Query":"from index {{condition}}","WaitForNonStaleResults":true}""");
                Assert.Contains("\"TotalResults\":1", found, StringComparison.Ordinal);
            }
        }
        finally
        {
            server.Kill();
            await server.WaitForExitAsync();
        }
    }

    private static async Task<string> SendAsync(HttpClient client, HttpMethod method, string path, string body)
    {
        using var request = new HttpRequestMessage(method, path)
        {
            Content = new StringContent(body, Encoding.UTF8, "application/json"),
        };
        HttpResponseMessage answer = await client.SendAsync(request);
        string text = await answer.Content.ReadAsStringAsync();
        Assert.True(answer.IsSuccessStatusCode, text);
        return text;
    }
}
