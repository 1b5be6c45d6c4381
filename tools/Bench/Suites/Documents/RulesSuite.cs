using System.Globalization;
using System.Text.Json;

namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>What rules for data cost a PUT: a schema, and unique values, beside a PUT without.</summary>
internal sealed class RulesSuite : IBenchSuite
{
    private const int Connections = 64;
    private const string SchemaName = "PUT with a schema of 20 rules, 64 connections";
    private const string UniqueName = "PUT with two unique fields, 64 connections";

    /// <summary>Documents of the benchmark are in no collection that they name.</summary>
    private const string Collection = "@empty";

    public string Name => "timeseries";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!context.Wants(SchemaName) && !context.Wants(UniqueName))
        {
            yield break;
        }

        using BenchDatabase without = BenchDatabase.Start(Path.Combine(context.ScratchDirectory, "rules-none"));
        using BenchDatabase checking = BenchDatabase.Start(Path.Combine(context.ScratchDirectory, "rules-schema"));
        using BenchDatabase unique = BenchDatabase.Start(Path.Combine(context.ScratchDirectory, "rules-unique"));
        checking.Configure("schema-validation", Schemas());
        unique.Configure("unique-constraints", Constraints());
        yield return Row(SchemaName, checking, without, 0.9);
        yield return Row(UniqueName, unique, without, 0.85);
    }

    private static BenchRow Row(string name, BenchDatabase with, BenchDatabase without, double target) => new()
    {
        Name = name,
        Unit = "documents/s",
        PeerName = "PUT without",
        Target = BenchTarget.RatioAtLeast(target),
        WarmUpRuns = 4,
        Ours = () => with.Run("PUT", "docs?id=", Connections).RequestsPerSecond,
        Peer = () => without.Run("PUT", "docs?id=", Connections).RequestsPerSecond,
    };

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
