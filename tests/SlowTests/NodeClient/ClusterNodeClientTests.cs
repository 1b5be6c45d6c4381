using System.Diagnostics;
using System.Text.Json;
using SlowTests.Cluster;
using SlowTests.Support;

namespace SlowTests.NodeClient;

/// <summary>
/// The official Node client on three nodes whose primary is killed again and again, as <c>cluster.mjs</c> uses it: no
/// error but one that says that a write was perhaps done, and nothing that was acknowledged is lost.
/// </summary>
[Trait(Category.Shard, "cluster-node")]
public sealed class ClusterNodeClientTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(4);

    [Fact]
    public Task Two_kills_of_the_primary_are_survived() => RunAsync(TimeSpan.FromSeconds(4), kills: 2, writes: 300);

    [Fact]
    public Task A_kill_of_the_primary_every_10_seconds_is_survived_in_10_000_writes() =>
        RunAsync(TimeSpan.FromSeconds(10), kills: 6, writes: 10_000);

    private static async Task RunAsync(TimeSpan every, int kills, int writes)
    {
        await using RealCluster cluster = await RealCluster.StartAsync();
        using Process client = NodeProgram.Start(
            NodeClientFixture.Folder, "cluster.mjs", RealCluster.Database, string.Join(',', cluster.Urls));
        int acknowledged = 0;
        var ended = new TaskCompletionSource<JsonElement>(TaskCreationOptions.RunContinuationsAsynchronously);
        client.OutputDataReceived += (_, line) =>
        {
            if (line.Data is not { } text)
            {
                ended.TrySetException(new InvalidOperationException("The client has ended without its result."));
                return;
            }

            if (!text.StartsWith('{'))
            {
                return;
            }

            using JsonDocument said = JsonDocument.Parse(text);
            if (said.RootElement.TryGetProperty("end", out JsonElement end))
            {
                ended.TrySetResult(end.Clone());
            }
            else
            {
                Volatile.Write(ref acknowledged, said.RootElement.GetProperty("acknowledged").GetInt32());
            }
        };
        client.BeginOutputReadLine();
        Task<string> errors = client.StandardError.ReadToEndAsync();
        try
        {
            await cluster.KillPrimariesAsync(
                every, done => ended.Task.IsCompleted
                    || (done >= kills && Volatile.Read(ref acknowledged) >= writes));
            await client.StandardInput.WriteLineAsync("stop");
            JsonElement end = await ended.Task.WaitAsync(Patience);
            string all = end.GetRawText();
            foreach (string nothing in (string[])["errors", "lost", "old", "twice", "missing"])
            {
                Assert.True(end.GetProperty(nothing).GetArrayLength() == 0, all);
            }

            Assert.True(end.GetProperty("acknowledged").GetInt32() >= writes, all);
            Assert.True(end.GetProperty("identities").GetInt32() > 0, all);
            TestContext.Current.TestOutputHelper?.WriteLine(all);
        }
        catch (Exception e) when (client.HasExited && client.ExitCode != 0)
        {
            throw new InvalidOperationException(await errors, e);
        }
        finally
        {
            if (!client.HasExited)
            {
                client.Kill();
            }
        }

        await cluster.AssertSamePagesAsync();
    }
}
