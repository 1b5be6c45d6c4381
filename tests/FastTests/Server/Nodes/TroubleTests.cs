using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using FastTests.Support;
using Raven.Cluster.Records;
using Raven.Cluster.Store;
using Raven.Documents;
using Raven.Documents.Catalog;
using Raven.Server;
using Raven.Server.Http.Cluster;
using Raven.Server.Options;
using Raven.Storage.Files;
using Shared.Storage;

namespace FastTests.Server.Nodes;

/// <summary>What goes wrong around a cluster ends in a refusal that says what to do, or in a healthy group.</summary>
public sealed class TroubleTests
{
    [Fact]
    public async Task A_folder_of_another_cluster_is_refused_and_both_are_named()
    {
        await using TestNodes nodes = await TestNodes.StartAsync("A");
        string own = nodes["A"].State.Cluster.Cluster.ClusterId;
        await nodes.CreateAsync("A", "shop");
        await nodes.StopNodeAsync("A");
        var other = new ClusterMeta { ClusterId = "other", FeatureLevel = 1 };
        nodes.UseStore([]);
        await nodes.Store.TxnAsync(StoreTxn.Put(ClusterKeys.Meta, 0, other.Write()));
        long revision = nodes.Store.Revision;
        string refusal = await nodes.RefusedAsync("A");
        Assert.Contains(own, refusal, StringComparison.Ordinal);
        Assert.Contains("other", refusal, StringComparison.Ordinal);
        HttpAnswer change = await nodes.SendAsync(
            "A", "PUT", "/admin/configuration/client", """{"MaxNumberOfRequestsPerSession":7}""");
        Assert.Equal(503, change.Status);
        (await nodes.SendAsync("A", "PUT", "/admin/databases?name=x", "{}")).ExpectError(503, "other");
        Assert.DoesNotContain("db/", nodes.StoreText(), StringComparison.Ordinal);
        Assert.True(revision > 0);
    }

    [Fact]
    public async Task A_cluster_that_a_newer_program_has_raised_is_refused_by_an_older_one()
    {
        await using TestNodes nodes = TestNodes.Of("A");
        var raised = new ClusterMeta { ClusterId = "c", FeatureLevel = 99 };
        await nodes.Store.TxnAsync(StoreTxn.Put(ClusterKeys.Meta, 0, raised.Write()));
        string refusal = await nodes.RefusedAsync("A");
        Assert.Contains("feature level 99", refusal, StringComparison.Ordinal);
        Assert.Contains("Upgrade", refusal, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Invariant", "VOTER-2")]
    public async Task A_node_that_was_taken_out_stays_out_until_it_is_added_again()
    {
        await using TestNodes nodes = await TestNodes.StartAsync("A", "B");
        await nodes.SettledAsync();
        (await nodes.SendAsync("A", "DELETE", "/admin/cluster/node?nodeTag=B")).Expect(HttpStatusCode.NoContent);
        await Deadline.UntilAsync(
            () => ((ClusterService)nodes["B"].State.Cluster).Hindrance?.Contains(
                "was taken out", StringComparison.Ordinal) == true,
            "B goes on.");
        await nodes.StopNodeAsync("B");
        string refusal = await nodes.RefusedAsync("B");
        Assert.Contains("was taken out of the cluster: add it again", refusal, StringComparison.Ordinal);
        Assert.Null(nodes["A"].State.Cluster.Cluster.Find("B"));
        await nodes.StopNodeAsync("B");

        // Its address tells which one is meant, or its tag.
        (await nodes.SendAsync("A", "PUT", "/admin/cluster/node?url=http://127.0.0.1:1&tag=B"))
            .Expect(HttpStatusCode.NoContent);
        await nodes.StartNodeAsync("B");
        await nodes.SettledAsync();
    }

    [Fact]
    public async Task The_second_server_of_a_tag_is_refused()
    {
        await using TestNodes nodes = await TestNodes.StartAsync("A");
        await nodes.StopNodeAsync("A");
        string refusal = await nodes.RefusedAsync(
            "A", options => options with { DataDirectory = nodes.FolderOf("elsewhere") });
        Assert.Contains("give this one another tag, or remove that node first", refusal, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Invariant", "PLAN-1")]
    public async Task Another_database_of_a_name_that_the_cluster_has_is_left_alone_and_told()
    {
        await using TestNodes nodes = TestNodes.Of("A", "B");
        await AloneAsync(nodes.FolderOf("B"), "shop", "mine");
        await nodes.StartNodeAsync("A");
        await nodes.CreateAsync("A", "shop");
        (await nodes.SendAsync("A", "PUT", "/databases/shop/docs?id=theirs", "{}")).Expect(HttpStatusCode.Created);
        await nodes.StartNodeAsync("B");
        (await nodes.SendAsync("A", "PUT", "/admin/databases/node?name=shop&node=B")).Expect(HttpStatusCode.OK);
        await nodes.UntilAsync("B", "/server/notifications", _ => true);
        await Deadline.UntilAsync(
            () => ((ClusterService)nodes["B"].State.Cluster).ProblemOf("shop") is not null, "B says nothing.");
        Assert.Contains(
            "left alone", ((ClusterService)nodes["B"].State.Cluster).ProblemOf("shop"), StringComparison.Ordinal);
        JsonNode health = await nodes.GetAsync("B", "/admin/cluster/health?name=shop");
        Assert.Contains("another one", (string?)health["Databases"]![0]!["Hindrance"], StringComparison.Ordinal);

        // Requests are answered by the node that has it; the files of B are as they were.
        (await nodes.SendAsync("B", "GET", "/databases/shop/docs?id=theirs")).Expect(HttpStatusCode.OK);
        await nodes.StopNodeAsync("B");
        Assert.True(await HasAsync(nodes.FolderOf("B"), "shop", "mine"));
    }

    [Fact]
    [Trait("Invariant", "PLAN-2")]
    public async Task A_database_that_an_older_copy_of_the_store_does_not_know_is_left_alone_and_told()
    {
        await using TestNodes nodes = await TestNodes.StartAsync("A");
        await nodes.CreateAsync("A", "old");
        IReadOnlyList<KeyValuePair<string, byte[]>> copy = nodes.CopyStore();
        await nodes.CreateAsync("A", "new");
        (await nodes.SendAsync("A", "PUT", "/databases/new/docs?id=a", "{}")).Expect(HttpStatusCode.Created);
        await nodes.StopNodeAsync("A");
        nodes.UseStore(copy);

        // The node has been started more often than this copy knows: it takes part, and knows what the copy lacks.
        await nodes.StartNodeAsync("A");
        await Deadline.UntilAsync(
            () => ((ClusterService)nodes["A"].State.Cluster).ProblemOf("new") is not null, "A says nothing.");
        Assert.Contains(
            "older copy", ((ClusterService)nodes["A"].State.Cluster).ProblemOf("new"), StringComparison.Ordinal);
        await nodes.UntilAsync(
            "A", "/databases/new/notifications",
            answer => answer.Text.Contains("older copy", StringComparison.Ordinal));
        HttpAnswer read = await nodes.SendAsync("A", "GET", "/databases/new/docs?id=a");
        Assert.Equal(503, read.Status);
        Assert.True(nodes["A"].State.Databases.TryGet("new", out _));
    }

    [Fact]
    [Trait("Invariant", "PLAN-2")]
    public async Task A_group_that_an_older_copy_of_the_store_has_under_an_earlier_epoch_is_not_served()
    {
        await using TestNodes nodes = await TestNodes.StartAsync("A");
        await nodes.CreateAsync("A", "shop");
        IReadOnlyList<KeyValuePair<string, byte[]>> copy = nodes.CopyStore();
        await nodes.StopNodeAsync("A");
        await nodes.StartNodeAsync("A");
        await nodes.PrimaryAsync("shop");
        await nodes.StopNodeAsync("A");
        await nodes.StartNodeAsync("A");
        await nodes.PrimaryAsync("shop");
        await nodes.StopNodeAsync("A");
        nodes.UseStore(copy);
        await nodes.StartNodeAsync("A");
        GroupView? group = null;
        await Deadline.UntilAsync(
            () => nodes["A"].State.Cluster.TryGetGroup("shop", out group) && group.Hindrance is not null,
            "A takes part under an epoch that is over.");
        Assert.NotEqual(GroupRole.Primary, group!.Role);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    [Trait("Invariant", "PLAN-2")]
    public async Task A_database_that_was_put_into_the_store_and_not_noted_is_known_by_its_history(bool isOwn)
    {
        await using TestNodes nodes = TestNodes.Of("A");
        await AloneAsync(nodes.FolderOf("A"), "shop", "mine");
        await nodes.StartNodeAsync("A");
        await nodes.PrimaryAsync("shop");
        StoreGetResult stored = await nodes.Store.GetAsync(ClusterKeys.GroupOf("shop"));
        Assert.True(DatabaseGroup.TryRead(stored.Entry!.Value.Span, out DatabaseGroup? group, out _));
        nodes["A"].State.Databases.Records.Write(
        [
            new("cluster-db/shop", null),
            new("cluster-begun/shop", Encoding.ASCII.GetBytes(isOwn ? group.Lineage : "0123456789abcdef")),
        ]);
        await nodes.StopNodeAsync("A");
        await nodes.StartNodeAsync("A");
        if (isOwn)
        {
            await nodes.UntilAsync("A", "/databases/shop/docs?id=mine", answer => answer.Status == 200);
        }
        else
        {
            await Deadline.UntilAsync(
                () => ((ClusterService)nodes["A"].State.Cluster).ProblemOf("shop") is not null, "A says nothing.");
        }
    }

    [Fact]
    public async Task Peers_that_are_not_where_the_options_say_are_told()
    {
        await using TestNodes nodes = await TestNodes.StartAsync("A", "B");
        await nodes.SettledAsync();
        Assert.Null(((ClusterService)nodes["A"].State.Cluster).PeerDifference);
        await nodes.StopNodeAsync("A");
        await nodes.StartNodeAsync("A", options => options with
        {
            Cluster = options.Cluster with
            {
                Peers =
                [
                    .. options.Cluster.Peers.Where(peer => peer.Key == "A"),
                    new("B", new Uri("http://127.0.0.1:1")),
                ],
            },
        });
        await Deadline.UntilAsync(
            () => ((ClusterService)nodes["A"].State.Cluster).PeerDifference is not null, "A does not see it.");
        Assert.Contains(
            "not at http://127.0.0.1:1", ((ClusterService)nodes["A"].State.Cluster).PeerDifference,
            StringComparison.Ordinal);
        await nodes.UntilAsync(
            "A", "/server/notifications", answer => answer.Text.Contains("PeersDiffer", StringComparison.Ordinal));
    }

    [Fact]
    [Trait("Invariant", "RELIEF-1")]
    public async Task A_primary_without_room_on_its_disk_makes_way_and_nothing_is_lost()
    {
        LimitedFolders? disk = null;
        await using TestNodes nodes = TestNodes.Of("A", "B");
        await nodes.StartNodeAsync(
            "A", null, folder => disk = new LimitedFolders(new DatabaseFolders(folder)));
        await nodes.StartNodeAsync("B");
        await nodes.CreateAsync("A", "shop");
        Assert.Equal("A", await nodes.PrimaryAsync("shop"));
        (await nodes.SendAsync("A", "PUT", "/databases/shop/docs?id=a", "{}")).Expect(HttpStatusCode.Created);
        disk!.BytesMax = disk.UsedBytes;
        string large = $$"""{"Text":"{{new string('x', 200_000)}}"}""";
        int count = 0;
        await Deadline.UntilAsync(
            async () =>
            {
                HttpAnswer answer = await nodes.SendAsync(
                    "B", "PUT", $"/databases/shop/docs?id=large/{count++}", large);
                Assert.True(answer.Status is 201 or 500 or 503 or 507, answer.Text);
                return answer.Status == 201 && await nodes.PrimaryAsync("shop") == "B";
            },
            "B does not take over.");
        (await nodes.SendAsync("B", "GET", "/databases/shop/docs?id=a")).Expect(HttpStatusCode.OK);

        // With room again it comes back.
        disk.BytesMax = long.MaxValue;
        await nodes.InSyncAsync("shop", 2);
    }

    private static async Task AloneAsync(string folder, string database, string id)
    {
        await using ServerHost alone = await ServerHost.StartAsync(
            new ServerOptions { ServerUrl = new Uri("http://127.0.0.1:0"), DataDirectory = folder });
        using var client = new HttpClient { BaseAddress = new Uri(alone.Url), Timeout = Deadline.Hang };
        using var record = new StringContent($$"""{"DatabaseName":"{{database}}"}""");
        (await client.PutAsync($"/admin/databases?name={database}", record)).EnsureSuccessStatusCode();
        using var document = new StringContent("{}");
        (await client.PutAsync($"/databases/{database}/docs?id={id}", document)).EnsureSuccessStatusCode();
    }

    /// <summary>Folders of databases that have no more room than a test gives them.</summary>
    private sealed class LimitedFolders(DatabaseFolders inner) : IDatabaseFolders
    {
        private readonly List<QuotaFileSystem> _all = [];

        internal long BytesMax
        {
            get;
            set
            {
                lock (_all)
                {
                    field = value;
                    _all.ForEach(one => one.BytesMax = value);
                }
            }
        } = long.MaxValue;

        internal long UsedBytes
        {
            get
            {
                lock (_all)
                {
                    return _all[^1].UsedBytes;
                }
            }
        }

        public bool Exists(string folder) => inner.Exists(folder);

        public IFileSystem Open(string folder)
        {
            if (folder == DatabaseCatalog.CatalogFolder)
            {
                return inner.Open(folder);
            }

            lock (_all)
            {
                _all.Add(new QuotaFileSystem(inner.Open(folder)) { BytesMax = BytesMax });
                return _all[^1];
            }
        }

        public IDatabaseFolders Within(string folder) => inner.Within(folder);

        public IReadOnlyList<string> List() => inner.List();

        public void Delete(string folder) => inner.Delete(folder);
    }

    private static async Task<bool> HasAsync(string folder, string database, string id)
    {
        await using ServerHost alone = await ServerHost.StartAsync(
            new ServerOptions { ServerUrl = new Uri("http://127.0.0.1:0"), DataDirectory = folder });
        using var client = new HttpClient { BaseAddress = new Uri(alone.Url), Timeout = Deadline.Hang };
        return (await client.GetAsync($"/databases/{database}/docs?id={id}")).IsSuccessStatusCode;
    }
}
