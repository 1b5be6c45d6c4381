using System.Net;
using System.Text.Json.Nodes;
using FastTests.Support;
using Raven.Cluster.Store;

namespace FastTests.Server.Nodes;

/// <summary>The record of a database is the cluster's: what one node was told of it outlives that node.</summary>
public sealed class RecordsOfNodesTests
{
    [Fact]
    [Trait("Invariant", "RECORD-1")]
    public async Task Changes_of_a_record_reach_the_store_and_survive_the_primary()
    {
        await using TestNodes nodes = await TestNodes.StartAsync("A", "B");
        await nodes.CreateAsync("A", "Shop");
        (string Method, string Path, string? Body)[] changes =
        [
            ("PUT", "/databases/shop/admin/configuration/settings", """{"Indexing.Something":"5"}"""),
            ("PUT", "/databases/shop/admin/configuration/studio", """{"Environment":"Production"}"""),
            ("PUT", "/databases/shop/admin/configuration/client", """{"MaxNumberOfRequestsPerSession":5}"""),
            ("POST", "/databases/shop/admin/expiration/config", """{"Disabled":false,"DeleteFrequencyInSec":60}"""),
            ("POST", "/databases/shop/admin/periodic-backup", SharedTask),
            ("POST", "/admin/databases/set-lock", """{"DatabaseNames":["shop"],"Mode":"PreventDeletesError"}"""),
            ("POST", "/admin/databases/indexing?name=shop&enable=false", null),
        ];
        for (int i = 0; i < changes.Length; i++)
        {
            // Through either node.
            HttpAnswer answer = await nodes.SendAsync(
                i % 2 == 0 ? "A" : "B", changes[i].Method, changes[i].Path, changes[i].Body);
            Assert.True(answer.Status < 300, $"{changes[i].Path}: {answer.Status} {answer.Text}");
        }

        StoreGetResult stored = await nodes.Store.GetAsync(ClusterKeys.RecordOf("shop"));
        string record = System.Text.Encoding.UTF8.GetString(stored.Entry!.Value.Span);
        foreach (string part in (string[])["Indexing.Something", "Production", "\"nightly\"", "PreventDeletesError",
            "Indexing.Disable"])
        {
            Assert.Contains(part, record, StringComparison.Ordinal);
        }

        await nodes.StopNodeAsync("A");
        Assert.Equal("B", await nodes.PrimaryAsync("shop"));
        JsonNode kept = await nodes.GetAsync("B", "/admin/databases?name=shop");
        Assert.Equal("5", (string?)kept["Settings"]!["Indexing.Something"]);
        Assert.Equal("true", (string?)kept["Settings"]!["Indexing.Disable"]);
        Assert.Equal("PreventDeletesError", (string?)kept["LockMode"]);
        Assert.Equal("nightly", (string?)kept["PeriodicBackups"]![0]!["Name"]);
        Assert.Equal(5, (int?)kept["Client"]!["MaxNumberOfRequestsPerSession"]);
        Assert.Equal(60, (int?)kept["Expiration"]!["DeleteFrequencyInSec"]);
        Assert.Equal("Production", (string?)kept["Studio"]!["Environment"]);
        HttpAnswer locked = await nodes.SendAsync("B", "DELETE", "/admin/databases?name=shop");
        locked.ExpectError(400, "lock mode");
    }

    [Fact]
    [Trait("Invariant", "RECORD-1")]
    public async Task A_database_is_disabled_and_enabled_on_all_nodes()
    {
        await using TestNodes nodes = await TestNodes.StartAsync("A", "B");
        await nodes.CreateAsync("A", "shop");
        (await nodes.SendAsync("A", "PUT", "/databases/shop/docs?id=a", """{"A":1}""")).Expect(HttpStatusCode.Created);
        HttpAnswer off = await nodes.SendAsync(
            "B", "POST", "/admin/databases/disable", """{"DatabaseNames":["shop","none"]}""");
        JsonArray states = off.Expect(HttpStatusCode.OK).Json["Status"]!.AsArray();
        Assert.Equal([true, false], states.Select(state => (bool)state!["Success"]!));
        foreach (string tag in (string[])["A", "B"])
        {
            await nodes.UntilAsync(tag, "/databases/shop/docs?id=a", answer => answer.Status == 503);
            HttpAnswer write = await nodes.SendAsync(tag, "PUT", "/databases/shop/docs?id=b", "{}");
            write.ExpectError(503, "is disabled");
        }

        // The group goes on, also over a change of its primary, so that it is there at once.
        (await nodes.SendAsync("A", "POST", "/admin/databases/primary?name=shop&node=B")).Expect(HttpStatusCode.OK);
        (await nodes.SendAsync("A", "POST", "/admin/databases/enable", """{"DatabaseNames":["shop"]}"""))
            .Expect(HttpStatusCode.OK);
        foreach (string tag in (string[])["A", "B"])
        {
            await nodes.UntilAsync(tag, "/databases/shop/docs?id=a", answer => answer.Status == 200);
        }

        (await nodes.SendAsync("A", "PUT", "/databases/shop/docs?id=b", "{}")).Expect(HttpStatusCode.Created);
    }

    [Fact]
    [Trait("Invariant", "RECORD-1")]
    public async Task Of_two_changes_at_once_both_are_there()
    {
        await using TestNodes nodes = await TestNodes.StartAsync("A", "B");
        await nodes.CreateAsync("A", "shop");
        HttpAnswer[] answers = await Task.WhenAll(Enumerable.Range(0, 16).Select(i => nodes.SendAsync(
            i % 2 == 0 ? "A" : "B", "POST", "/databases/shop/admin/periodic-backup",
            SharedTask.Replace("nightly", $"task{i}", StringComparison.Ordinal))));
        Assert.All(answers, answer => answer.Expect(HttpStatusCode.OK));
        JsonNode record = await nodes.GetAsync("B", "/admin/databases?name=shop");
        Assert.Equal(
            Enumerable.Range(0, 16).Select(i => $"task{i}").Order(),
            record["PeriodicBackups"]!.AsArray().Select(task => (string)task!["Name"]!).Order());
    }

    [Fact]
    [Trait("Invariant", "RECORD-1")]
    public async Task The_etag_of_a_record_is_the_same_on_all_nodes()
    {
        await using TestNodes nodes = await TestNodes.StartAsync("A", "B");
        await nodes.CreateAsync("A", "shop");
        JsonNode record = await nodes.GetAsync("B", "/admin/databases?name=shop");
        Assert.Equal((long)(await nodes.GetAsync("A", "/admin/databases?name=shop"))["Etag"]!, (long)record["Etag"]!);
        using var put = new HttpRequestMessage(
            HttpMethod.Put, nodes["A"].Url + "/admin/databases?name=shop&replicationFactor=2")
        {
            Content = new StringContent("""{"DatabaseName":"shop","Settings":{"Indexing.A":"b"}}"""),
        };
        put.Headers.TryAddWithoutValidation("ETag", $"\"{record["Etag"]}\"");
        using HttpResponseMessage done = await nodes.Client.SendAsync(put);
        Assert.True(done.IsSuccessStatusCode, await done.Content.ReadAsStringAsync());
        await nodes.UntilAsync(
            "B", "/admin/databases?name=shop", answer => (string?)answer.Json["Settings"]!["Indexing.A"] == "b");

        using var again = new HttpRequestMessage(HttpMethod.Put, put.RequestUri)
        {
            Content = new StringContent("""{"DatabaseName":"shop"}"""),
        };
        again.Headers.TryAddWithoutValidation("ETag", $"\"{record["Etag"]}\"");
        using HttpResponseMessage late = await nodes.Client.SendAsync(again);
        Assert.Equal(HttpStatusCode.Conflict, late.StatusCode);
    }

    [Fact]
    [Trait("Invariant", "TASKS-1")]
    public async Task A_task_belongs_to_the_primary_that_the_store_names()
    {
        await using TestNodes nodes = await TestNodes.StartAsync("A", "B");
        await nodes.CreateAsync("A", "shop");
        (await nodes.SendAsync("A", "POST", "/databases/shop/admin/periodic-backup", SharedTask))
            .Expect(HttpStatusCode.OK);
        Assert.False(nodes["B"].State.Cluster.TryOwn("shop", 1));
        await Deadline.UntilAsync(() => nodes["A"].State.Cluster.TryOwn("shop", 1), "A does not get the task.");
        await Deadline.UntilAsync(() => nodes["B"].State.Cluster.OwnerOf("shop", 1) == "A", "B does not know it.");

        (await nodes.SendAsync("A", "POST", "/admin/databases/primary?name=shop&node=B")).Expect(HttpStatusCode.OK);
        await Deadline.UntilAsync(() => nodes["B"].State.Cluster.TryOwn("shop", 1), "B does not get the task.");
        await Deadline.UntilAsync(() => !nodes["A"].State.Cluster.TryOwn("shop", 1), "A keeps the task.");
        JsonNode tasks = await nodes.GetAsync("A", "/databases/shop/tasks");
        Assert.Equal("B", (string?)tasks["OngoingTasks"]![0]!["ResponsibleNode"]!["NodeTag"]);
        (await nodes.SendAsync("A", "DELETE", "/databases/shop/admin/tasks?type=Backup&id=1"))
            .Expect(HttpStatusCode.OK);
        await Deadline.UntilAsync(
            () => !nodes.StoreText().Contains("tasks/shop/1", StringComparison.Ordinal), "The owner stays.");
    }

    private const string SharedTask = """
        {"Name":"nightly","BackupType":"Snapshot","FullBackupFrequency":"0 0 1 1 *",
         "LocalSettings":{"FolderPath":"/tmp/none"}}
        """;
}
