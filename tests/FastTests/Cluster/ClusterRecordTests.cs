using System.Text;
using Raven.Cluster.Records;
using Raven.Cluster.Store;

namespace FastTests.Cluster;

/// <summary>The records in the cluster's store.</summary>
public sealed class ClusterRecordTests
{
    private const string Group = """{"lineage":"l1","epoch":3,"primary":"A","inSync":["A","B"]"""
        + ""","members":["A","B","C"],"promotables":["D"],"order":["B","A"],"minInSync":2,"shard":0}""";

    [Fact]
    public void A_record_is_written_as_it_was_read_with_what_this_build_does_not_know()
    {
        AssertSame<DatabaseGroup>(DatabaseGroup.TryRead, record => record.Write(), Group);
        AssertSame<DatabaseGroup>(
            DatabaseGroup.TryRead, record => record.Write(), Group.TrimEnd('}', '\n') + ",\"later\":{\"a\":[1,null]}}");
        AssertSame<ClusterMeta>(
            ClusterMeta.TryRead, record => record.Write(),
            """{"clusterId":"c","featureLevel":1,"topologyBase":7,"later":null}""");
        AssertSame<ClusterNode>(
            ClusterNode.TryRead, record => record.Write(),
            """{"url":"https://a:443","serverId":"s","incarnation":4,"formatMin":1,"formatMax":2,"watcher":false}""");
        AssertSame<NodeNote>(NodeNote.TryRead, record => record.Write(), """{"node":"ABCD","incarnation":9}""");
        AssertSame<NodeNote>(
            NodeNote.TryRead, record => record.Write(), """{"node":"ABCD","incarnation":9,"time":1764340000000}""");
        AssertSame<ServerRecord>(
            ServerRecord.TryRead, record => record.Write(),
            """{"kind":"identity","format":1,"content":{"x":{"y":1.50}}}""");
    }

    [Theory]
    [InlineData("", "no JSON object")]
    [InlineData("[1]", "no JSON object")]
    [InlineData("{}x", "no JSON object")]
    [InlineData("""{"epoch":1,"epoch":2}""", "no JSON object")]
    [InlineData("{}", "'lineage' must be a text")]
    [InlineData("\"epoch\":-1", "'epoch' must be a whole number from 0 on")]
    [InlineData("\"epoch\":1.5", "'epoch'")]
    [InlineData("\"epoch\":\"1\"", "'epoch'")]
    [InlineData("\"epoch\":99999999999999999999", "'epoch'")]
    [InlineData("\"primary\":\"a\"", "'primary' must be a tag")]
    [InlineData("\"primary\":\"ABCDE\"", "'primary' must be a tag")]
    [InlineData("\"lineage\":\"\\ud800\"", "'lineage' must be a text")]
    [InlineData("\"primary\":\"C\"", "'inSync' must have the primary, C")]
    [InlineData("\"inSync\":[\"A\",\"A\"]", "'inSync' has A twice")]
    [InlineData("\"inSync\":[\"A\",\"X\"]", "'inSync' has X, which 'members' has not")]
    [InlineData("\"inSync\":\"A\"", "'inSync' must be a list of tags")]
    [InlineData("\"members\":[\"A\",\"B\",7]", "'members' must be a list of tags")]
    [InlineData("\"promotables\":[\"C\"]", "'promotables' has C, which 'members' has, too")]
    [InlineData("\"order\":[\"Z\"]", "'order' has Z, which has no part in the group")]
    [InlineData("\"minInSync\":-1", "'minInSync'")]
    [InlineData("\"shard\":-1", "'shard'")]
    public void A_malformed_group_is_refused_by_what_is_wrong(string change, string says)
    {
        string json = change.Length > 0 && change[0] == '"'
            ? System.Text.RegularExpressions.Regex.Replace(
                Group, $"{change.Split(':')[0]}:(\\[[^]]*\\]|\"[^\"]*\"|\\d+)", change)
            : change;
        byte[] bytes = Encoding.UTF8.GetBytes(json);
        Assert.False(DatabaseGroup.TryRead(bytes, out DatabaseGroup? record, out string? problem));
        Assert.Null(record);
        Assert.Contains(says, problem, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("""{"url":"a:443","serverId":"s","incarnation":1,"formatMin":1,"formatMax":1}""", "'url'")]
    [InlineData("""{"url":"https://a","serverId":"s","incarnation":1,"formatMin":2,"formatMax":1}""", "'formatMin'")]
    [InlineData("""{"url":"https://a","incarnation":1,"formatMin":1,"formatMax":1}""", "'serverId'")]
    [InlineData(
        """{"url":"https://a","serverId":"s","incarnation":1,"formatMin":1,"formatMax":1,"watcher":1}""", "'watcher'")]
    public void A_malformed_node_is_refused_by_what_is_wrong(string json, string says)
    {
        Assert.False(ClusterNode.TryRead(Encoding.UTF8.GetBytes(json), out _, out string? problem));
        Assert.Contains(says, problem, StringComparison.Ordinal);
    }

    [Fact]
    public void Bytes_by_chance_are_refused_and_nothing_is_thrown()
    {
        var random = new Random(3);
        byte[] good = Encoding.UTF8.GetBytes(Group);
        for (int i = 0; i < 3_000; i++)
        {
            byte[] bytes = [.. good];
            for (int n = random.Next(1, 4); n > 0; n--)
            {
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
            }

            if (DatabaseGroup.TryRead(bytes.AsSpan(0, random.Next(2) == 0 ? bytes.Length : random.Next(bytes.Length)),
                out DatabaseGroup? record, out string? problem))
            {
                Assert.Null(record.ProblemOf());
                record.Write();
            }
            else
            {
                Assert.NotEmpty(problem);
            }
        }
    }

    [Fact]
    public void Keys_of_a_database_have_no_case()
    {
        Assert.Equal("db/shop/group", ClusterKeys.GroupOf("Shop"));
        Assert.Equal("db/shop/record", ClusterKeys.RecordOf("SHOP"));
        Assert.Equal("tasks/shop/7", ClusterKeys.TaskOf("Shop", "7"));
        Assert.True(ClusterKeys.TryReadDatabase("db/shop/group", out string database, out string part));
        Assert.Equal(("shop", "group"), (database, part));
        Assert.All(
            (string[])["db/", "db//group", "db/shop", "db/shop/", "nodes/A", ""],
            key => Assert.False(ClusterKeys.TryReadDatabase(key, out _, out _)));
        Assert.Null(StoreTxn.ProblemOfKey(ClusterKeys.RecordOf(new string('x', 128))));
    }

    private static void AssertSame<T>(TryRead<T> read, Func<T, byte[]> write, string json)
    {
        Assert.True(read(Encoding.UTF8.GetBytes(json), out T? record, out string? problem), problem);
        Assert.Equal(json.Trim(), Encoding.UTF8.GetString(write(record!)));
    }

    private delegate bool TryRead<T>(ReadOnlySpan<byte> json, out T? record, out string? problem);
}
