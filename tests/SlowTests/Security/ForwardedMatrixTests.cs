using System.Net;
using System.Security.Cryptography.X509Certificates;
using FastTests.Security;
using Raven.Security.Rights;
using Raven.Server.Http.Routing;

namespace SlowTests.Security;

/// <summary>Requests at a follower that the primary looks at again, over TLS: by each caller on each route, and while
/// the right changes.</summary>
[Trait(Category.Shard, "attacks")]
[Trait("Invariant", "FWD-5")]
public sealed class ForwardedMatrixTests
{
    private const int Edits = 4_000;

    private static readonly TimeSpan Enough = TimeSpan.FromSeconds(20);

    /// <summary>The follower lets each caller pass, so that only the primary can refuse.</summary>
    [Theory]
    [InlineData(DatabaseRight.None, Clearance.ValidUser)]
    [InlineData(DatabaseRight.Read, Clearance.ValidUser)]
    [InlineData(DatabaseRight.ReadWrite, Clearance.ValidUser)]
    [InlineData(DatabaseRight.Admin, Clearance.ValidUser)]
    [InlineData(DatabaseRight.None, Clearance.Operator)]
    [InlineData(DatabaseRight.None, Clearance.ClusterAdmin)]
    [Trait("Security", "22")]
    public async Task The_primary_refuses_each_route_for_which_its_own_registry_gives_no_right(
        DatabaseRight right, Clearance clearance)
    {
        using var nodes = new TlsNodes();
        X509Certificate2 certificate = nodes.Register(right, clearance);
        nodes.B.Trust.Certificates.Edit(
            TrustFixture.Local, certificate.Thumbprint, "client", Clearance.ClusterAdmin, Permissions.None);
        using HttpClient client = nodes.Client(certificate);
        using HttpClient direct = nodes.A.Client(certificate);
        List<string> errors = [];
        int asked = 0;
        foreach (Route route in RouteTable.Default.Routes.Where(route => route.NeedsDatabase
            && route.Place is Place.Any or Place.Primary && route.Access != Access.Anyone))
        {
            asked++;
            string path = route.Path.Replace("/databases/*/", "/databases/red/", StringComparison.Ordinal)
                .Replace("*", "x", StringComparison.Ordinal).Replace("$", "x", StringComparison.Ordinal);
            HttpStatusCode? status = await StatusAsync(client, HttpVerbs.Name(route.Verb), path);
            bool may = clearance != Clearance.ValidUser || route.Access switch
            {
                Access.Read => right >= DatabaseRight.Read,
                Access.ReadWrite => right >= DatabaseRight.ReadWrite,
                Access.DatabaseAdmin => right == DatabaseRight.Admin,
                _ => false,
            };
            bool isRefused = status is HttpStatusCode.Forbidden or HttpStatusCode.Unauthorized;
            if (may && isRefused)
            {
                // A handler may ask for more, as for a folder of the machine: of whoever asks the primary itself, too.
                isRefused = await StatusAsync(direct, HttpVerbs.Name(route.Verb), path) != HttpStatusCode.Forbidden;
            }

            if (may == isRefused)
            {
                errors.Add($"{HttpVerbs.Name(route.Verb)} {path}: {status}, and it {(may ? "may" : "may not")}");
            }
        }

        Assert.Equal("", string.Join('\n', errors.Take(20)));
        Assert.True(asked > 100, $"{asked} routes");
    }

    [Fact]
    [Trait("Security", "39")]
    public async Task A_request_at_a_follower_that_starts_after_the_answer_of_an_edit_has_the_new_rights()
    {
        using var nodes = new TlsNodes();
        X509Certificate2 certificate = nodes.Register(DatabaseRight.Read);
        using HttpClient client = nodes.Client(certificate);
        using var isDone = new CancellationTokenSource();
        int edited = -1;
        int wrong = 0;
        Task[] busy = [.. Enumerable.Range(0, 3).Select(_ => Task.Run(async () =>
        {
            while (!isDone.IsCancellationRequested)
            {
                // Only if no edit has begun meanwhile is it known what is right.
                int before = Volatile.Read(ref edited);
                HttpStatusCode? status = await StatusAsync(client, "GET", "/databases/red/stats/essential");
                if (before >= 0 && before == Volatile.Read(ref edited) && status != Expected(before))
                {
                    Interlocked.Increment(ref wrong);
                }
            }
        }))];
        for (int i = 0; i < Edits; i++)
        {
            Volatile.Write(ref edited, -1);
            nodes.A.Trust.Certificates.Edit(
                TrustFixture.Local, certificate.Thumbprint, "client", Clearance.ValidUser,
                SecuredServer.OnRed(i % 2 == 0 ? DatabaseRight.Read : DatabaseRight.None));
            Volatile.Write(ref edited, i);
            if (await StatusAsync(client, "GET", "/databases/red/stats/essential") != Expected(i))
            {
                Interlocked.Increment(ref wrong);
            }
        }

        await isDone.CancelAsync();
        await Task.WhenAll(busy);
        Assert.Equal(0, wrong);
    }

    private static HttpStatusCode Expected(int edit) => edit % 2 == 0 ? HttpStatusCode.OK : HttpStatusCode.Forbidden;

    /// <summary>The status of an answer, whose body may have no end; null if it does not come, as of one that
    /// waits.</summary>
    private static async Task<HttpStatusCode?> StatusAsync(HttpClient client, string method, string path)
    {
        using var request = new HttpRequestMessage(new HttpMethod(method), path)
        {
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
        };
        using var late = new CancellationTokenSource(Enough);
        try
        {
            using HttpResponseMessage answer =
                await client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, late.Token);
            return answer.StatusCode;
        }
        catch (OperationCanceledException)
        {
            return null;
        }
    }
}
