using System.Net;
using FastTests.Server;

namespace FastTests.Queries;

/// <summary>Queries that take long give way between two results, and are answered as others are.</summary>
public sealed class QuerySlicesTests
{
    private const int Documents = 5;

    [Theory]
    [InlineData("queries")]
    [InlineData("streams/queries")]
    [Trait("Fault", "D15")]
    [Trait("Invariant", "TURN-1")]
    public async Task A_query_with_long_scripts_runs_in_turns_and_has_all_of_its_results_in_order(string route)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        for (int i = 0; i < Documents; i++)
        {
            await server.PutAsync($"d/{i}", $"{{\"N\":{i},\"@metadata\":{{\"@collection\":\"Ds\"}}}}");
        }

        const string query = "declare function work(d) { let s = 0; for (let i = 0; i < 200000; i++) { s += i % 7; } "
            + "return { N: d.N, S: s }; } from Ds as d select work(d)";
        long before = server.Host.State.QuerySliceCount;
        HttpAnswer answer = await server.SendAsync("GET", $"~/{route}?query={Uri.EscapeDataString(query)}");
        var results = answer.Expect(HttpStatusCode.OK).Json["Results"]!.AsArray();
        Assert.Equal(Enumerable.Range(0, Documents), results.Select(result => (int)result!["N"]!));
        Assert.InRange(server.Host.State.QuerySliceCount - before, 1, Documents);
    }

    [Fact]
    [Trait("Fault", "D15")]
    public async Task A_script_that_fails_in_a_later_turn_ends_its_query_with_400()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        for (int i = 0; i < Documents; i++)
        {
            await server.PutAsync($"d/{i}", $"{{\"N\":{i},\"@metadata\":{{\"@collection\":\"Ds\"}}}}");
        }

        const string query = "declare function work(d) { for (let i = 0; i < 200000; i++) { } "
            + "if (d.N == 4) { throw new Error('at four'); } return { N: d.N }; } from Ds as d select work(d)";
        HttpAnswer answer = await server.SendAsync("GET", $"~/queries?query={Uri.EscapeDataString(query)}");
        answer.ExpectError((int)HttpStatusCode.BadRequest, "at four");
        await server.AssertServesAsync();
    }
}
