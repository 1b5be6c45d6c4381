using System.Net;
using System.Text.Json.Nodes;
using FastTests.Security;
using FastTests.Support;
using Raven.Documents.Catalog;
using Raven.Documents.Indexing.Extensions;
using Raven.Security.Registry;
using Raven.Security.Rights;
using Raven.Server;

namespace FastTests.Server.Nodes;

/// <summary>What all nodes of a cluster share: on each of them what was changed on one, and no change without the
/// store.</summary>
public sealed class SharedStateTests
{
    private const string Sorter = """
        {"Sorters":[{"Name":"Mine","Code":"public class Mine { }"}]}
        """;

    [Fact]
    [Trait("Invariant", "SHARED-1")]
    public async Task What_one_node_is_told_all_nodes_do()
    {
        await using TestNodes nodes = await TestNodes.StartAsync("A", "B");
        (await nodes.SendAsync("A", "PUT", "/admin/configuration/client", """{"MaxNumberOfRequestsPerSession":7}"""))
            .Expect(HttpStatusCode.NoContent);
        Assert.Equal(7, await MaxOfAsync(nodes, "A"));
        await nodes.UntilAsync(
            "B", "/configuration/client", answer => answer.Status == 200
                && (int?)answer.Json["MaxNumberOfRequestsPerSession"] == 7);

        (await nodes.SendAsync("B", "PUT", "/admin/configuration/client", """{"MaxNumberOfRequestsPerSession":8}"""))
            .Expect(HttpStatusCode.NoContent);
        await nodes.UntilAsync(
            "A", "/configuration/client", answer => (int?)answer.Json["MaxNumberOfRequestsPerSession"] == 8);

        (await nodes.SendAsync("B", "PUT", "/admin/configuration/server-wide/backup", WideTask))
            .Expect(HttpStatusCode.OK);
        await nodes.UntilAsync(
            "A", "/admin/configuration/server-wide/tasks?type=Backup",
            answer => answer.Json["Results"]!.AsArray().Count == 1);
        (await nodes.SendAsync("A", "DELETE", "/admin/configuration/server-wide/task?type=Backup&name=wide"))
            .Expect(HttpStatusCode.NoContent);
        await nodes.UntilAsync(
            "B", "/admin/configuration/server-wide/tasks?type=Backup",
            answer => answer.Json["Results"]!.AsArray().Count == 0);
        Assert.DoesNotContain("s3cr3t", nodes.StoreText(), StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Invariant", "SHARED-1")]
    public async Task Analyzers_and_sorters_of_all_databases_come_and_go_on_all_nodes()
    {
        await using TestNodes nodes = await TestNodes.StartAsync("A", "B");
        await ShareSorterAsync(nodes["A"], "one", "class one {}");
        await ShareSorterAsync(nodes["A"], "two", "class two {}");
        await nodes.UntilAsync(
            "B", "/admin/sorters", answer => NamesIn(answer.Json).SequenceEqual(["one", "two"]));
        (await nodes.SendAsync("B", "DELETE", "/admin/sorters?name=one")).Expect(HttpStatusCode.NoContent);
        await nodes.UntilAsync("A", "/admin/sorters", answer => NamesIn(answer.Json).SequenceEqual(["two"]));

        // What does not compile is nowhere.
        HttpAnswer refused = await nodes.SendAsync("A", "PUT", "/admin/sorters", Sorter);
        Assert.True(refused.Status is 400 or 501, refused.Text);
        Assert.Equal(["two"], NamesIn(await nodes.GetAsync("A", "/admin/sorters")));
        Assert.DoesNotContain("mine", nodes.StoreText(), StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Invariant", "SHARED-1")]
    public async Task A_key_that_was_deleted_or_narrowed_on_one_node_is_so_on_the_other()
    {
        await using TestNodes nodes = await TestNodes.StartAsync("A", "B");
        nodes["A"].State.Security.Trust.Keys.Create(
            TrustFixture.Admin, TrustFixture.WantedKey(clearance: Clearance.Operator), out RegisteredKey made);
        string id = made.Id;
        await Deadline.UntilAsync(() => RightOf(nodes["B"], id) == Clearance.Operator, "B has no key.");
        nodes["B"].State.Security.Trust.Keys.Edit(
            TrustFixture.Admin, id, TrustFixture.WantedKey(clearance: Clearance.ValidUser));
        await Deadline.UntilAsync(() => RightOf(nodes["A"], id) == Clearance.ValidUser, "A does not narrow it.");
        nodes["B"].State.Security.Trust.Keys.Delete(TrustFixture.Admin, id);
        await Deadline.UntilAsync(() => RightOf(nodes["A"], id) is null, "A still trusts the key.");
    }

    [Fact]
    [Trait("Invariant", "SHARE-1")]
    [Trait("Invariant", "SHARED-2")]
    public async Task Without_the_store_nothing_changes_and_what_is_known_counts()
    {
        await using TestNodes nodes = await TestNodes.StartAsync("A", "B");
        await nodes.CreateAsync("A", "shop");
        (await nodes.SendAsync("A", "PUT", "/admin/configuration/client", """{"MaxNumberOfRequestsPerSession":7}"""))
            .Expect(HttpStatusCode.NoContent);
        await nodes.UntilAsync("B", "/configuration/client", answer => answer.Status == 200);
        nodes.IsStoreAway = true;
        foreach ((string method, string path, string? body) in ((string, string, string?)[])
        [
            ("PUT", "/admin/configuration/client", """{"MaxNumberOfRequestsPerSession":9}"""),
            ("PUT", "/admin/configuration/server-wide/backup", PlainTask),
            ("PUT", "/databases/shop/admin/configuration/settings", """{"Indexing.Something":"5"}"""),
            ("PUT", "/databases/shop/admin/configuration/studio", """{"A":1}"""),
            ("POST", "/databases/shop/admin/periodic-backup", PlainTask),
            ("POST", "/admin/databases/disable", """{"DatabaseNames":["shop"]}"""),
            ("POST", "/admin/databases/set-lock", """{"DatabaseNames":["shop"],"Mode":"PreventDeletesError"}"""),
            ("POST", "/admin/databases/indexing?name=shop&enable=false", null),
            ("PUT", "/admin/databases?name=other", "{}"),
        ])
        {
            HttpAnswer answer = await nodes.SendAsync("A", method, path, body);
            Assert.True(answer.Status == 503, $"{method} {path}: {answer.Status} {answer.Text}");
        }

        Assert.Equal(7, await MaxOfAsync(nodes, "A"));
        Assert.Equal(7, await MaxOfAsync(nodes, "B"));
        (await nodes.SendAsync("B", "PUT", "/databases/shop/docs?id=a", """{"A":1}"""))
            .Expect(HttpStatusCode.Created);
        (await nodes.SendAsync("B", "GET", "/databases/shop/docs?id=a")).Expect(HttpStatusCode.OK);
        RegistryException refused = Assert.Throws<RegistryException>(() => nodes["A"].State.Security.Trust.Keys.Create(
            TrustFixture.Admin, TrustFixture.WantedKey(clearance: Clearance.Operator), out _));
        Assert.Equal(RegistryRefusal.Unavailable, refused.Reason);

        nodes.IsStoreAway = false;
        await Deadline.UntilAsync(
            async () => (await nodes.SendAsync(
                "A", "PUT", "/admin/configuration/client", """{"MaxNumberOfRequestsPerSession":9}""")).Status == 204,
            "It is refused although the store is back.");
    }

    [Fact]
    [Trait("Invariant", "SHARED-3")]
    public async Task The_first_node_gives_what_it_has_and_one_that_joins_takes_it()
    {
        await using TestNodes nodes = TestNodes.Of("A", "B");
        foreach ((string tag, int max) in ((string, int)[])[("A", 7), ("B", 8)])
        {
            await using ServerHost alone = await ServerHost.StartAsync(nodes.AloneOptions(tag));
            using var client = new HttpClient { BaseAddress = new Uri(alone.Url), Timeout = Deadline.Hang };
            using var body = new StringContent($$"""{"MaxNumberOfRequestsPerSession":{{max}}}""");
            (await client.PutAsync("/admin/configuration/client", body)).EnsureSuccessStatusCode();
            using var task = new StringContent(WideTask.Replace("wide", $"of {tag}", StringComparison.Ordinal));
            (await client.PutAsync("/admin/configuration/server-wide/backup", task)).EnsureSuccessStatusCode();
        }

        await nodes.StartNodeAsync("A");
        await Deadline.UntilAsync(
            () => nodes.StoreText().Contains("state-begun", StringComparison.Ordinal), "A has given nothing.");
        await nodes.StartNodeAsync("B");
        await nodes.UntilAsync(
            "B", "/configuration/client", answer => (int?)answer.Json["MaxNumberOfRequestsPerSession"] == 7);
        await nodes.UntilAsync(
            "B", "/admin/configuration/server-wide/tasks?type=Backup",
            answer => answer.Json["Results"]!.AsArray().Select(task => (string?)task!["Name"]).SequenceEqual(["of A"]));
        Assert.DoesNotContain("s3cr3t", nodes.StoreText(), StringComparison.Ordinal);
    }

    private const string PlainTask = """
        {"Name":"t","BackupType":"Snapshot","FullBackupFrequency":"0 0 1 1 *",
         "LocalSettings":{"FolderPath":"/tmp/none"}}
        """;

    private static string WideTask =>
        Task("/tmp/none").Replace("\"Name\":\"t\"", "\"Name\":\"wide\"", StringComparison.Ordinal);

    private static string Task(string folder) => $$"""
        {"Name":"t","BackupType":"Snapshot","FullBackupFrequency":"0 0 1 1 *",
         "LocalSettings":{"FolderPath":"{{folder}}"},
         "S3Settings":{"BucketName":"bucket-of-shop","AwsRegionName":"eu-west-1","AwsAccessKey":"a",
           "AwsSecretKey":"s3cr3t"} }
        """;

    private static Clearance? RightOf(ServerHost host, string id) =>
        host.State.Security.Trust.Current.Keys.FirstOrDefault(key => key.Id == id)?.Clearance;

    private static string[] NamesIn(JsonNode json) =>
        [.. json["Sorters"]!.AsArray().Select(one => (string)one!["Name"]!)];

    private static async Task<int?> MaxOfAsync(TestNodes nodes, string tag) =>
        (int?)(await nodes.GetAsync(tag, "/configuration/client"))["MaxNumberOfRequestsPerSession"];

    private static async Task ShareSorterAsync(ServerHost host, string name, string code)
    {
        ExtensionSource[] put = [new(ExtensionKind.Sorter, name, code)];
        host.State.Databases.Shared!.ShareExtensions(put, default, null);
        await ExtensionChanges.TakeAsync(
            host.State.Databases, [.. host.State.Databases.Indexing!.Extensions.All(ExtensionKind.Sorter), .. put]);
    }
}
