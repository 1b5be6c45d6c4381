using System.Runtime.ExceptionServices;
using Microsoft.AspNetCore.Http;

namespace FastTests.Server;

/// <summary>Requests as clients send them all day, with their statuses, 200 to 409: they throw nothing.</summary>
internal static class OrdinaryRequests
{
    private const string Docs = "/databases/db/docs";
    private const string Increment = "{\"Documents\":[{\"DocumentId\":\"users/1\",\"Operations\":["
        + "{\"Type\":\"Increment\",\"CounterName\":\"x\",\"Delta\":1}]}]}";

    /// <summary>How many different ones there are.</summary>
    internal static int Count => Create().Length;

    /// <summary>Sends all of them so many times from one thread.</summary>
    /// <returns>The exceptions that were thrown on it meanwhile, caught or not.</returns>
    internal static List<string> Run(InMemoryServer server, int rounds)
    {
        (InMemoryRequest Request, int Status)[] requests = Create();
        int thread = Environment.CurrentManagedThreadId;
        List<string> thrown = [];
        void Listen(object? sender, FirstChanceExceptionEventArgs e)
        {
            if (Environment.CurrentManagedThreadId == thread)
            {
                thrown.Add(e.Exception.ToString());
            }
        }

        AppDomain.CurrentDomain.FirstChanceException += Listen;
        try
        {
            for (int round = 0; round < rounds; round++)
            {
                foreach ((InMemoryRequest request, int status) in requests)
                {
                    Assert.Equal(status, server.Send(request));
                }
            }
        }
        finally
        {
            AppDomain.CurrentDomain.FirstChanceException -= Listen;
        }

        return thrown;
    }

    private static (InMemoryRequest Request, int Status)[] Create()
    {
        var stale = new InMemoryRequest("PUT", Docs, "?id=users/1", "{}");
        ((IHeaderDictionary)stale.Request).IfMatch = "\"A:99-stale\"";
        var known = new InMemoryRequest("GET", Docs, "?id=users/1");
        ((IHeaderDictionary)known.Request).IfNoneMatch = "*";
        return
        [
            (new("PUT", Docs, "?id=users/1", "{\"Name\":\"a\"}"), 201), (stale, 409), (known, 304),
            (new("GET", "/build/version"), 200), (new("GET", Docs, "?id=users/1"), 200),
            (new("GET", Docs, "?id=users/2"), 404), (new("HEAD", Docs, "?id=users/2"), 404),
            (new("GET", Docs, "?id=users/1&id=users/2&include=Name"), 200), (new("GET", "/nothing"), 404),
            (new("POST", "/build/version"), 405), (new("GET", "/databases/db/streams/docs"), 200),
            (new("GET", "/databases/db/stats"), 200), (new("DELETE", Docs, "?id=none"), 204),
            (new("POST", "/databases/db/bulk_docs", "", "{\"Commands\":[]}"), 201),
            (new("PATCH", Docs, "?id=users/1", "{\"Patch\":{\"Script\":\"this.N = (this.N || 0) + 1\"}}"), 200),
            (new("PATCH", Docs, "?id=users/1", "{\"Patch\":{\"Script\":\"this.N = this.N\"}}"), 304),
            (new("PATCH", Docs, "?id=none", "{\"Patch\":{\"Script\":\"this.N = 1\"}}"), 404),
            (new("POST", "/databases/db/counters", "", Increment), 200),
            (new("GET", "/databases/db/counters", "?docId=users/1"), 200),
            (new("PUT", "/databases/db/cmpxchg", "?key=k&index=0", "{\"Object\":1}"), 200),
            (new("GET", "/databases/db/cmpxchg", "?key=k"), 200),
            (new("POST", "/databases/db/multi_get", "", "{\"Requests\":[]}"), 200),
            (new("GET", "/databases/missing/docs", "?id=a"), 503), (new("GET", Docs, "?startsWith=users/"), 200),
        ];
    }
}
