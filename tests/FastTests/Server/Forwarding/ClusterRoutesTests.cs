using System.Net;
using System.Text.Json.Nodes;
using Raven.Cluster.Etcd;
using Raven.Cluster.Store;
using Raven.Server.Http.Cluster;

namespace FastTests.Server.Forwarding;

/// <summary>What the routes of administrators and of topologies answer on a node of a cluster, and on a server without
/// one.</summary>
public sealed class ClusterRoutesTests
{
    [Fact]
    public async Task The_topology_has_the_primary_first_and_its_etag()
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        GroupView group = nodes.Group(GroupRole.Member, nodes.NodeB, epoch: 2, etag: 17) with
        {
            Nodes =
            [
                new GroupNode(nodes.NodeB, GroupRole.Primary), new GroupNode(nodes.NodeA, GroupRole.Rehab),
                new GroupNode(StandInNodes.Node("C", "http://c:1"), GroupRole.Promotable),
            ],
        };
        nodes.OfA.Set(group);
        JsonNode json = (await nodes.A.SendAsync("GET", "/topology?name=DB")).Expect(HttpStatusCode.OK).Json;
        Assert.Equal(17, (long)json["Etag"]!);
        Assert.Equal(
            $"B {nodes.B.Host.Url} db Member|A {nodes.A.Host.Url} db Rehab",
            string.Join('|', json["Nodes"]!.AsArray().Select(Text)));
        Assert.Equal("C http://c:1 db Promotable", string.Join('|', json["Promotables"]!.AsArray().Select(Text)));
        JsonNode record = (await nodes.A.SendAsync("GET", "/admin/databases?name=db")).Json["Topology"]!;
        Assert.Equal(
            """["B"] ["C"] ["A"] 3""",
            string.Join(' ', ((string[])["Members", "Promotables", "Rehabs", "ReplicationFactor"])
                .Select(name => record[name]!.ToJsonString())));
        JsonNode listed = (await nodes.A.SendAsync("GET", "/databases")).Json["Databases"]![0]!["NodesTopology"]!;
        Assert.Equal("B", (string?)listed["Members"]![0]!["NodeTag"]);
        Assert.Equal("http://c:1", (string?)listed["Promotables"]![0]!["NodeUrl"]);

        static string Text(JsonNode? node) =>
            $"{node!["ClusterTag"]} {node["Url"]} {node["Database"]} {node["ServerRole"]}";
    }

    [Fact]
    public async Task The_cluster_is_known_by_each_node()
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        JsonNode json = (await nodes.B.SendAsync("GET", "/cluster/topology")).Expect(HttpStatusCode.OK).Json;
        Assert.Equal("A", (string?)json["Leader"]);
        Assert.Equal("B", (string?)json["NodeTag"]);
        Assert.Equal(3, (long)json["CurrentTerm"]!);
        Assert.Equal("c", (string?)json["Topology"]!["TopologyId"]);
        Assert.Equal(nodes.A.Host.Url, (string?)json["Topology"]!["Members"]!["A"]);
        Assert.True((bool)json["Status"]!["A"]!["Connected"]!);
        JsonNode node = (await nodes.B.SendAsync("GET", "/cluster/node-info")).Expect(HttpStatusCode.OK).Json;
        Assert.Equal("B Follower c", $"{node["NodeTag"]} {node["ClusterStatus"]} {node["TopologyId"]}");
        HttpAnswer told = await nodes.B.SendAsync(
            "GET", "/cluster/topology", (string?)null, "Cluster-Topology-Etag: 4");
        Assert.True(told.Message.Headers.Contains("Refresh-Topology"));
    }

    [Theory]
    [InlineData(
        "PUT", "/admin/cluster/node?url=http%3A%2F%2Fc%3A8080&tag=C&watcher=false", null, 204, "add http://c:8080 C")]
    [InlineData("PUT", "/admin/cluster/node?url=https%3A%2F%2Fc%2F", null, 204, "add https://c")]
    [InlineData("DELETE", "/admin/cluster/node?nodeTag=B", null, 204, "remove B")]
    [InlineData("POST", "/admin/cluster/promote?nodeTag=B", null, 204, "voice B True")]
    [InlineData("POST", "/admin/cluster/demote?nodeTag=B", null, 204, "voice B False")]
    [InlineData(
        "PUT", "/admin/databases?name=new&replicationFactor=2", """{"DatabaseName":"new"}""", 201, "create new 2")]
    [InlineData(
        "PUT", "/admin/databases?name=new&replicationFactor=1",
        """{"DatabaseName":"new","Topology":{"Members":["B","A"]}}""", 201, "create new 2 B,A")]
    [InlineData("DELETE", "/admin/databases?name=db&hardDelete=true", null, 200, "delete db True")]
    [InlineData(
        "DELETE", "/admin/databases", """{"DatabaseNames":["db"],"HardDelete":true,"FromNodes":["B"]}""", 200,
        "remove members db B True")]
    [InlineData(
        "DELETE", "/admin/databases", """{"DatabaseNames":["db"],"FromNodes":["B","A"]}""", 200, "delete db False")]
    [InlineData("PUT", "/admin/databases/node?name=db&node=C", null, 200, "add member db C")]
    [InlineData("PUT", "/admin/databases/node?name=db", null, 200, "add member db")]
    [InlineData("POST", "/admin/databases/promote?name=db&node=B", null, 200, "promote db B False")]
    [InlineData("POST", "/admin/databases/promote?name=db&node=A&acceptDataLoss=true", null, 200, "promote db A True")]
    [InlineData("POST", "/admin/databases/primary?name=db&node=B", null, 200, "hand over db B")]
    [InlineData(
        "POST", "/admin/databases/reorder?name=db", """{"MembersOrder":["B","A"],"Fixed":false}""", 204,
        "reorder db B,A")]
    [InlineData(
        "POST", "/admin/databases/topology/modify?name=db", """{"Members":["A","C"],"Promotables":[]}""", 200,
        "add member db C|remove members db B False")]
    public async Task A_change_is_asked_of_the_cluster(
        string method, string target, string? body, int status, string calls)
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        HttpAnswer answer = await nodes.A.SendAsync(method, target, body);
        Assert.True(answer.Status == status, $"{answer.Status}: {answer.Text}");
        Assert.Equal(calls, string.Join('|', nodes.OfA.Calls));
        if (status != 204)
        {
            Assert.Equal(42, (long)answer.Json["RaftCommandIndex"]!);
        }

        // B is not the node that looks after the cluster: it lets A do it.
        nodes.OfA.Calls.Clear();
        if (!target.Contains("promote?name=db&node=B", StringComparison.Ordinal))
        {
            answer = await nodes.B.SendAsync(method, target, body);
            Assert.True(answer.Status == status, $"{answer.Status}: {answer.Text}");
            Assert.Equal(calls, string.Join('|', nodes.OfA.Calls));
            Assert.Empty(nodes.OfB.Calls);
        }
    }

    [Theory]
    [InlineData("PUT", "/admin/cluster/node?tag=C", null, 400, "'url' is missing")]
    [InlineData("PUT", "/admin/cluster/node?url=ftp%3A%2F%2Fc", null, 400, "no such url")]
    [InlineData("PUT", "/admin/cluster/node?url=http%3A%2F%2Fc%2Fpath", null, 400, "no such url")]
    [InlineData("PUT", "/admin/cluster/node?url=http%3A%2F%2Fc&tag=c1", null, 400, "no tag")]
    [InlineData("PUT", "/admin/cluster/node?url=http%3A%2F%2Fc&watcher=true", null, 501, "watcher=true")]
    [InlineData("DELETE", "/admin/cluster/node", null, 400, "'nodeTag' is missing")]
    [InlineData("POST", "/admin/cluster/promote?nodeTag=ABCDE", null, 400, "no tag")]
    [InlineData("PUT", "/admin/databases?name=new&replicationFactor=0", "{}", 400, "replicationFactor")]
    [InlineData("PUT", "/admin/databases?name=a%2Fb", "{}", 400, "cannot be the name")]
    [InlineData("PUT", "/admin/databases?name=n", """{"Topology":{"Members":["A","A"]}}""", 400, "A twice")]
    [InlineData("PUT", "/admin/databases?name=n", """{"Topology":{"Members":"A"}}""", 400, "Topology.Members")]
    [InlineData("DELETE", "/admin/databases", """{"DatabaseNames":["db"],"FromNodes":["Z"]}""", 400, "Node Z")]
    [InlineData("DELETE", "/admin/databases?name=none", null, 503, "'none' does not exist")]
    [InlineData("PUT", "/admin/databases/node?name=none", null, 503, "'none' does not exist")]
    [InlineData("PUT", "/admin/databases/node", null, 400, "'name' is missing")]
    [InlineData("POST", "/admin/databases/promote?name=db", null, 400, "'node' is missing")]
    [InlineData("POST", "/admin/databases/promote?name=db&node=Z&acceptDataLoss=true", null, 400, "no node Z")]
    [InlineData("POST", "/admin/databases/reorder?name=db", """{"MembersOrder":["A"]}""", 400, "each node")]
    [InlineData("POST", "/admin/databases/reorder?name=db", "{}", 400, "MembersOrder")]
    [InlineData("POST", "/admin/databases/reorder?name=db", """{"MembersOrder":["A",1]}""", 400, "MembersOrder[1]")]
    [InlineData("POST", "/admin/databases/topology/modify?name=db", """{"Members":[]}""", 400, "must have a node")]
    [InlineData("POST", "/admin/databases/topology/modify?name=db", "[]", 400, "")]
    public async Task Bad_input_is_refused_before_anything_is_done(
        string method, string target, string? body, int status, string says)
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        (await nodes.A.SendAsync(method, target, body)).ExpectError(status, says);
        Assert.Empty(nodes.OfA.Calls);
    }

    [Theory]
    [InlineData("/admin/databases/attach")]
    [InlineData("/admin/compact")]
    public async Task What_would_change_one_node_alone_is_refused(string target)
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        (await nodes.A.SendAsync("POST", target, """{"DatabaseName":"db","DatabaseNames":["db"],"Mode":"Unlock"}"""))
            .ExpectError(501, "Nothing was done");
    }

    [Theory]
    [InlineData("/admin/databases/disable", 200, """{"Disabled":true}""")]
    [InlineData("/admin/databases/enable", 200, """{"Disabled":false}""")]
    [InlineData("/admin/databases/set-lock", 204, """{"LockMode":"Unlock"}""")]
    [InlineData(
        "/admin/databases/indexing?name=db&enable=false", 200, """{"Settings":{"Indexing.Disable":"true"}}""")]
    public async Task What_stands_in_a_record_is_changed_for_all_nodes(string target, int status, string record)
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        const string Body = """{"DatabaseNames":["db"],"Mode":"Unlock"}""";
        Assert.Equal(status, (await nodes.A.SendAsync("POST", target, Body)).Status);
        Assert.Equal([$"change db {record}"], nodes.OfA.Calls);
        nodes.OfA.Outcome = new ClusterOutcome(ClusterOutcomeStatus.Unavailable, 0, "the store is away");
        (await nodes.A.SendAsync("POST", target, Body)).ExpectError(503, "the store is away");
    }

    [Theory]
    [InlineData(ClusterOutcomeStatus.Unchanged, 204)]
    [InlineData(ClusterOutcomeStatus.Missing, 400)]
    [InlineData(ClusterOutcomeStatus.Conflict, 409)]
    [InlineData(ClusterOutcomeStatus.Refused, 400)]
    [InlineData(ClusterOutcomeStatus.Unavailable, 503)]
    [InlineData(ClusterOutcomeStatus.Unknown, 500)]
    [InlineData(ClusterOutcomeStatus.NotServed, 501)]
    public async Task What_the_cluster_says_is_answered(ClusterOutcomeStatus outcome, int status)
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        nodes.OfA.Outcome = new ClusterOutcome(outcome, 0, "so it is");
        HttpAnswer answer = await nodes.A.SendAsync("DELETE", "/admin/cluster/node?nodeTag=B");
        Assert.Equal(status, answer.Status);
        if (status >= 400)
        {
            answer.ExpectError(status, "so it is");
        }
    }

    [Fact]
    public async Task Health_tells_how_far_the_nodes_are()
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        JsonNode json = (await nodes.A.SendAsync("GET", "/admin/cluster/health")).Expect(HttpStatusCode.OK).Json;
        Assert.Equal("A", (string?)json["NodeTag"]);
        Assert.Equal(2, json["Nodes"]!.AsArray().Count);
        JsonNode database = Assert.Single(json["Databases"]!.AsArray())!;
        Assert.Equal("db Primary A 1 2 11", string.Join(' ', ((string[])
            ["Name", "Role", "Primary", "Epoch", "InSync", "Committed"]).Select(name => database[name]!.ToString())));
        Assert.Equal(128, (long)database["Nodes"]![1]!["LagSizeInBytes"]!);
        Assert.Equal(2, (long)database["Nodes"]![1]!["LagInRecords"]!);
        Assert.Null(json["Store"]);
        (await nodes.A.SendAsync("GET", "/admin/cluster/health?name=none")).ExpectError(503, "none");
        Assert.Empty((await nodes.A.SendAsync("GET", "/admin/cluster/health?start=1")).Json["Databases"]!.AsArray());
    }

    [Fact]
    public async Task Health_is_told_by_the_node_that_is_named()
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        nodes.OfB.Store = new StoreHealth
        {
            IsManaged = true, Member = new EtcdHealth(new EtcdVersion(3, 5, 16), false, 4096, 1024, true, "no room"),
            Age = TimeSpan.FromSeconds(2), Problem = null,
        };
        JsonNode json = (await nodes.A.SendAsync("GET", "/admin/cluster/health?node=B&name=db")).Json;
        Assert.Equal("B", (string?)json["NodeTag"]);
        JsonNode store = json["Store"]!;
        Assert.Equal("3.5.16 False True 2000 no room", string.Join(' ', ((string[])
            ["Version", "HasLeader", "IsFull", "AgeInMs", "Problem"]).Select(name => store[name]!.ToString())
            .Select(text => text is "true" or "false" ? text[..1].ToUpperInvariant() + text[1..] : text)));
        Assert.Contains("quota", (string?)store["Advice"], StringComparison.Ordinal);
        Assert.Equal("Member", (string?)json["Databases"]![0]!["Role"]);
        (await nodes.A.SendAsync("GET", "/admin/cluster/health?node=X")).ExpectError(400, "There is no node X");
        (await nodes.A.SendAsync("GET", "/admin/cluster/health?node=b")).ExpectError(400, "'b' is no tag");
        nodes.OfA.Cluster = nodes.OfA.Cluster with
        {
            Nodes = [nodes.NodeA, StandInNodes.Node("B", "http://127.0.0.1:1")],
        };
        (await nodes.A.SendAsync("GET", "/admin/cluster/health?node=B")).ExpectError(503, "node B");
    }

    [Fact]
    public async Task The_list_of_the_Studio_has_the_nodes_of_each_database_also_of_those_elsewhere()
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        JsonNode row = (await nodes.A.SendAsync("GET", "/studio/databases")).Json["Databases"]![0]!;
        Assert.Equal("A Primary, B Member", string.Join(", ", row["Nodes"]!.AsArray().Select(
            node => $"{node!["NodeTag"]} {node["Role"]}")));
        nodes.OfA.Set(nodes.Group(GroupRole.None, nodes.NodeB) with { Database = "other" });
        JsonNode all = (await nodes.A.SendAsync("GET", "/studio/databases")).Json;
        Assert.Equal(2, (int)all["TotalResults"]!);
        Assert.Null(all["Databases"]![0]!["Nodes"]);
        Assert.Equal("other Elsewhere", $"{all["Databases"]![1]!["Name"]} {all["Databases"]![1]!["State"]}");
    }

    [Fact]
    public async Task Without_a_cluster_nothing_of_it_is_served_but_its_health()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        foreach ((string method, string target) in ((string, string)[])
        [
            ("PUT", "/admin/cluster/node?url=x"), ("DELETE", "/admin/cluster/node"), ("POST", "/admin/cluster/promote"),
            ("POST", "/admin/cluster/demote"), ("PUT", "/admin/databases/node"), ("POST", "/admin/databases/promote"),
            ("POST", "/admin/databases/primary"), ("POST", "/admin/databases/reorder"),
            ("POST", "/admin/databases/topology/modify"),
        ])
        {
            (await server.SendAsync(method, target)).ExpectError(501, "is not served by this server.");
        }

        JsonNode health = (await server.SendAsync("GET", "/admin/cluster/health")).Expect(HttpStatusCode.OK).Json;
        Assert.False((bool)health["IsClustered"]!);
    }

    [Fact]
    public async Task A_batch_waits_for_as_many_nodes_as_it_asks_for()
    {
        const string batch = """{"Commands":[{"Type":"PUT","Id":"a/1","Document":{}}]}""";
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        (await nodes.A.SendAsync("POST", "~/bulk_docs?numberOfReplicasToWaitFor=2", batch))
            .ExpectError(400, "Nothing is written");
        Assert.Equal(404, (await nodes.A.SendAsync("GET", "~/docs?id=a/1")).Status);
        HttpAnswer late = await nodes.A.SendAsync(
            "POST", "~/bulk_docs?numberOfReplicasToWaitFor=majority&waitForReplicasTimeout=00:00:00.010", batch);
        Assert.Equal(400, late.Status);
        Assert.Contains("The batch is written, but 1 other", (string?)late.Json["Message"], StringComparison.Ordinal);
        Assert.Single(late.Json["Results"]!.AsArray());
        nodes.OfA.ReplicasThatHaveIt = 1;
        (await nodes.A.SendAsync("POST", "~/bulk_docs?numberOfReplicasToWaitFor=1", batch))
            .Expect(HttpStatusCode.Created);
        (await nodes.A.SendAsync("POST", "~/bulk_docs?waitForReplicasTimeout=x", batch))
            .ExpectError(400, "waitForReplicasTimeout");
    }
}
