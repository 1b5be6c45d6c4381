using System.Net;
using System.Text;
using FastTests.Security;
using FastTests.Support;
using Raven.Cluster.Store;
using Raven.Security.Secrets;
using Raven.Server.Http.Security;

namespace FastTests.Server.Nodes;

/// <summary>The secrets in records of a cluster: each node opens them, and nobody else.</summary>
public sealed class ClusterSecretsTests
{
    [Fact]
    [Trait("Invariant", "SECRET-3")]
    [Trait("Invariant", "CSEC-1")]
    public async Task A_secret_that_one_node_took_is_opened_by_the_others_and_is_nowhere_in_the_clear()
    {
        await using TestNodes nodes = await TestNodes.StartAsync("A", "B");
        await nodes.CreateAsync("A", "red", RecordCanaries.Planted());
        await KeyedAsync(nodes, "A", "B");
        Assert.Equal(RecordCanaries.Count, CanariesOn(nodes, "A"));
        Assert.Equal(RecordCanaries.Count, CanariesOn(nodes, "B"));
        Assert.DoesNotContain(RecordCanaries.Canary, nodes.StoreText(), StringComparison.Ordinal);
        foreach (string tag in (string[])["A", "B"])
        {
            HttpAnswer shown = await nodes.SendAsync(tag, "GET", "/admin/databases?name=red");
            Assert.DoesNotContain(RecordCanaries.Canary, shown.Text, StringComparison.Ordinal);
            Assert.DoesNotContain("$sealed", shown.Text, StringComparison.Ordinal);
        }

        await nodes.StopNodeAsync("A");
        Assert.Equal("B", await nodes.PrimaryAsync("red"));
        (await nodes.SendAsync("B", "PUT", "/databases/red/admin/configuration/studio", """{"Note":"another"}"""))
            .Expect(HttpStatusCode.NoContent);
        Assert.Equal(RecordCanaries.Count, CanariesOn(nodes, "B"));
    }

    [Fact]
    [Trait("Invariant", "CSEC-2")]
    [Trait("Invariant", "CSEC-3")]
    public async Task When_a_node_is_removed_all_is_sealed_under_another_key_that_it_is_not_given()
    {
        await using TestNodes nodes = await TestNodes.StartAsync("A", "B", "C");
        await nodes.CreateAsync("A", "red", RecordCanaries.Planted());
        await KeyedAsync(nodes, "A", "B", "C");
        string before = KeysOf(nodes, "A").Current!;
        await nodes.StopNodeAsync("C");
        (await nodes.SendAsync("A", "DELETE", "/admin/cluster/node?nodeTag=C")).Expect(HttpStatusCode.NoContent);
        await Deadline.UntilAsync(
            () => !nodes.StoreText().Contains(before, StringComparison.Ordinal), "The key of before is still there.");
        string after = KeysOf(nodes, "A").Current!;
        Assert.NotEqual(before, after);
        await Deadline.UntilAsync(() => KeysOf(nodes, "B").Current == after, "B has not got the new key.");
        StoreGetResult stored = await nodes.Store.GetAsync(ClusterKeys.RecordOf("red"));
        Assert.Equal([after], RecordSecrets.KeysOf(stored.Entry!.Value));
        Assert.DoesNotContain("node-keys/C", nodes.StoreText(), StringComparison.Ordinal);
        Assert.DoesNotContain($"secrets/{after}/C", nodes.StoreText(), StringComparison.Ordinal);
        foreach (string tag in (string[])["A", "B"])
        {
            await Deadline.UntilAsync(
                () => CanariesOn(nodes, tag) == RecordCanaries.Count, $"{tag} cannot open the secrets.");
        }
    }

    [Fact]
    [Trait("Invariant", "SECRET-3")]
    public async Task The_secrets_of_a_server_become_the_clusters_with_its_databases()
    {
        await using TestNodes nodes = TestNodes.Of("A", "B");
        await using (var alone = await Raven.Server.ServerHost.StartAsync(nodes.AloneOptions("A")))
        {
            alone.State.Databases.TryCreate("red", Encoding.UTF8.GetBytes(RecordCanaries.Planted()), out _);
        }

        await nodes.StartNodeAsync("A");
        Assert.Equal("A", await nodes.PrimaryAsync("red"));
        await nodes.StartNodeAsync("B");
        await KeyedAsync(nodes, "A", "B");
        (await nodes.SendAsync("A", "PUT", "/admin/databases/node?name=red&node=B")).Expect(HttpStatusCode.OK);
        await nodes.InSyncAsync("red", 2);
        Assert.Equal(RecordCanaries.Count, CanariesOn(nodes, "B"));
        Assert.DoesNotContain(RecordCanaries.Canary, nodes.StoreText(), StringComparison.Ordinal);

        // A rotation of one node's master key leaves them as they are.
        nodes["B"].State.Security.RotateMasterKey(TrustFixture.Admin);
        Assert.Equal(RecordCanaries.Count, CanariesOn(nodes, "B"));
        await nodes.StopNodeAsync("B");
        await nodes.StartNodeAsync("B");
        await KeyedAsync(nodes, "B");
        Assert.Equal(RecordCanaries.Count, CanariesOn(nodes, "B"));
    }

    private static SharedKeys KeysOf(TestNodes nodes, string tag) => nodes[tag].State.Security.Secrets.Shared!;

    private static Task KeyedAsync(TestNodes nodes, params string[] tags) => Deadline.UntilAsync(
        () => tags.All(tag => KeysOf(nodes, tag).Current is not null), "Not all nodes have the key.");

    private static int CanariesOn(TestNodes nodes, string tag)
    {
        Assert.True(nodes[tag].State.Databases.TryGetRecord("red", out Raven.Documents.Catalog.DatabaseRecord? record));
        string stored = Encoding.UTF8.GetString(record.Json.Span);
        Assert.DoesNotContain(RecordCanaries.Canary, stored, StringComparison.Ordinal);
        string open = Encoding.UTF8.GetString(
            nodes[tag].State.Security.Secrets.Reveal("red", record.Json.ToArray()));
        return open.Split(RecordCanaries.Canary).Length - 1;
    }
}
