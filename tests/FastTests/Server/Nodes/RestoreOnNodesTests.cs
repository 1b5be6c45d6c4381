using System.Net;
using System.Text.Json.Nodes;
using FastTests.Support;
using Raven.Server;

namespace FastTests.Server.Nodes;

/// <summary>A backup is restored into a cluster: a group of one node, which others are added to.</summary>
public sealed class RestoreOnNodesTests
{
    [Fact]
    [Trait("Invariant", "PLAN-2")]
    public async Task A_backup_becomes_a_group_of_one_that_members_are_added_to()
    {
        string folder = Directory.CreateTempSubdirectory("raven-backups-").FullName;
        try
        {
            await using TestNodes nodes = TestNodes.Of("A", "B");
            foreach (string tag in (string[])["A", "B"])
            {
                await nodes.StartNodeAsync(tag, options => options with { BackupRootPath = folder });
            }

            await nodes.CreateAsync("A", "shop");
            (await nodes.SendAsync("A", "PUT", "/databases/shop/docs?id=a", """{"A":1}"""))
                .Expect(HttpStatusCode.Created);

            // An epoch and more behind the beginning, as a database has that has lived for a while.
            (await nodes.SendAsync("A", "POST", "/admin/databases/primary?name=shop&node=B")).Expect(HttpStatusCode.OK);
            await Deadline.UntilAsync(
                async () => (await nodes.SendAsync("A", "POST", "/admin/databases/primary?name=shop&node=A"))
                    .Status == 200,
                "A does not become primary again.");
            JsonNode backup = await EndAsync(nodes, "A", await nodes.SendAsync(
                "B", "POST", "/databases/shop/admin/backup",
                $$"""{"BackupType":"Snapshot","LocalSettings":{"FolderPath":"{{folder}}/x"} }"""));
            Assert.Equal("Completed", (string?)backup["Status"]);
            string made = Directory.GetDirectories(Path.Combine(folder, "x")).Single();

            HttpAnswer taken = await RestoreAsync(nodes, "B", "SHOP", made);
            taken.ExpectError(400, "already");
            JsonNode restored = await EndAsync(nodes, "B", await RestoreAsync(nodes, "B", "Copy", made));
            Assert.True((string?)restored["Status"] == "Completed", restored.ToJsonString());
            Assert.Equal("B", await nodes.PrimaryAsync("copy"));
            (await nodes.SendAsync("A", "PUT", "/admin/databases/node?name=copy&node=A")).Expect(HttpStatusCode.OK);
            await nodes.InSyncAsync("copy", 2);
            (await nodes.SendAsync("A", "PUT", "/databases/copy/docs?id=b", """{"B":2}"""))
                .Expect(HttpStatusCode.Created);
            await nodes.StopNodeAsync("B");
            foreach (string id in (string[])["a", "b"])
            {
                await nodes.UntilAsync("A", $"/databases/copy/docs?id={id}", answer => answer.Status == 200);
            }
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task What_is_refused_says_why_and_what_to_do_instead()
    {
        await using TestNodes nodes = await TestNodes.StartAsync("A");
        (await nodes.SendAsync("A", "POST", "/admin/compact", """{"DatabaseName":"shop","Documents":true}"""))
            .ExpectError(501, "the same pages");
        (await nodes.SendAsync("A", "POST", "/admin/databases/attach?name=x&folder=y", "{}"))
            .ExpectError(501, "Restore");
    }

    private static Task<HttpAnswer> RestoreAsync(TestNodes nodes, string tag, string name, string folder) =>
        nodes.SendAsync(
            tag, "POST", "/admin/restore/database",
            $$"""{"DatabaseName":"{{name}}","BackupLocation":"{{folder}}"}""");

    /// <summary>Waits for the end of an operation, and gives its state.</summary>
    private static async Task<JsonNode> EndAsync(TestNodes nodes, string tag, HttpAnswer started)
    {
        long id = (long)started.Expect(HttpStatusCode.OK).Json["OperationId"]!;
        ServerHost host = nodes[tag];
        await host.State.Operations.Find(null, id)!.Ended.WaitAsync(Deadline.Hang);
        return await nodes.GetAsync(tag, $"/operations/state?id={id}");
    }
}
