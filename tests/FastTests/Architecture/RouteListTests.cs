using Raven.Security.Rights;
using Raven.Server.Http.Routing;

namespace FastTests.Architecture;

/// <summary>The routes of the server are a list that changes only on purpose.</summary>
public sealed class RouteListTests
{
    [Fact]
    public void The_routes_are_those_of_the_golden_file()
    {
        string path = Path.Combine(SourceTree.Root, "tests/FastTests/Architecture/Routes.golden");
        string[] actual = [.. RouteTable.Default.Routes.Select(route => route.ToString())];
        if (Environment.GetEnvironmentVariable("DEV_UPDATE_GOLDEN") == "1")
        {
            File.WriteAllLines(path, actual);
        }

        string[] expected = [.. File.ReadAllLines(path).Where(line => line.Length > 0)];
        Assert.True(
            expected.SequenceEqual(actual),
            $"{path} should hold:\n{string.Join('\n', actual)}");
    }

    [Fact]
    public void Every_route_has_a_sentence_on_what_it_does() => Assert.All(
        RouteTable.Default.Routes, route => Assert.True(route.Summary.Length > 5, $"{route} has no summary."));

    [Fact]
    public void Every_route_says_which_node_serves_it() => Assert.All(
        RouteTable.Default.Routes, route => Assert.True(route.Place != Place.Unset, $"{route} has no place."));

    /// <summary>A method that changes something is never served by any node that has the database.</summary>
    [Fact]
    public void A_route_that_writes_is_not_served_by_any_node() => Assert.All(
        RouteTable.Default.Routes.Where(route => route is { Place: Place.Any, NeedsDatabase: true }),
        route => Assert.True(
            route.Verb is HttpVerb.Get or HttpVerb.Head || route.Access == Access.Read, $"{route} may write."));
}
