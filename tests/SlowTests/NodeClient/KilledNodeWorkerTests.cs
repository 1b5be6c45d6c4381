using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Text;
using SlowTests.Client;
using SlowTests.Support;

namespace SlowTests.NodeClient;

/// <summary>A worker of the official Node client goes on by itself when the server was killed with -9.</summary>
[Trait(Category.Shard, "subscriptions")]
[Trait(Category.Run, Category.Ci)]
public sealed class KilledNodeWorkerTests
{
    private const int Kills = 3;
    private const int DocumentsEach = 40;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(90);

    [Fact]
    public async Task The_worker_of_the_Node_client_connects_again_after_kills_and_gets_every_document()
    {
        string folder = Directory.CreateTempSubdirectory("raven-killed-node-").FullName;
        int port = SamplesTests.FreePort();
        string url = $"http://127.0.0.1:{port}";
        ServerProcess server = Start(folder, url);
        ConcurrentDictionary<string, bool> got = new();
        int established = 0;
        try
        {
            using var client = new HttpClient { BaseAddress = new Uri(url), Timeout = Patience };
            await PutAsync(client, "/admin/databases?name=db", "{}");
            await PutAsync(client, "/databases/db/subscriptions", """{"Name":"all","Query":"from Things"}""");
            using Process worker = NodeProgram.Start(NodeClientFixture.Folder, "killed.mjs", url, "db", "all");
            worker.OutputDataReceived += (_, line) =>
            {
                if (line.Data == "established")
                {
                    Interlocked.Increment(ref established);
                }
                else if (line.Data is { } id)
                {
                    got[id] = true;
                }
            };
            worker.BeginOutputReadLine();
            Task<string> errors = worker.StandardError.ReadToEndAsync();
            int stored = 0;
            for (int kill = 0; kill <= Kills; kill++)
            {
                await UntilAsync(() => Volatile.Read(ref established) > kill, worker, errors);
                for (int i = 0; i < DocumentsEach; i++)
                {
                    string id = (stored++).ToString(CultureInfo.InvariantCulture);
                    await PutAsync(
                        client, $"/databases/db/docs?id=things/{id}", """{"@metadata":{"@collection":"Things"}}""");
                }

                if (kill < Kills)
                {
                    server.Kill();
                    server.Dispose();
                    server = Start(folder, url);
                }
            }

            await UntilAsync(() => got.Count >= stored, worker, errors);
            worker.StandardInput.Close();
            await worker.WaitForExitAsync().WaitAsync(Patience);
            Assert.Equal(0, worker.ExitCode);
        }
        finally
        {
            server.Dispose();
            Directory.Delete(folder, recursive: true);
        }
    }

    private static ServerProcess Start(string folder, string url) =>
        ServerProcess.Start(folder, $"--ServerUrl={url}");

    private static async Task PutAsync(HttpClient client, string path, string body)
    {
        using var content = new StringContent(body, Encoding.UTF8, "application/json");
        using HttpResponseMessage answer = await client.PutAsync(new Uri(path, UriKind.Relative), content);
        answer.EnsureSuccessStatusCode();
    }

    private static async Task UntilAsync(Func<bool> isSo, Process worker, Task<string> errors)
    {
        var waited = Stopwatch.StartNew();
        while (!isSo())
        {
            if (worker.HasExited)
            {
                Assert.Fail($"The worker has ended: {await errors}");
            }

            Assert.True(waited.Elapsed < Patience);
            await Task.Delay(20);
        }
    }
}
