using System.Globalization;
using System.Security.Cryptography.X509Certificates;
using FastTests.Architecture;
using FastTests.Server;
using FastTests.Server.Forwarding;
using Raven.Security.Certificates;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Cluster;
using Raven.Server.Http.Routing;

namespace FastTests.Security;

/// <summary>
/// Each route with each caller on each database: whether the gate lets it in is what the table of rights says. The
/// table is written down a second time, beside the test, so that no route gets or loses a right by mistake.
/// </summary>
public sealed class RightsMatrixTests
{
    private const string Missing = "none";

    private static readonly string[] Callers = ["N", "U", "E", "R", "W", "A", "O", "C", "K", "M"];

    /// <summary>Each route and the right that it needs.</summary>
    internal static readonly (string Method, string Path, Access Access)[] Table =
        [.. File.ReadAllLines(Path.Combine(SourceTree.Root, "tests/FastTests/Security/Rights.txt"))
            .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Select(parts => (parts[1], parts[2], Enum.Parse<Access>(parts[0])))];

    [Fact]
    [Trait("Security", "22")]
    public void Each_route_needs_the_right_that_the_table_says()
    {
        string[] expected = [.. Table.Select(row => $"{row.Method} {row.Path} {row.Access}").Order()];
        string[] actual = [.. RouteTable.Default.Routes
            .Select(route => $"{HttpVerbs.Name(route.Verb)} {route.Path} {route.Access}").Order()];
        Assert.Equal("", string.Join('\n', actual.Except(expected)));
        Assert.Equal("", string.Join('\n', expected.Except(actual)));
    }

    [Fact]
    [Trait("Security", "22")]
    public void The_gate_lets_each_caller_use_the_routes_to_which_it_has_the_right_and_no_other()
    {
        int entered = 0;
        using var secured = new SecuredServer(Stubs(() => entered++));
        List<string> errors = [];
        foreach (string name in Callers)
        {
            InMemoryRequest connection = secured.Request(secured.Caller(name), "GET", "/");
            Walk(secured, name, connection, ref entered, errors, () =>
            {
                connection.HostContext = null;
                connection.RemoteIpAddress = secured.NextAddress();
            });
        }

        Assert.Equal("", string.Join('\n', errors.Take(20)));
    }

    /// <summary>Another node of the cluster has looked already, and its own certificate is no caller's.</summary>
    [Fact]
    [Trait("Security", "22")]
    [Trait("Invariant", "FWD-5")]
    public void The_gate_of_a_primary_does_the_same_if_another_node_passes_the_requests_on()
    {
        int entered = 0;
        using var secured = new SecuredServer(Stubs(() => entered++));
        using X509Certificate2 node = TestCertificates.Make("node B");
        NodeView own = StandInNodes.Node("A", "https://127.0.0.1:1");
        var cluster = new StandInCluster("A") { NodeDigest = ClientCertificate.DigestOf(node), ForwardKey = null };
        cluster.Set(new GroupView
        {
            Database = "red", Etag = 1, Epoch = 1, Role = GroupRole.Primary, IsOpen = true, Primary = own,
            Nodes = [new GroupNode(own, GroupRole.Primary)], MinInSync = 1,
        });
        secured.Server.State.Cluster = cluster;
        List<string> errors = [];
        foreach (string name in Callers)
        {
            // One connection of the node for all of them.
            TestCaller caller = secured.Caller(name);
            InMemoryRequest connection = secured.Request(new TestCaller(node, caller.Header), "GET", "/");
            connection.Request["Raven-Forwarded"] = "B, 1";
            connection.Request["X-Forwarded-For"] = $"{secured.NextAddress()}";
            if (caller.Certificate is { } certificate)
            {
                connection.Request["X-Raven-Client-Cert"] = Convert.ToBase64String(certificate.RawData);
            }

            Walk(secured, name, connection, ref entered, errors, () =>
                connection.Request["X-Forwarded-For"] = $"{secured.NextAddress()}");
        }

        Assert.Equal("", string.Join('\n', errors.Take(20)));
    }

    /// <summary>Asks each route, on each database if it is of one.</summary>
    private static void Walk(
        SecuredServer secured, string name, InMemoryRequest connection, ref int entered, List<string> errors,
        Action takeAnotherAddress)
    {
        foreach ((string method, string path, Access access) in Table)
        {
            string[] databases = path.StartsWith("/databases/*/", StringComparison.Ordinal)
                ? ["red", "blue", Missing]
                : [""];
            foreach (string database in databases)
            {
                if (name is "U" or "E")
                {
                    // Who fails too often from one address has to wait.
                    takeAnotherAddress();
                }

                connection.Method = method;
                connection.Path = connection.RawTarget = Fill(path, database);
                entered = 0;
                int status = secured.Server.Send(connection);
                int expected = Expected(name, access, database);
                if (status != expected || entered != (expected == 204 ? 1 : 0))
                {
                    errors.Add(string.Create(
                        CultureInfo.InvariantCulture,
                        $"{name}: {method} {connection.Path}: {status}, entered {entered}, not {expected}"));
                }
            }
        }
    }

    [Fact]
    [Trait("Security", "22")]
    [Trait("Security", "42")]
    [Trait("Invariant", "AUTH-1")]
    public void A_key_that_does_not_count_is_answered_with_401_on_each_route()
    {
        using var secured = new SecuredServer(Stubs(() => { }));
        foreach ((string method, string path, Access access) in Table.Where(row => row.Access != Access.Anyone))
        {
            var caller = new TestCaller(secured.Caller("C").Certificate, "Bearer rvk_wrong");
            Assert.Equal(401, secured.Send(caller, method, Fill(path, "red")).StatusCode);
        }
    }

    [Fact]
    [Trait("Security", "22")]
    [Trait("Invariant", "RIGHT-1")]
    public void The_rights_of_a_header_and_of_a_certificate_are_not_added_up()
    {
        using var secured = new SecuredServer();
        var keyOfAdministrator = new TestCaller(secured.Caller("C").Certificate, secured.Caller("K").Header);
        var metricsOfReader = new TestCaller(secured.Caller("R").Certificate, secured.Caller("M").Header);
        foreach ((TestCaller caller, string target, int status) in new[]
        {
            (keyOfAdministrator, "/databases/red/docs", 200), (keyOfAdministrator, "/databases/blue/docs", 403),
            (keyOfAdministrator, "/admin/requests/running", 403), (metricsOfReader, "/metrics", 200),
            (metricsOfReader, "/databases/red/docs", 403),
        })
        {
            Assert.Equal(status, secured.Send(caller, "GET", target).StatusCode);
        }

        Assert.Contains(
            "\"Kind\":\"ApiKey\"", secured.Send(keyOfAdministrator, "GET", "/certificates/whoami").Answer,
            StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Security", "25")]
    [Trait("Invariant", "GATE-2")]
    public void A_database_that_a_caller_may_not_read_looks_like_one_that_is_missing()
    {
        using var secured = new SecuredServer();
        foreach (string name in new[] { "R", "W", "A", "K", "M" })
        {
            foreach ((string method, string path, _) in Table.Where(
                row => row.Path.StartsWith("/databases/*/", StringComparison.Ordinal)))
            {
                Assert.Equal(Answer("blue"), Answer(Missing));

                string Answer(string database)
                {
                    InMemoryRequest answer = secured.Send(name, method, Fill(path, database));
                    Assert.Equal(403, answer.StatusCode);
                    return Shown(answer).Replace(database, "NAME", StringComparison.Ordinal);
                }
            }
        }

        Assert.Equal(Topology("blue"), Topology(Missing));

        string Topology(string database)
        {
            InMemoryRequest answer = secured.Send("R", "GET", "/topology?name=" + database);
            Assert.Equal(403, answer.StatusCode);
            return Shown(answer).Replace(database, "NAME", StringComparison.Ordinal);
        }
    }

    private static string Shown(InMemoryRequest answer) => string.Join(
        '\n',
        answer.Response.OrderBy(header => header.Key, StringComparer.Ordinal)
            .Select(header => $"{header.Key}: {header.Value}")
            .Append(answer.Answer));

    /// <summary>The path of a route, with names in it.</summary>
    internal static string Fill(string path, string database)
    {
        if (path.StartsWith("/databases/*/", StringComparison.Ordinal))
        {
            path = $"/databases/{database}/{path["/databases/*/".Length..]}";
        }

        return path.Replace("*", "x", StringComparison.Ordinal).Replace("$", "x", StringComparison.Ordinal);
    }

    /// <summary>204 if the handler is entered; 503 if the caller may know that the database is missing.</summary>
    private static int Expected(string caller, Access access, string database)
    {
        bool isOnRed = database == "red";
        bool may = caller switch
        {
            _ when access == Access.Anyone => true,
            "N" or "U" or "E" => false,
            "C" => true,
            "O" => access != Access.ClusterAdmin,
            _ when access == Access.ValidUser => true,
            "M" => access == Access.Monitoring,
            "R" => isOnRed && access == Access.Read,
            "W" or "K" => isOnRed && access is (Access.Read or Access.ReadWrite),
            "A" => isOnRed && access is (Access.Read or Access.ReadWrite or Access.DatabaseAdmin),
            _ => false,
        };
        return !may ? 403 : database == Missing ? 503 : 204;
    }

    /// <summary>The routes of the server with handlers that only say that they were entered.</summary>
    internal static RouteTable Stubs(Action entered)
    {
        return RouteTable.FromHandlers(RouteTable.Default.Routes.Select(
            route => (new RouteAttribute(HttpVerbs.Name(route.Verb), route.Path, route.Access), (RouteHandler)Enter)));

        ValueTask Enter(RequestContext request)
        {
            entered();
            request.Response.Status = 204;
            return ValueTask.CompletedTask;
        }
    }
}
