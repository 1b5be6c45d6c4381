using FastTests.Support;
using Raven.Blittable.Contexts;
using Raven.Security.Rights;
using Raven.Server.Http.Routing;

namespace FastTests.Server;

/// <summary>
/// Our part of a request, measured without Kestrel and sockets, in look-ups of the framework's dictionary. The figures
/// themselves, which are in the names of the tests, are what <c>tools/Bench -- http</c> measures on a quiet machine.
/// </summary>
public sealed class RequestCostTests(ITestOutputHelper output)
{
    private const int RequestsPerRound = 2_000;
    private const string Docs = "/databases/db/docs";

    private const double LookupsOfMatch = 10;
    private const double LookupsOfDispatch = 15;
    private const double LookupsOfVersion = 80;

    private static readonly Dictionary<string, int> Names =
        Enumerable.Range(0, 400).ToDictionary(i => $"/databases/northwind/{(char)('a' + (i % 26))}area{i}/items");

    private static readonly string[] Keys = [.. Names.Keys];

    private static readonly string Document =
        $"{{\"Name\":\"Ada\",\"Notes\":\"{string.Join(' ', Enumerable.Range(1000, 180))}\"}}";

    [Fact]
    public void A_request_for_the_version_allocates_nothing()
    {
        using var server = new InMemoryServer();
        var request = new InMemoryRequest("GET", "/build/version");
        Assert.Equal(0, AllocatedBy(server, request));
        Assert.Contains("BuildVersion", request.Answer, StringComparison.Ordinal);
    }

    [Fact]
    public void Reading_a_document_allocates_only_its_etag()
    {
        using var server = new InMemoryServer();
        Assert.Equal(201, server.Send(new InMemoryRequest("PUT", Docs, "?id=users/1-A", Document)));
        var request = new InMemoryRequest("GET", Docs, "?id=users/1-A");
        double bytes = AllocatedBy(server, request);
        output.WriteLine($"GET of {request.Answer.Length} bytes allocates {bytes:F0} bytes");
        Assert.InRange(bytes, 0, 400);
        Assert.Contains("\"Ada\"", request.Answer, StringComparison.Ordinal);
    }

    [Fact]
    public void Writing_a_document_allocates_less_than_800_bytes()
    {
        using var server = new InMemoryServer();
        var request = new InMemoryRequest("PUT", Docs, "?id=users/1-A", Document);
        double reader = AllocatedBy(request.Reset);
        double bytes = AllocatedBy(server, request) - reader;
        output.WriteLine($"PUT of {Document.Length} bytes allocates {bytes:F0} bytes");
        Assert.InRange(bytes, 0, 800);
    }

    [Fact]
    public void A_request_for_the_version_takes_less_than_800_ns_without_Kestrel()
    {
        using var server = new InMemoryServer();
        var request = new InMemoryRequest("GET", "/build/version");
        double lookups = Cost.AssertWork(
            LookupsOfVersion, () =>
            {
                for (int i = 0; i < RequestsPerRound; i++)
                {
                    server.Send(request);
                }
            },
            LookUp);
        output.WriteLine($"/build/version, all of ours in memory: {lookups:F0} look-ups");
    }

    [Fact]
    public void Matching_a_route_takes_less_than_100_ns_and_as_long_among_1000_routes_as_among_10()
    {
        Action ten = MatchAmong(10), thousand = MatchAmong(1000);
        double lookups = Cost.AssertWork(LookupsOfMatch, thousand, LookUp);
        double times = Cost.AssertWork(3, thousand, ten);
        output.WriteLine($"match among 1,000 routes: {lookups:F1} look-ups, {times:F1} times that among 10");
    }

    [Fact]
    public void Matching_dispatching_and_renting_a_context_take_less_than_150_ns_and_allocate_nothing()
    {
        RouteTable table = TableOf(400);
        using var pool = new OperationContextPool();
        const string path = "/databases/northwind/jarea399/items";
        void Round()
        {
            for (int i = 0; i < RequestsPerRound; i++)
            {
                var captures = new RouteCaptures();
                bool found = table.TryFind(HttpVerb.Get, path, ref captures, out Route? route, out _);
                Assert.True(found);
                OperationContext context = pool.Rent();
                ValueTask done = route!.Handler(null!);
                Assert.True(done.IsCompleted);
                pool.Return(context);
            }
        }

        double lookups = Cost.AssertWork(LookupsOfDispatch, Round, LookUp);
        output.WriteLine($"match + dispatch + context checkout: {lookups:F0} look-ups");
        Assert.Equal(0, AllocatedBy(Round));
    }

    private static Action MatchAmong(int routes)
    {
        RouteTable table = TableOf(routes);
        string path = $"/databases/northwind/{(char)('a' + ((routes - 1) % 26))}area{routes - 1}/items";
        return () =>
        {
            int found = 0;
            for (int i = 0; i < RequestsPerRound; i++)
            {
                var captures = new RouteCaptures();
                found += table.TryFind(HttpVerb.Get, path, ref captures, out _, out _) ? 1 : 0;
            }

            Assert.Equal(RequestsPerRound, found);
        };
    }

    /// <summary>As many look-ups as a round has requests.</summary>
    private static void LookUp()
    {
        int found = 0;
        for (int i = 0; i < RequestsPerRound; i++)
        {
            found += Names.TryGetValue(Keys[i % Keys.Length], out _) ? 1 : 0;
        }

        Assert.Equal(RequestsPerRound, found);
    }

    private static RouteTable TableOf(int routes) => RouteTable.FromHandlers(Enumerable.Range(0, routes).Select(i => (
        new RouteAttribute("GET", $"/databases/*/{(char)('a' + (i % 26))}area{i}/items", Access.Read),
        (RouteHandler)(static _ => ValueTask.CompletedTask))));

    private static double AllocatedBy(InMemoryServer server, InMemoryRequest request) =>
        AllocatedBy(() => server.Send(request));

    /// <summary>Bytes a run: the least of several rounds, as the runtime allocates beside some of them.</summary>
    private static double AllocatedBy(Action run)
    {
        const int runs = 100;
        long least = Allocated.Least(() =>
        {
            for (int i = 0; i < runs; i++)
            {
                run();
            }
        });
        return least / (double)runs;
    }
}
