using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Hosting;
using Raven.Blittable.Contexts;
using Raven.Security.Rights;
using Raven.Server;
using Raven.Server.Http;
using Raven.Server.Http.Routing;
using Raven.Server.Options;

namespace Raven.Tools.Bench.Suites.Http;

/// <summary>
/// What is ours alone, without sockets: matching a route, matching, dispatching and renting a context, and all of
/// ours on the way of /build/version, against the way through minimal API and MVC over the same fake connection.
/// </summary>
internal sealed class InMemorySuite : IBenchSuite
{
    private const int Count = 1_000_000;
    private const int PeerCount = 200_000;
    private const string VersionPath = "/build/version";
    private const string DocumentsPath = "/databases/northwind/docs";

    public string Name => "http";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        if (!context.Wants("in memory"))
        {
            yield break;
        }

        foreach (BenchRow row in GetMatchRows())
        {
            yield return row;
        }

        using ServerHost host = ServerHost.Start(
            new ServerOptions { RunInMemory = true, ServerUrl = new Uri("http://127.0.0.1:0") });
        using WebApplication minimal = PeerServer.Create(PeerServer.Minimal);
        using WebApplication mvc = PeerServer.Create(PeerServer.Mvc);
        minimal.Start();
        mvc.Start();
        foreach (BenchRow row in GetDispatchRows(host, minimal, mvc))
        {
            yield return row;
        }
    }

    private static IEnumerable<BenchRow> GetMatchRows()
    {
        RouteTable table = TableOf(PeerServer.RouteCount);
        RouteTable small = TableOf(10);
        RouteTable large = TableOf(1000);
        yield return Nanoseconds("in memory: match of a literal route, 400 routes", () => Match(table, VersionPath))
            with
        { Target = BenchTarget.AtMost(100) };
        yield return Nanoseconds("in memory: match of a captured route, 400 routes", () => Match(table, DocumentsPath))
            with
        { Target = BenchTarget.AtMost(100) };
        string flat = "in memory: match of a captured route, 1,000 routes";
        yield return Nanoseconds(flat, () => Match(large, DocumentsPath)) with
        {
            PeerName = "10 routes",
            Peer = () => Measure.NanosecondsPerOperation(Count, () => Match(small, DocumentsPath)),
            Target = BenchTarget.RatioAtMost(1.25),
        };
        yield return new BenchRow
        {
            Name = "in memory: allocation of a match",
            Unit = "B",
            Target = BenchTarget.AtMost(0),
            Ours = () => Measure.AllocatedBytesPerOperation(Count, () => Match(table, DocumentsPath)),
        };
    }

    private static IEnumerable<BenchRow> GetDispatchRows(ServerHost host, WebApplication minimal, WebApplication mvc)
    {
        var router = new RequestRouter(host.State);
        var connection = new FakeConnection();
        RouteTable table = TableOf(PeerServer.RouteCount);
        using var pool = new OperationContextPool();
        RequestContext request = router.CreateContext(connection);
        foreach ((string path, double target) in ((string, double)[])[(VersionPath, 150), (DocumentsPath, 150)])
        {
            Action dispatch = () => Dispatch(table, path, request, pool);
            string name = $"in memory: match, dispatch and context of {path}";
            yield return Nanoseconds(name, dispatch) with { Target = BenchTarget.AtMost(target) };
            yield return Nanoseconds(name, dispatch) with
            {
                PeerName = PeerServer.Minimal,
                Peer = PeerWay(minimal, path, bodyLength: 0),
                Target = BenchTarget.RatioAtMost(1),
            };
            yield return Nanoseconds(name, dispatch) with
            {
                PeerName = PeerServer.Mvc,
                Peer = PeerWay(mvc, path, bodyLength: 0),
                Target = BenchTarget.RatioAtMost(0.1),
            };
            yield return new BenchRow
            {
                Name = $"in memory: allocation of match, dispatch and context of {path}",
                Unit = "B",
                Target = BenchTarget.AtMost(0),
                Ours = () => Measure.AllocatedBytesPerOperation(Count, dispatch),
            };
        }

        connection.Request.Path = VersionPath;
        Action whole = () => ServeVersion(router, connection);
        yield return Nanoseconds("in memory: all of ours on the way of /build/version", whole) with
        {
            Target = BenchTarget.AtMost(800),
            PeerName = PeerServer.Minimal,
            Peer = PeerWay(minimal, VersionPath, bodyLength: 100),
        };
        yield return new BenchRow
        {
            Name = "in memory: allocation of all of ours on the way of /build/version",
            Unit = "B",
            Ours = () => Measure.AllocatedBytesPerOperation(Count, whole),
        };
    }

    private static BenchRow Nanoseconds(string name, Action work) => new()
    {
        Name = name,
        Unit = "ns",
        Ours = () => Measure.NanosecondsPerOperation(Count, work),
    };

    private static RouteTable TableOf(int count)
    {
        static ValueTask Nothing(RequestContext request) => ValueTask.CompletedTask;

        return RouteTable.FromHandlers(
            Enumerable.Range(0, count).Select(ManyRoutes.OurPathOf).Append(VersionPath).Append("/databases/*/docs")
                .Select(path => (new RouteAttribute("GET", path, Access.Read), (RouteHandler)Nothing)));
    }

    private static void Match(RouteTable table, string path)
    {
        RouteCaptures captures = default;
        for (int n = 0; n < Count; n++)
        {
            if (!table.TryFind(HttpVerb.Get, path, ref captures, out _, out _))
            {
                throw new InvalidOperationException($"{path} was not found");
            }
        }
    }

    private static void Dispatch(RouteTable table, string path, RequestContext request, OperationContextPool pool)
    {
        RouteCaptures captures = default;
        for (int n = 0; n < Count; n++)
        {
            if (table.TryFind(HttpVerb.Get, path, ref captures, out Route? route, out _))
            {
                OperationContext context = pool.Rent();
                ValueTask handled = route!.Handler(request);
                if (handled.IsCompletedSuccessfully)
                {
                    handled.GetAwaiter().GetResult();
                }

                pool.Return(context);
            }
        }
    }

    private static void ServeVersion(RequestRouter router, FakeConnection connection)
    {
        for (int n = 0; n < Count; n++)
        {
            connection.Reset();
            RequestContext request = router.CreateContext(connection);
            router.ProcessRequestAsync(request).GetAwaiter().GetResult();
            router.DisposeContext(request, exception: null);
        }

        if (connection.Response.StatusCode != 200 || connection.BytesWritten == 0)
        {
            throw new InvalidOperationException($"the answer was {connection.Response.StatusCode}");
        }
    }

    /// <summary>
    /// The same request through the pipeline of a peer, with one reused HttpContext as Kestrel reuses it.
    /// </summary>
    private static Func<double> PeerWay(WebApplication application, string path, int bodyLength)
    {
        RequestDelegate pipeline = ((IApplicationBuilder)application).Build();
        var connection = new FakeConnection();
        connection.Request.Path = path;
        var http = new DefaultHttpContext();
        byte[] body = new byte[bodyLength];
        void Serve()
        {
            PeerServer.Body = body;
            for (int n = 0; n < PeerCount; n++)
            {
                connection.Reset();
                http.Initialize(connection);
                http.RequestServices = application.Services;
                pipeline(http).GetAwaiter().GetResult();
                http.Uninitialize();
            }

            if (connection.Response.StatusCode != 200 || connection.BytesWritten > 0 != bodyLength > 0)
            {
                throw new InvalidOperationException($"the peer answered {connection.Response.StatusCode}");
            }
        }

        return () => Measure.NanosecondsPerOperation(PeerCount, Serve);
    }
}
