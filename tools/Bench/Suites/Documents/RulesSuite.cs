using System.Globalization;
using System.Text.Json;

namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>What rules for data cost a PUT: a schema, and unique values, beside a PUT without.</summary>
internal sealed class RulesSuite : IBenchSuite
{
    private const int Connections = 64;
    private const string SchemaName = "PUT with a schema of 20 rules, 64 connections";
    private const string UniqueName = "PUT with two unique fields, 64 connections";
    private const string EqualName = "PUT without, beside another database without";
    private const string Without = "without";
    private const string Equal = "equal";
    private const string Checking = "checking";
    private const string Unique = "unique";

    /// <summary>Documents of the benchmark are in no collection that they name.</summary>
    private const string Collection = "@empty";

    public string Name => "timeseries";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!context.Wants(SchemaName) && !context.Wants(UniqueName) && !context.Wants(EqualName))
        {
            yield break;
        }

        // One server, so that the same compiled code runs for all: equal servers are further apart than a rule costs.
        using BenchDatabase server = BenchDatabase.Start(Path.Combine(context.ScratchDirectory, "rules"));
        foreach (string name in (string[])[Without, Equal, Checking, Unique])
        {
            server.AddDatabase(name);
        }

        server.Configure(Checking, "schema-validation", Schemas());
        server.Configure(Unique, "unique-constraints", Constraints());
        yield return Row(EqualName, server, Equal, BenchTarget.None);
        yield return Row(SchemaName, server, Checking, BenchTarget.RatioAtLeast(0.9));
        yield return Row(UniqueName, server, Unique, BenchTarget.RatioAtLeast(0.85));
    }

    private static BenchRow Row(string name, BenchDatabase server, string database, BenchTarget target) => new()
    {
        Name = name,
        Unit = "documents/s",
        PeerName = "PUT without",
        Target = target,
        WarmUpRuns = 4,
        Ours = () => Rate(server, database),
        Peer = () => Rate(server, Without),
    };

    private static double Rate(BenchDatabase server, string database) => BenchDatabase.Run(
        server.Server, "PUT", "docs?id=", Connections, rate: 0, first: 0, BenchDatabase.DocumentCount, database)
        .RequestsPerSecond;

    private static string Constraints() => string.Create(CultureInfo.InvariantCulture, $$"""
        {"Collections":{"{{Collection}}":{"Constraints":[
         {"Name":"Id","Fields":["Id"]},{"Name":"Name","Fields":["Name"],"IgnoreCase":true}]} } }
        """);

    /// <summary>Twenty rules that each document of the benchmark keeps.</summary>
    private static string Schemas()
    {
        const string schema =
            """
            {"type":"object","required":["Id","Name","Age","Score"],"additionalProperties":false,"properties":{
             "Id":{"type":"string","pattern":"^bench/"},"Name":{"type":"string","minLength":1,"maxLength":100},
             "Age":{"type":"integer","minimum":0,"maximum":150},"Score":{"type":"number","exclusiveMaximum":100},
             "Tags":{"type":"array","maxItems":10,"uniqueItems":true,"items":{"enum":["a","b","c"]}},
             "Address":{"type":"object","required":["City"]},"Text":{"type":"string"}}}
            """;
        return $$$"""
            {"ValidatorsPerCollection":{"{{{Collection}}}":{"Schema":{{{JsonSerializer.Serialize(schema)}}} } } }
            """;
    }
}
