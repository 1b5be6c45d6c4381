using Raven.Cluster.Replication;
using Shared.Storage;

namespace FastTests.Cluster;

/// <summary>Three nodes whose files are environments of the storage, on simulated disks: their pages are equal.
/// </summary>
public sealed class HostedStorageTests
{
    [Fact]
    public async Task Pages_are_equal_after_takeovers_copies_and_restarts()
    {
        Dictionary<string, SimulatedFileSystem> disks = new() { ["A"] = new(), ["B"] = new(), ["C"] = new() };
        Dictionary<string, HostedDatabase> databases = [];
        await using (var cluster = new ReplicaCluster())
        {
            cluster.Replication = cluster.Replication with { KeptBytesMax = 64 << 10 };
            cluster.MakeFiles = tag =>
            {
                databases[tag] = new HostedDatabase(disks[tag]);
                return (new StorageReplicaFiles(databases[tag], 64 << 10), databases[tag]);
            };
            await cluster.StartAllAsync();
            Dictionary<string, byte[]> written = [];
            var random = new Random(3);
            await WriteAsync(cluster, databases, written, random, 20);

            // A follower is away for more than is kept, and the primary ends while it is.
            await cluster.KillAsync("C");
            await WriteAsync(cluster, databases, written, random, 60);
            await cluster.StartAsync("C");
            await cluster.UntilAsync(() => cluster.InSync() == "A,B,C", "C has not come back");
            string first = cluster.Primary() ?? "A";
            await cluster.KillAsync(first);
            await WriteAsync(cluster, databases, written, random, 20);
            await cluster.StartAsync(first);
            await cluster.UntilAsync(() => cluster.InSync() == "A,B,C", "the old primary has not come back");
            await WriteAsync(cluster, databases, written, random, 5);
            await cluster.UntilAsync(() => databases.Values.All(
                each => each.IsServing && each.Environment is { } environment
                    && environment.Log == databases["A"].Environment?.Log));

            Assert.Null(StatePages.Difference(databases["A"].Environment!, databases["B"].Environment!));
            Assert.Null(StatePages.Difference(databases["A"].Environment!, databases["C"].Environment!));
            Assert.All(written, each => Assert.Equal(each.Value, databases["B"].Read(each.Key)));
        }

        foreach (SimulatedFileSystem disk in disks.Values)
        {
            disk.Dispose();
        }
    }

    private static async Task WriteAsync(
        ReplicaCluster cluster, Dictionary<string, HostedDatabase> databases, Dictionary<string, byte[]> written,
        Random random, int count)
    {
        for (int i = 0; i < count; i++)
        {
            string key = $"k{random.Next(200)}";
            byte[] value = new byte[random.Next(1, 3000)];
            random.NextBytes(value);
            Task write;
            do
            {
                await cluster.UntilAsync(() => cluster.Primary() is not null, "nobody takes writes");
                write = databases[cluster.Primary() ?? "A"].WriteAsync(key, value);
                await cluster.UntilAsync(() => write.IsCompleted, "a write is not answered");
            }
            while (!write.IsCompletedSuccessfully);

            written[key] = value;
        }
    }
}
