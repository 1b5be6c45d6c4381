using Raven.Cluster.Etcd;

namespace FastTests.Cluster;

/// <summary>How an etcd without data begins where others run.</summary>
public sealed class EtcdJoiningTests
{
    private static readonly ManagedEtcdOptions Options = new()
    {
        Program = "etcd",
        Folder = "folder",
        Name = "D",
        ClientUrl = new Uri("http://127.0.0.1:8081"),
        PeerUrl = new Uri("http://127.0.0.1:8082"),
        Members = new Dictionary<string, Uri>(StringComparer.Ordinal) { ["D"] = new("http://127.0.0.1:8082") },
        Token = "t",
    };

    [Fact]
    [Trait("Invariant", "JOIN-1")]
    public void One_that_was_added_joins_with_all_members_and_its_own_name()
    {
        (ManagedEtcdOptions options, string? problem) = EtcdJoining.Decide(
            Options, [Member(1, "A", 9001), Member(0xb, "", 9002), Member(3, "", 8082)]);
        Assert.Null(problem);
        Assert.True(options.IsJoining);
        Assert.Equal(
            ["A=9001", "D=8082", "member-b=9002"],
            options.Members.Select(each => $"{each.Key}={each.Value.Port}").Order(StringComparer.Ordinal));
        Assert.Null(options.ProblemOf());
    }

    [Theory]
    [Trait("Invariant", "JOIN-1")]
    [InlineData(9009, "", "PUT /admin/cluster/node")]
    [InlineData(8082, "D", "its data is gone")]
    [InlineData(8082, "C", "its data is gone")]
    public void One_that_was_not_added_or_has_lost_its_data_begins_nothing(int port, string name, string says)
    {
        (ManagedEtcdOptions options, string? problem) = EtcdJoining.Decide(
            Options, [Member(1, "A", 9001), Member(2, name, port)]);
        Assert.False(options.IsJoining);
        Assert.Contains(says, problem, StringComparison.Ordinal);
    }

    [Fact]
    public void Members_that_are_not_told_apart_are_a_problem()
    {
        (_, string? problem) = EtcdJoining.Decide(
            Options, [Member(1, "A", 9001), Member(2, "A", 9002), Member(3, "", 8082)]);
        Assert.Contains("not told apart", problem, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Invariant", "JOIN-1")]
    public void One_that_the_cluster_begins_with_and_that_is_late_begins_with_its_peers()
    {
        EtcdMember late = Member(2, "D", 8082) with { ClientUrls = [] };
        (ManagedEtcdOptions options, string? problem) = EtcdJoining.Decide(Options, [Member(1, "A", 9001), late]);
        Assert.Null(problem);
        Assert.Same(Options, options);
    }

    private static EtcdMember Member(ulong id, string name, int port) => new(
        id, name, [$"http://127.0.0.1:{port}"], name.Length > 0 ? ["http://127.0.0.1:1"] : [], IsLearner: false);
}
