using Microsoft.AspNetCore.Http;

namespace FastTests.Server;

/// <summary>Requests as clients send them all day, with their statuses, 200 to 409: they throw nothing.</summary>
internal static class OrdinaryRequests
{
    private const string Docs = "/databases/db/docs";

    /// <summary>How many different ones there are.</summary>
    internal static int Count => Create("").Length;

    /// <summary>Sends all of them so many times from one thread.</summary>
    /// <returns>The exceptions that were thrown on any thread meanwhile, caught or not.</returns>
    internal static IReadOnlyList<string> Run(InMemoryServer server, int rounds)
    {
        (InMemoryRequest Request, int Status)[] requests = Create("");
        using var thrown = new ThrownExceptions();
        for (int round = 0; round < rounds; round++)
        {
            foreach ((InMemoryRequest request, int status) in requests)
            {
                Assert.Equal(status, server.Send(request));
            }
        }

        return thrown.End();
    }

    /// <summary>The requests, in their order, and the status of each.</summary>
    /// <param name="client">Begins all ids, so that several clients can send them at once.</param>
    internal static (InMemoryRequest Request, int Status)[] Create(string client)
    {
        string one = $"{client}users/1";
        string increment = $"{{\"Documents\":[{{\"DocumentId\":\"{one}\",\"Operations\":["
            + "{\"Type\":\"Increment\",\"CounterName\":\"x\",\"Delta\":1}]}]}";
        var stale = new InMemoryRequest("PUT", Docs, $"?id={one}", "{}");
        ((IHeaderDictionary)stale.Request).IfMatch = "\"A:99-stale\"";
        var known = new InMemoryRequest("GET", Docs, $"?id={one}");
        ((IHeaderDictionary)known.Request).IfNoneMatch = "*";
        return
        [
            (new("PUT", Docs, $"?id={one}", "{\"Name\":\"a\"}"), 201), (stale, 409), (known, 304),
            (new("GET", "/build/version"), 200), (new("GET", Docs, $"?id={one}"), 200),
            (new("GET", Docs, $"?id={client}users/2"), 404), (new("HEAD", Docs, $"?id={client}users/2"), 404),
            (new("GET", Docs, $"?id={one}&id={client}users/2&include=Name"), 200), (new("GET", "/nothing"), 404),
            (new("POST", "/build/version"), 405), (new("GET", "/databases/db/streams/docs"), 200),
            (new("GET", "/databases/db/stats"), 200), (new("DELETE", Docs, "?id=none"), 204),
            (new("POST", "/databases/db/bulk_docs", "", "{\"Commands\":[]}"), 201),
            (new("PATCH", Docs, $"?id={one}", "{\"Patch\":{\"Script\":\"this.N = (this.N || 0) + 1\"}}"), 200),
            (new("PATCH", Docs, $"?id={one}", "{\"Patch\":{\"Script\":\"this.N = this.N\"}}"), 200),
            (new("PATCH", Docs, "?id=none", "{\"Patch\":{\"Script\":\"this.N = 1\"}}"), 404),
            (new("POST", "/databases/db/counters", "", increment), 200),
            (new("GET", "/databases/db/counters", $"?docId={one}"), 200),
            (new("PUT", "/databases/db/cmpxchg", $"?key={client}k&index=0", "{\"Object\":1}"), 200),
            (new("GET", "/databases/db/cmpxchg", $"?key={client}k"), 200),
            (new("POST", "/databases/db/multi_get", "", "{\"Requests\":[]}"), 200),
            (new("GET", "/databases/missing/docs", "?id=a"), 503),
            (new("GET", Docs, $"?startsWith={client}users/"), 200),
        ];
    }
}
