using System.Text.Json;
using FastTests.Support;
using Raven.Server;
using Raven.Server.Options;

namespace SlowTests.Security;

/// <summary>
/// The server is killed in the middle of changes of who is trusted: what was acknowledged is in the registry, and the
/// chain of the audit log is whole.
/// </summary>
public sealed class TrustKillTests(ITestOutputHelper output)
{
    private const int Writers = 4;
    private const int ChangesMin = 20;
    private const int MillisecondsMax = 100;

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "kill-trust")]
    public Task The_registry_and_the_audit_log_survive_three_kills() => RunAsync(3, seed: 30);

    [Fact]
    [Trait(Category.Shard, "kill-trust")]
    public Task The_registry_and_the_audit_log_survive_a_hundred_kills() => RunAsync(100, seed: 31);

    [Fact]
    [Trait(Category.Shard, "kill-trust-more")]
    public Task The_registry_and_the_audit_log_survive_a_hundred_more_kills() => RunAsync(100, seed: 32);

    private async Task RunAsync(int kills, int seed)
    {
        var random = new Random(seed);
        using var server = new SecuredProcess();
        TrustLedger[] ledgers = [.. Enumerable.Range(0, Writers).Select(number => new TrustLedger(number, seed))];
        for (int i = 0; i < kills; i++)
        {
            HttpClient[] clients = [.. ledgers.Select(_ => server.Client(server.Admin))];
            Task[] writing = [.. ledgers.Zip(clients, (ledger, client) => Task.Run(() => ledger.RunAsync(client)))];
            int wanted = ledgers.Sum(ledger => ledger.Acknowledged) + ChangesMin;
            await Deadline.UntilAsync(() => ledgers.Sum(ledger => ledger.Acknowledged) >= wanted
                || Array.TrueForAll(writing, task => task.IsCompleted));
            await Task.Delay(random.Next(MillisecondsMax));
            Assert.All(writing, task => Assert.False(task.IsCompleted, task.Exception?.ToString() ?? "ended"));
            server.Kill();
            await Task.WhenAll(writing);
            Array.ForEach(clients, client => client.Dispose());
            if (i % 2 == 0)
            {
                // Which recovers the storage; in the other rounds the server does.
                AssertAuditIsWhole(server);
            }

            server.Start();
            IReadOnlyDictionary<string, string> registered = await ReadAsync(server);
            Assert.Empty(ledgers.SelectMany(ledger => ledger.Check(registered)));
        }

        int acknowledged = ledgers.Sum(ledger => ledger.Acknowledged);
        output.WriteLine($"{acknowledged} changes acknowledged over {kills} kills");
        Assert.True(acknowledged >= kills * ChangesMin, $"only {acknowledged} changes");
    }

    /// <summary>The rights to red of all that is registered, by name.</summary>
    private static async Task<IReadOnlyDictionary<string, string>> ReadAsync(SecuredProcess server)
    {
        using HttpClient admin = server.Client(server.Admin);
        Dictionary<string, string> registered = [];
        foreach (string path in new[] { "/admin/certificates?metadataOnly=true", "/admin/api-keys" })
        {
            string text = await admin.GetStringAsync(new Uri(path, UriKind.Relative));
            using JsonDocument list = JsonDocument.Parse(text);
            foreach (JsonElement one in list.RootElement.GetProperty("Results").EnumerateArray())
            {
                if (one.GetProperty("Permissions").TryGetProperty("red", out JsonElement right))
                {
                    registered.Add(one.GetProperty("Name").GetString()!, right.GetString()!);
                }
            }
        }

        return registered;
    }

    /// <summary>By what the server kept of its end in its own storage, and with its own key.</summary>
    private static void AssertAuditIsWhole(SecuredProcess server) => Assert.Empty(OfflineServer.VerifyAudit(
        new ServerOptions
        {
            DataDirectory = server.Data,
            Security = new SecurityOptions { AuditFolder = server.Audit, KeysFolder = server.Keys },
        },
        TimeProvider.System));
}
