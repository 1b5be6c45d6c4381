using System.Runtime.ExceptionServices;
using Microsoft.AspNetCore.Http;

namespace FastTests.Server;

/// <summary>Ordinary requests, answered 200 to 409, throw nothing inside of the server.</summary>
public sealed class NoExceptionTests
{
    private const string Docs = "/databases/db/docs";
    private const string Increment = "{\"Documents\":[{\"DocumentId\":\"users/1\",\"Operations\":["
        + "{\"Type\":\"Increment\",\"CounterName\":\"x\",\"Delta\":1}]}]}";

    [Fact]
    public void Ordinary_requests_throw_nothing()
    {
        using var server = new InMemoryServer();
        var stale = new InMemoryRequest("PUT", Docs, "?id=users/1", "{}");
        ((IHeaderDictionary)stale.Request).IfMatch = "\"A:99-stale\"";
        var known = new InMemoryRequest("GET", Docs, "?id=users/1");
        ((IHeaderDictionary)known.Request).IfNoneMatch = "*";
        (InMemoryRequest Request, int Status)[] requests =
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
            for (int round = 0; round < 3; round++)
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

        Assert.Empty(thrown);
    }
}
