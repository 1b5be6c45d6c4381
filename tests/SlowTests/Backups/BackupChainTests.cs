using FastTests.Server;
using Shared.Backups;

namespace SlowTests.Backups;

/// <summary>The random histories of the fast tests, many more and longer ones.</summary>
public sealed class BackupChainTests
{
    [Theory]
    [Trait("Row", "71")]
    [Trait(Category.Shard, "backups-chains")]
    [InlineData(0)]
    [InlineData(250)]
    [InlineData(500)]
    [InlineData(750)]
    public Task A_thousand_chains_of_five_are_restored_to_each_file(int first) => PlayAsync(first, 250, 5);

    // Two hundred of fifty, in shards that keep their limit: to restore each file of one is to read 1,275.
    [Fact]
    [Trait("Row", "71")]
    [Trait(Category.Shard, "backups-long-chains")]
    public Task Chains_of_fifty_are_restored_to_each_file() => PlayAsync(1_000, 50, 50);

    [Fact]
    [Trait("Row", "71")]
    [Trait(Category.Shard, "backups-long-chains-2")]
    public Task Chains_of_fifty_are_restored_to_each_file_second_part() => PlayAsync(1_050, 50, 50);

    [Fact]
    [Trait("Row", "71")]
    [Trait(Category.Shard, "backups-long-chains-3")]
    public Task Chains_of_fifty_are_restored_to_each_file_third_part() => PlayAsync(1_100, 50, 50);

    [Fact]
    [Trait("Row", "71")]
    [Trait(Category.Shard, "backups-long-chains-4")]
    public Task Chains_of_fifty_are_restored_to_each_file_fourth_part() => PlayAsync(1_150, 50, 50);

    [Fact]
    [Trait("Row", "71")]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "backups")]
    public Task Twenty_chains_of_five_are_restored_to_each_file() => PlayAsync(2_000, 20, 5);

    private static async Task PlayAsync(int first, int count, int length)
    {
        string root = Directory.CreateTempSubdirectory("raven-chains-").FullName;
        try
        {
            using var server = new TestServer(options => options with { BackupRootPath = root });
            var history = new BackupHistory(
                async (method, path, body) =>
                {
                    HttpAnswer answer = await server.SendAsync(method, path, body);
                    return (answer.Status, answer.Bytes);
                },
                id => server.Host.State.Operations.Find(null, id)!.Ended,
                BackupTarget.Local(root));
            for (int seed = first + 1; seed <= first + count; seed++)
            {
                string name = $"c{seed}";
                await history.PlayAsync(name, seed, length);
                Directory.Delete(Path.Combine(root, name), recursive: true);
            }
        }
        finally
        {
            Directory.Delete(root, recursive: true);
        }
    }
}
