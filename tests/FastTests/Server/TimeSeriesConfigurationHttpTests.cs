using System.Net;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;

namespace FastTests.Server;

/// <summary>The configuration of time series over HTTP, as clients send and read it.</summary>
public sealed partial class TimeSeriesConfigurationHttpTests
{
    private const string Hour = """{"Value":3600,"Unit":"Second"}""";
    private const string Month = """{"Value":1,"Unit":"Month"}""";
    private const string Day = """{"Value":86400,"Unit":"Second"}""";
    private const string None = """{"Value":0,"Unit":"None"}""";
    private const string ForEver = """{"Value":2147483647,"Unit":"None"}""";

    [Fact]
    public async Task A_configuration_is_in_the_record_complete()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        Assert.Equal(404, (await server.SendAsync("GET", "~/timeseries/config")).Status);
        Assert.Null((await server.SendAsync("GET", "~/admin/record")).Json["TimeSeries"]);
        HttpAnswer answer = await server.SendAsync("POST", "~/admin/timeseries/config", Fill("""
            {"Collections":{"Users":{"Policies":[
                {"Name":"ByMonth","AggregationTime":<Month>,"RetentionTime":<ForEver>},
                {"Name":"ByHour","AggregationTime":<Hour>,"RetentionTime":{"Value":12,"Unit":"Month"}}],
                "RawPolicy":{"Name":"rawpolicy","RetentionTime":<Day>,"AggregationTime":null}}},
             "PolicyCheckFrequency":"00:01:00","NamedValues":{"Users":{"HeartRate":["BPM"]}}}
            """));
        answer.Expect(HttpStatusCode.OK);
        Assert.True((long)answer.Json["RaftCommandIndex"]! > 0);
        string expected = Fill("""
            {"Collections":{"Users":{"Disabled":false,"Policies":[
            {"Name":"ByHour","RetentionTime":{"Value":12,"Unit":"Month"},"AggregationTime":<Hour>},
            {"Name":"ByMonth","RetentionTime":<ForEver>,"AggregationTime":<Month>}],
            "RawPolicy":{"Name":"rawpolicy","RetentionTime":<Day>,"AggregationTime":<None>}}},
            "PolicyCheckFrequency":"00:01:00","NamedValues":{"Users":{"HeartRate":["BPM"]}}}
            """).ReplaceLineEndings("");
        Assert.Equal(expected, (await server.SendAsync("GET", "~/timeseries/config")).Json.ToJsonString());
        Assert.Equal(expected, (await server.SendAsync("GET", "~/admin/record")).Json["TimeSeries"]!.ToJsonString());
    }

    [Fact]
    public async Task Policies_and_names_are_changed_one_by_one()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await PutPolicyAsync(server, """{"Name":"ByDay","AggregationTime":<Day>,"RetentionTime":null}""");
        await PutPolicyAsync(server, """{"Name":"ByHour","AggregationTime":<Hour>,"RetentionTime":null}""");
        await PutPolicyAsync(server, """{"Name":"byday","AggregationTime":<Day>,"RetentionTime":<Day> }""");
        await PutPolicyAsync(server, """{"Name":"RawPolicy","RetentionTime":<Day> }""");
        JsonNode users = (await server.SendAsync("GET", "~/timeseries/config")).Json["Collections"]!["Users"]!;
        Assert.Equal(
            ["ByHour", "byday"], users["Policies"]!.AsArray().Select(policy => (string)policy!["Name"]!));
        Assert.Equal(86400, (int)users["RawPolicy"]!["RetentionTime"]!["Value"]!);
        (await server.SendAsync("DELETE", "~/admin/timeseries/policy?collection=users&name=BYHOUR"))
            .Expect(HttpStatusCode.OK);
        (await server.SendAsync("DELETE", "~/admin/timeseries/policy?collection=users&name=rawpolicy"))
            .Expect(HttpStatusCode.OK);
        (await server.SendAsync("DELETE", "~/admin/timeseries/policy?collection=users&name=ByHour"))
            .ExpectError(400, "has no policy 'ByHour'");
        await NamesAsync(server, """["BPM"]""", "true");
        (await server.SendAsync("POST", "~/timeseries/names/config", Names("""["Other"]""", "false")))
            .ExpectError(400, "have names already");
        await NamesAsync(server, """["Rate","Pressure"]""", "true");
        JsonNode all = (await server.SendAsync("GET", "~/timeseries/config")).Json;
        Assert.Single(all["Collections"]!["Users"]!["Policies"]!.AsArray());
        Assert.Equal(
            "None", (string?)all["Collections"]!["Users"]!["RawPolicy"]!["RetentionTime"]!["Unit"]);
        Assert.Equal("""{"Users":{"HeartRate":["Rate","Pressure"]}}""", all["NamedValues"]!.ToJsonString());
    }

    [Theory]
    [InlineData("""{"Name":"a@b","AggregationTime":{"Value":1,"Unit":"Second"}}""", "must not have an @")]
    [InlineData("""{"Name":"","AggregationTime":{"Value":1,"Unit":"Second"}}""", "Name")]
    [InlineData("""{"Name":"a"}""", "AggregationTime must be so many seconds or months")]
    [InlineData("""{"Name":"a","AggregationTime":{"Value":0,"Unit":"Second"}}""", "above 0")]
    [InlineData("""{"Name":"a","AggregationTime":{"Value":-1,"Unit":"Month"}}""", "above 0")]
    [InlineData("""{"Name":"a","AggregationTime":{"Value":1,"Unit":"Week"}}""", "Second or Month")]
    [InlineData("""{"Name":"a","AggregationTime":{"Value":1.5,"Unit":"Second"}}""", "above 0")]
    [InlineData("""{"Name":"a","AggregationTime":{"Value":3600,"Unit":"Second"}}""", "multiple of that of 'ByHour'")]
    [InlineData("""{"Name":"a","AggregationTime":{"Value":5400,"Unit":"Second"}}""", "multiple of that of 'ByHour'")]
    [InlineData("""{"Name":"a","AggregationTime":{"Value":2,"Unit":"Month"}}""", "would be gone before")]
    [InlineData("""{"Name":"a","AggregationTime":{"Value":7,"Unit":"Second"}}""", "'ByHour'")]
    [InlineData("""{"Name":"rawpolicy","RetentionTime":{"Value":60,"Unit":"Second"}}""", "would be gone before")]
    [InlineData("[]", "")]
    public async Task A_policy_that_cannot_be_is_refused_and_changes_nothing(string policy, string expected)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await PutPolicyAsync(
            server,
            """{"Name":"ByHour","AggregationTime":<Hour>,"RetentionTime":{"Value":1,"Unit":"Month"}}""");
        string before = (await server.SendAsync("GET", "~/timeseries/config")).Json.ToJsonString();
        (await server.SendAsync("PUT", "~/admin/timeseries/policy?collection=Users", policy))
            .ExpectError(400, expected);
        Assert.Equal(before, (await server.SendAsync("GET", "~/timeseries/config")).Json.ToJsonString());
    }

    [Theory]
    [InlineData("""{"Collections":{"Users":{"Policies":{}}}}""", "Policies must be a list")]
    [InlineData("""{"Collections":{"Users":null}}""", "Collections: 'Users' must be an object")]
    [InlineData("""{"Collections":{"Users":{},"USERS":{}}}""", "two configurations")]
    [InlineData(
        """{"Collections":{"U":{"Policies":[<a Hour>,<A Day>]}}}""",
        "is there twice")]
    [InlineData(
        """{"Collections":{"U":{"Policies":[<a Day>,<b Day>]}}}""",
        "multiple of that of")]
    [InlineData(
        """{"Collections":{"Users":{"Policies":[{"Name":"RawPolicy","AggregationTime":<Hour>}]}}}""",
        "is the name of the RawPolicy alone")]
    [InlineData(
        """{"Collections":{"U":{"RawPolicy":{"RetentionTime":<Hour>},"Policies":[<a Day>]}}}""",
        "would be gone before")]
    [InlineData("""{"PolicyCheckFrequency":"00:00:00"}""", "at least a second")]
    [InlineData("""{"NamedValues":{"Users":{"x":[]}}}""", "1 to 32 names")]
    [InlineData("""{"NamedValues":{"Users":{"x":["a","A"]}}}""", "is there twice")]
    [InlineData("""{"NamedValues":{"Users":{"x@y":["a"]}}}""", "must not have an @")]
    [InlineData("""{"NamedValues":{"Users":{"x":["a"],"X":["b"]}}}""", "names twice")]
    public async Task A_configuration_that_cannot_be_is_refused(string json, string expected)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync("POST", "~/admin/timeseries/config", Fill(json))).ExpectError(400, expected);
        Assert.Equal(404, (await server.SendAsync("GET", "~/timeseries/config")).Status);
    }

    [Fact]
    public async Task A_database_is_created_with_the_configuration_of_its_record()
    {
        using TestServer server = new();
        (await server.SendAsync("PUT", "/admin/databases?name=demo", Fill("""
            {"DatabaseName":"demo","TimeSeries":{"Collections":{"Users":{"RawPolicy":{"RetentionTime":<Day> }}}}}
            """))).Expect(HttpStatusCode.Created);
        JsonNode record = (await server.SendAsync("GET", "/databases/demo/admin/record")).Json;
        JsonNode users = record["TimeSeries"]!["Collections"]!["Users"]!;
        Assert.Equal(Day, users["RawPolicy"]!["RetentionTime"]!.ToJsonString());
        Assert.Empty(users["Policies"]!.AsArray());
        Assert.Empty(record["TimeSeries"]!["NamedValues"]!.AsObject());
    }

    private static async Task PutPolicyAsync(
        TestServer server, string policy) =>
        (await server.SendAsync("PUT", "~/admin/timeseries/policy?collection=Users", Fill(policy)))
            .Expect(HttpStatusCode.OK);

    private static async Task NamesAsync(TestServer server, string names, string update) =>
        (await server.SendAsync("POST", "~/timeseries/names/config", Names(names, update))).Expect(HttpStatusCode.OK);

    private static string Names(string names, string update) =>
        """{"Collection":"Users","TimeSeries":"HeartRate","ValueNames":<names>,"Update":<update>}"""
            .Replace("<names>", names, StringComparison.Ordinal).Replace("<update>", update, StringComparison.Ordinal);

    /// <summary>Puts policies and lengths of time in their places.</summary>
    private static string Fill(string json) => Policy().Replace(json, """{"Name":"$1","AggregationTime":<$2>}""")
        .Replace("<Hour>", Hour, StringComparison.Ordinal).Replace("<Day>", Day, StringComparison.Ordinal)
        .Replace("<Month>", Month, StringComparison.Ordinal).Replace("<None>", None, StringComparison.Ordinal)
        .Replace("<ForEver>", ForEver, StringComparison.Ordinal);

    [GeneratedRegex("<([aAb]) (\\w+)>")]
    private static partial Regex Policy();
}
