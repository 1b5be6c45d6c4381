using FastTests.Support;
using Shared.Backups;

namespace FastTests.Server.Backups;

/// <summary>Random databases with everything that a database has, backed up in chains, and restored to each file.
/// </summary>
public sealed class BackupChainTests(S3Server server) : IClassFixture<S3Server>
{
    private const int ChainLength = 3;

    public static TheoryData<int> Seeds => [.. Enumerable.Range(1, 20)];

    [Theory]
    [Trait("Row", "71")]
    [MemberData(nameof(Seeds))]
    public Task Each_file_of_a_chain_restores_the_state_of_its_time(int seed) => PlayAsync(
        $"r{seed}", seed, BackupTarget.Local(server.Backups.Folder("chains")));

    [Theory]
    [Trait("Row", "71")]
    [InlineData(4)]
    [InlineData(9)]
    public Task The_same_over_S3(int seed) => PlayAsync(
        $"s3-{seed}", seed, new BackupTarget(
            name => $",\"S3Settings\":{server.S3.Settings(name)}",
            (name, folder) => $",\"Type\":\"S3\",\"Settings\":{server.S3.Settings($"{name}/{folder}")}"));

    private Task PlayAsync(string name, int seed, BackupTarget target)
    {
        var history = new BackupHistory(
            async (method, path, body) =>
            {
                HttpAnswer answer = await server.Backups.SendAsync(method, path, body);
                return (answer.Status, answer.Bytes);
            },
            id => server.Backups.State.Operations.Find(null, id)!.Ended.WaitAsync(Deadline.Hang),
            target);
        return history.PlayAsync(name, seed, ChainLength);
    }
}
