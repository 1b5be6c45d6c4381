using FastTests.Server;
using Raven.Security.Rights;

namespace FastTests.Security;

/// <summary>No other form of a path or a method lets a caller in where the plain one does not.</summary>
public sealed class PathRightsTests : IDisposable
{
    private static readonly string[] Callers = ["N", "R", "W", "M"];

    private readonly Dictionary<string, InMemoryRequest> _connections = [];
    private readonly SecuredServer _stubs;
    private int _entered;
    private int _allEntered;

    public PathRightsTests()
    {
        _stubs = new SecuredServer(RightsMatrixTests.Stubs(() => _entered++));
    }

    public void Dispose() => _stubs.Dispose();

    /// <summary>Paths as Kestrel hands them on, which decodes all but slashes and takes out dots as segments.</summary>
    [Fact]
    [Trait("Security", "23")]
    public void Another_form_of_a_path_never_gives_more_than_the_plain_one()
    {
        (string Name, Func<string, string> Path, Func<string, string>? Raw)[] forms =
        [
            ("slash", path => path + "/", null),
            ("slashes", path => "/" + path, null),
            ("slashes inside", path => path.Insert(path.LastIndexOf('/'), "/"), null),
            ("encoded slash", path => path.Remove(path.LastIndexOf('/'), 1).Insert(path.LastIndexOf('/'), "%2f"), null),
            ("parameter", path => path + ";x", null),
            ("upper case", path => path.ToUpperInvariant(), null),
            ("long", path => path + new string('x', 300), null),
            ("dots", path => path, path => "/healthz/.." + path),
            ("encoded dots", path => path, path => "/healthz/%2e%2e" + path),
            ("dots behind", path => path, path => path + "/x/.."),
        ];
        CheckAll((caller, method, path) =>
        {
            int plain = Send(caller, method, path, path).Entered;
            foreach ((string name, Func<string, string> change, Func<string, string>? raw) in forms)
            {
                string changed = change(path);
                int entered = Send(caller, method, changed, raw == null ? changed : raw(path)).Entered;

                // Below /studio/ all that is no other route is the Studio's page, which is for anyone.
                bool mayBePage = raw == null && path.StartsWith("/studio/", StringComparison.Ordinal);
                if (entered > (raw == null ? plain : 0) && !mayBePage)
                {
                    return name;
                }
            }

            return null;
        });
    }

    [Fact]
    [Trait("Security", "23")]
    public void Another_method_or_a_header_that_names_one_never_gives_more_than_the_plain_one()
    {
        string[] methods = ["BREW", "TRACE", "CONNECT", "OPTIONS", "GET "];
        string[] headers = ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"];
        CheckAll((caller, method, path) =>
        {
            (int Status, int Entered) plain = Send(caller, method, path, path);
            if (Send(caller, method.ToLowerInvariant(), path, path).Entered > plain.Entered)
            {
                return "lower case";
            }

            if (Array.Find(methods, other => Send(caller, other, path, path).Entered > 0) is { } entered)
            {
                return entered;
            }

            return headers.FirstOrDefault(header =>
                new[] { "GET", "DELETE" }.Any(named => Send(caller, method, path, path, header, named) != plain));
        });
    }

    [Fact]
    [Trait("Security", "24")]
    public void Who_may_read_one_database_reaches_no_other_by_dots_and_its_own_in_either_case()
    {
        using var secured = new SecuredServer();
        foreach (string name in new[] { "red", "blue" })
        {
            Assert.Equal(201, secured.Send(
                "O", "PUT", $"/databases/{name}/docs?id=a", $$"""{"Text":"canary-of-{{name}}"}""").StatusCode);
        }

        foreach ((string path, string raw) in new[]
        {
            ("/admin/databases", "/healthz/../admin/databases?name=red"),
            ("/databases/blue/docs", "/databases/red/../blue/docs?id=a"),
            ("/databases/red%2f..%2fblue/docs", "/databases/red%2f..%2fblue/docs?id=a"),
        })
        {
            foreach (string caller in new[] { "N", "R", "A" })
            {
                InMemoryRequest request = secured.Request(secured.Caller(caller), "GET", path + "?id=a");
                request.RawTarget = raw;
                Assert.InRange(secured.Server.Send(request), 400, 499);
                Assert.DoesNotContain("canary", request.Answer, StringComparison.Ordinal);
            }
        }

        InMemoryRequest own = secured.Send("R", "GET", "/databases/RED/docs?id=a");
        Assert.Equal(200, own.StatusCode);
        Assert.Contains("canary-of-red", own.Answer, StringComparison.Ordinal);
        Assert.Equal(403, secured.Send("R", "GET", "/databases/BLUE/docs?id=a").StatusCode);
    }

    private void CheckAll(Func<string, string, string, string?> check)
    {
        List<string> errors = [];
        foreach ((string method, string path, Access access) in RightsMatrixTests.Table)
        {
            string filled = RightsMatrixTests.Fill(path, "red");
            foreach (string caller in access == Access.Anyone ? ["R"] : Callers)
            {
                if (check(caller, method, filled) is { } form)
                {
                    errors.Add($"{caller}: {method} {filled}: {form}");
                }
            }
        }

        Assert.Equal("", string.Join('\n', errors.Take(20)));
        Assert.True(_allEntered > 200, "Hardly any request came in: nothing was looked at.");
    }

    private (int Status, int Entered) Send(
        string caller, string method, string path, string raw, string? header = null, string? value = null)
    {
        if (!_connections.TryGetValue(caller, out InMemoryRequest? connection))
        {
            connection = _stubs.Request(_stubs.Caller(caller), "GET", "/");
            _connections[caller] = connection;
        }

        connection.Method = method;
        connection.Path = path;
        connection.RawTarget = raw;
        if (header != null)
        {
            connection.Request[header] = value;
        }

        _entered = 0;
        int status = _stubs.Server.Send(connection);
        _allEntered += _entered;
        if (header != null)
        {
            connection.Request.Remove(header);
        }

        return (status, _entered);
    }
}
