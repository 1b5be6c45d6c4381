using System.Text.Json.Nodes;

namespace FastTests.Security;

/// <summary>What the Studio's lists show to whom.</summary>
public sealed class StudioRightsTests(SecuredServer secured) : IClassFixture<SecuredServer>
{
    [Fact]
    [Trait("Security", "22")]
    public void Operations_are_listed_for_who_began_them_and_for_administrators()
    {
        long id = (long)Expect(
            "W", "PATCH", "/databases/red/queries", 200,
            """{"Query":{"Query":"from Nobody update { this.A = 1 }"}}""")["OperationId"]!;
        foreach ((string caller, bool sees) in new[]
        {
            ("R", false), ("W", true), ("K", false), ("A", true), ("O", true), ("C", true),
        })
        {
            foreach (string target in new[] { "/databases/red/operations", "/operations" })
            {
                JsonNode answer = Expect(caller, "GET", target);
                bool isThere = answer["Results"]!.AsArray().Any(one => (long)one!["Id"]! == id);
                Assert.True(isThere == sees, $"{caller} {target}: {answer.ToJsonString()}");
                Assert.Equal((int)answer["TotalResults"]!, answer["Results"]!.AsArray().Count);
            }
        }

        Assert.Empty(Expect("O", "GET", "/databases/blue/operations")["Results"]!.AsArray());
    }

    [Theory]
    [InlineData("R", "red")]
    [InlineData("K", "red")]
    [InlineData("M", "")]
    [InlineData("O", "blue db red")]
    [Trait("Security", "25")]
    public void Databases_are_listed_for_who_may_read_them(string caller, string names)
    {
        JsonNode answer = Expect(caller, "GET", "/studio/databases");
        string[] listed = [.. answer["Databases"]!.AsArray().Select(one => (string)one!["Name"]!)];
        Assert.Equal(names, string.Join(' ', listed));
        Assert.Equal(listed.Length, (int)answer["TotalResults"]!);
    }

    private JsonNode Expect(string caller, string method, string target, int status = 200, string body = "")
    {
        Server.InMemoryRequest answer = secured.Send(caller, method, target, body);
        Assert.True(answer.StatusCode == status, $"{caller} {method} {target}: {answer.StatusCode} {answer.Answer}");
        return JsonNode.Parse(answer.Answer)!;
    }
}
