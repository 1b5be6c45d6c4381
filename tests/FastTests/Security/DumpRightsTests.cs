using System.Text.Json.Nodes;
using FastTests.Server;
using FastTests.Smuggler;

namespace FastTests.Security;

/// <summary>What of a dump needs more than the right of its route.</summary>
public sealed class DumpRightsTests(SecuredServer secured) : IClassFixture<SecuredServer>
{
    private const string Export = "/databases/red/smuggler/export";
    private const string Import = "/databases/red/smuggler/import";

    [Fact]
    public void Who_may_only_read_gets_neither_the_record_nor_the_indexes()
    {
        DumpContent all = Read(secured.Send("A", "POST", Export, "{}"));
        Assert.Contains(all.Sections, section => section.Name == "DatabaseRecord");
        DumpContent some = Read(secured.Send("R", "POST", Export, "{}"));
        Assert.Contains(some.Sections, section => section.Name == "Docs");
        Assert.DoesNotContain(
            some.Sections, section => section.Name is "DatabaseRecord" or "Indexes" or "Subscriptions");
        Assert.Equal(403, secured.Send("R", "POST", "/databases/blue/smuggler/export", "{}").StatusCode);
    }

    [Fact]
    public void A_dump_by_a_link_has_what_the_caller_may_read_and_is_saved_by_a_browser()
    {
        InMemoryRequest answer = secured.Send("R", "GET", Export);
        Assert.Equal(
            "attachment; filename=\"export.ravendbdump\"", RegistryServer.Header(answer, "Content-Disposition"));
        DumpContent some = Read(answer);
        Assert.Contains(some.Sections, section => section.Name == "Docs");
        Assert.DoesNotContain(some.Sections, section => section.Name is "DatabaseRecord" or "Indexes");
        const string identities = "?options=%7B%22OperateOnTypes%22:%22Identities%22%7D";
        Assert.DoesNotContain(
            Read(secured.Send("R", "GET", Export + identities)).Sections, section => section.Name == "Docs");
        Assert.Equal(403, secured.Send("R", "GET", "/databases/blue/smuggler/export").StatusCode);
        InMemoryRequest wrong = secured.Send("R", "GET", Export + "?options=%7B%22OperateOnTypes");
        Assert.Equal(400, wrong.StatusCode);
        Assert.Contains("options", wrong.Answer, StringComparison.Ordinal);
        Assert.Equal("", RegistryServer.Header(wrong, "Content-Disposition"));
    }

    [Fact]
    [Trait("Security", "85")]
    [Trait("Row", "85")]
    public void A_hostile_dump_changes_nothing_but_documents_for_a_writer_and_only_disables_for_an_administrator()
    {
        const string dump =
            """
            {"DatabaseRecord":{"DatabaseName":"blue","Encrypted":false,"Settings":[{"DataDir":"/etc"}],
              "Revisions":{"Default":{"Disabled":false}},
              "Analyzers":{"X":{"Name":"X","Code":"public class X {}"}},
              "PeriodicBackups":[{"TaskId":1,"S3Settings":{"BucketName":"theirs"}}],
              "RavenEtls":[{"Name":"e","Transforms":[{"Script":"loadToX(this)"}]}]},
             "Subscriptions":[{"SubscriptionName":"s","Query":"from X"}],
             "Indexes":[{"Type":"Map","IndexDefinition":{"Name":"Evil","Maps":["from x in docs.X select new { x.A }"],
               "Fields":{}}}],
             "Docs":[{"@metadata":{"@id":"../hostile","@collection":"X","@flags":"HasRevisions, Artificial2",
               "@change-vector":"A:9223372036854775807-AAAAAAAAAAAAAAAAAAAAAA"}}],
             "Identities":[{"Key":"x|","Value":9223372036854775807}]}
            """;
        JsonNode writer = JsonNode.Parse(secured.Send("W", "POST", Import, dump).Answer)!;
        Assert.Equal(1, (int)writer["DatabaseRecord"]!["SkippedCount"]!);
        Assert.Equal(1, (int)writer["Indexes"]!["SkippedCount"]!);
        Assert.Equal(1, (int)writer["Documents"]!["ReadCount"]!);
        Assert.Equal(1, (int)writer["Identities"]!["ErroredCount"]!);
        Assert.Equal(1, (int)writer["Subscriptions"]!["SkippedCount"]!);
        Assert.Equal(4, writer["Messages"]!.AsArray().Count);
        Assert.Equal("[]", Indexes());
        Assert.DoesNotContain("from X", Subscriptions(), StringComparison.Ordinal);
        JsonNode administrator = JsonNode.Parse(secured.Send("A", "POST", Import, dump).Answer)!;
        Assert.Equal(1, (int)administrator["Indexes"]!["ReadCount"]!);
        Assert.Equal(1, (int)administrator["DatabaseRecord"]!["ReadCount"]!);
        Assert.Equal(1, (int)administrator["DatabaseRecord"]!["ErroredCount"]!);
        Assert.Equal(3, (int)administrator["DatabaseRecord"]!["SkippedCount"]!);
        string record = secured.Send("A", "GET", "/databases/red/admin/record").Answer;
        Assert.Contains("\"PeriodicBackups\":[]", record, StringComparison.Ordinal);
        Assert.Contains("\"RavenEtls\":[]", record, StringComparison.Ordinal);
        Assert.Equal(1, (int)administrator["Subscriptions"]!["ReadCount"]!);
        Assert.Contains("from X", Subscriptions(), StringComparison.Ordinal);
        Assert.Equal(403, secured.Send("R", "POST", Import, dump).StatusCode);

        string Subscriptions() => secured.Send("A", "GET", "/databases/red/subscriptions").Answer;

        string Indexes() =>
            JsonNode.Parse(secured.Send("A", "GET", "/databases/red/indexes").Answer)!["Results"]!.ToJsonString();
    }

    private static DumpContent Read(InMemoryRequest answer)
    {
        Assert.True(answer.StatusCode == 200, answer.Answer);
        return DumpContent.Read(answer.AnswerBytes);
    }
}
