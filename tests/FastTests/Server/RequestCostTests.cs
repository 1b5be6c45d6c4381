using System.Diagnostics;
using Microsoft.Extensions.Logging.Abstractions;
using Raven.Server;
using Raven.Server.Http;
using Raven.Server.Options;
using Raven.Server.Routing;
using Xunit.Abstractions;

namespace FastTests.Server;

/// <summary>
/// What is ours of a request, measured without Kestrel and sockets. The bounds are those of docs/performance.md with
/// room for a busy machine: the best of many rounds is taken.
/// </summary>
public sealed class RequestCostTests(ITestOutputHelper output)
{
    private const int Rounds = 40;
    private const int RequestsPerRound = 5_000;

    [Fact]
    public void A_request_for_the_version_allocates_nothing()
    {
        using var server = new Ours();
        server.Run(1000);
        long before = GC.GetAllocatedBytesForCurrentThread();
        server.Run(1000);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Contains("BuildVersion", server.Request.Answer, StringComparison.Ordinal);
    }

    [Fact]
    public void All_of_ours_on_the_way_of_the_version_takes_less_than_800_ns()
    {
        using var server = new Ours();
        double best = Best(() => server.Run(RequestsPerRound));
        output.WriteLine($"/build/version, all of ours in memory: {best:F0} ns");
        Assert.InRange(best, 0, 800);
    }

    [Fact]
    public void Matching_costs_less_than_100_ns_and_as_much_among_1000_routes_as_among_10()
    {
        double ten = BestMatch(10), thousand = BestMatch(1000);
        output.WriteLine($"match among 10 routes: {ten:F1} ns, among 1,000: {thousand:F1} ns");
        Assert.InRange(thousand, 0, 100);
        Assert.InRange(thousand, 0, (2 * ten) + 15);
    }

    private static double BestMatch(int routes)
    {
        RouteTable table = RouteTable.FromHandlers(Enumerable.Range(0, routes).Select(i => (
            new RouteAttribute("GET", $"/databases/*/{(char)('a' + (i % 26))}area{i}/items"),
            (RouteHandler)(static _ => ValueTask.CompletedTask))));
        string path = $"/databases/northwind/{(char)('a' + ((routes - 1) % 26))}area{routes - 1}/items";
        int found = 0;
        double best = Best(() =>
        {
            for (int i = 0; i < RequestsPerRound; i++)
            {
                var captures = new RouteCaptures();
                found += table.TryFind(HttpVerb.Get, path, ref captures, out _, out _) ? 1 : 0;
            }
        });
        Assert.Equal(Rounds * RequestsPerRound, found);
        return best;
    }

    private static double Best(Action round)
    {
        double best = double.MaxValue;
        for (int i = 0; i < Rounds; i++)
        {
            long start = Stopwatch.GetTimestamp();
            round();
            best = Math.Min(best, Stopwatch.GetElapsedTime(start).TotalNanoseconds / RequestsPerRound);
        }

        return best;
    }

    private sealed class Ours : IDisposable
    {
        private readonly DataFolder _folder = DataFolder.CreateTemporary();
        private readonly ServerState _state;
        private readonly RequestRouter _router;

        internal Ours()
        {
            _state = ServerHost.CreateState(
                new ServerOptions(), _folder.Path, TimeProvider.System, NullLoggerFactory.Instance);
            _router = new RequestRouter(_state);
        }

        internal InMemoryRequest Request { get; } = new("GET", "/build/version");

        internal void Run(int requests)
        {
            for (int i = 0; i < requests; i++)
            {
                Request.Reset();
                RequestContext context = _router.CreateContext(Request);
                Task done = _router.ProcessRequestAsync(context);
                Assert.True(done.IsCompletedSuccessfully);
                _router.DisposeContext(context, null);
            }
        }

        public void Dispose()
        {
            _state.Dispose();
            _folder.Dispose();
        }
    }
}
