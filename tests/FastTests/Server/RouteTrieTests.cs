using FastTests.Support;
using Raven.Server.Http.Routing;

namespace FastTests.Server;

public sealed class RouteTrieTests
{
    private static readonly string[] Paths =
    [
        "/build/version", "/admin/databases", "/admin/databases/*/dump", "/databases", "/databases/*/docs",
        "/databases/*/docs/$", "/databases/*/indexes", "/databases/*/indexes/$", "/databases/*/stats",
        "/databases/system/docs", "/a/*/b/*/c", "/a/x/b/y/d", "/files/$",
    ];

    private static readonly RouteTrie Trie = Build(Paths);

    [Theory]
    [InlineData("/build/version", "/build/version")]
    [InlineData("/BUILD/Version", "/build/version")]
    [InlineData("/databases", "/databases")]
    [InlineData("/databases/northwind/docs", "/databases/*/docs", "northwind")]
    [InlineData("/Databases/NorthWind/Docs", "/databases/*/docs", "NorthWind")]
    [InlineData("/databases/system/docs", "/databases/system/docs")]
    [InlineData("/databases/system/stats", "/databases/*/stats", "system")]
    [InlineData("/databases/systems/docs", "/databases/*/docs", "systems")]
    [InlineData("/databases/db/docs/users/1", "/databases/*/docs/$", "db", "users/1")]
    [InlineData("/databases/db/docs/", "/databases/*/docs/$", "db", "")]
    [InlineData("/databases/שלום/indexes/a b", "/databases/*/indexes/$", "שלום", "a b")]
    [InlineData("/databases/\U0001F600/indexes/\u0080\uffff", "/databases/*/indexes/$", "\U0001F600", "\u0080\uffff")]
    [InlineData("/databases/a%2Fb/docs", "/databases/*/docs", "a%2Fb")]
    [InlineData("/a/x/b/y/d", "/a/x/b/y/d")]
    [InlineData("/a/x/b/y/c", "/a/*/b/*/c", "x", "y")]
    [InlineData("/a/q/b/y/c", "/a/*/b/*/c", "q", "y")]
    [InlineData("/files/", "/files/$", "")]
    [InlineData("/files/one/two", "/files/$", "one/two")]
    public void A_path_finds_its_route_and_its_captures(string path, string route, params string[] captured)
    {
        var captures = new RouteCaptures();
        Assert.True(Trie.TryMatch(path, ref captures, out int endpoint));
        Assert.Equal(route, Paths[endpoint]);
        Assert.Equal(captured, Enumerable.Range(0, captures.Count).Select(i => captures.Of(path, i).ToString()));
    }

    [Theory]
    [InlineData("")]
    [InlineData("/")]
    [InlineData("/build")]
    [InlineData("/build/version/")]
    [InlineData("/build/versions")]
    [InlineData("/databases/")]
    [InlineData("/databases//docs")]
    [InlineData("/databases/db")]
    [InlineData("/databases/db/")]
    [InlineData("/databases/db/docx")]
    [InlineData("/databases/a/b/docs")]
    [InlineData("/a/x/b/y/e")]
    [InlineData("/\u05d0")]
    [InlineData("/\uffff\u0080")]
    [InlineData("/databases/db/\u212aocs")]
    [InlineData("\u0130")]
    public void A_path_without_a_route_is_not_found(string path)
    {
        var captures = new RouteCaptures();
        Assert.False(Trie.TryMatch(path, ref captures, out _));
    }

    /// <summary>The oracle is the definition, segment by segment: exact before *, * before $.</summary>
    [Theory]
    [InlineData(7001)]
    [InlineData(7002)]
    public void A_random_route_trie_finds_what_trying_every_route_finds(int seed)
    {
        var random = new Random(seed);
        const string alphabet = "ab/*é";
        for (int round = 0; round < 300; round++)
        {
            string[] routes = [.. Enumerable.Range(0, random.Next(1, 12)).Select(_ => RandomRoute(random)).Distinct()];
            RouteTrie trie = Build(routes);
            for (int i = 0; i < 60; i++)
            {
                string path = "/" + new string([.. Enumerable.Range(0, random.Next(0, 9))
                    .Select(_ => alphabet[random.Next(alphabet.Length)])]);
                var captures = new RouteCaptures();
                bool found = trie.TryMatch(path, ref captures, out int endpoint);
                bool expected = routes.Any(route => Matches(route, path));
                Assert.True(expected == found, $"seed {seed}: '{path}' in [{string.Join(' ', routes)}]");
                Assert.True(!found || Matches(routes[endpoint], path), $"seed {seed}: '{path}' is not {endpoint}");
                if (found && routes.Contains(path) && !path.Contains('*'))
                {
                    Assert.Equal(path, routes[endpoint]);
                }
            }
        }
    }

    [Theory]
    [InlineData("build")]
    [InlineData("/a/$/b")]
    [InlineData("/café")]
    [InlineData("/a**")]
    [InlineData("/*/*/*/*/*")]
    public void A_route_that_could_never_match_is_refused(string path) =>
        Assert.Throws<ArgumentException>(() => new RouteTrieBuilder().Add(path, 0));

    [Fact]
    public void Matching_a_path_allocates_nothing()
    {
        string[] paths =
            ["/build/version", "/databases/northwind/docs", "/databases/שלום/indexes/users/1", "/nothing/here"];
        int found = 0;
        Assert.Equal(0, Allocated.Least(() =>
        {
            found = 0;
            for (int i = 0; i < 1000; i++)
            {
                var captures = new RouteCaptures();
                found += Trie.TryMatch(paths[i & 3], ref captures, out _) ? 1 : 0;
            }
        }));
        Assert.Equal(750, found);
    }

    private static RouteTrie Build(string[] paths)
    {
        var builder = new RouteTrieBuilder();
        for (int i = 0; i < paths.Length; i++)
        {
            Assert.Equal(i, builder.Add(paths[i], i));
        }

        return builder.Build();
    }

    private static string RandomRoute(Random random)
    {
        string[] parts = ["a", "b", "ab", "ba", "*", "a/", "/"];
        string route = "/";
        for (int i = random.Next(0, 4); i > 0; i--)
        {
            string part = parts[random.Next(parts.Length)];
            route += part == "*" && route.EndsWith('*') ? "a" : part;
        }

        return route.Count(c => c == '*') < 4 && random.Next(4) == 0 ? route + "$" : route;
    }

    private static bool Matches(string route, string path)
    {
        if (route.Length == 0)
        {
            return path.Length == 0;
        }

        return route[0] switch
        {
            '$' => true,
            '*' => MatchesSegment(route, path),
            _ => path.Length > 0 && path[0] == route[0] && Matches(route[1..], path[1..]),
        };
    }

    private static bool MatchesSegment(string route, string path)
    {
        // A capture is a whole run up to the next slash.
        int end = path.IndexOf('/');
        end = end < 0 ? path.Length : end;
        return end > 0 && Matches(route[1..], path[end..]);
    }
}
