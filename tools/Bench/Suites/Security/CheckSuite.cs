using Microsoft.AspNetCore.Http.Features;
using Raven.Security.Certificates;
using Raven.Security.Registry;
using Raven.Security.Rights;
using Raven.Server;
using Raven.Server.Http;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Security;
using Raven.Server.Options;
using Raven.Tools.Bench.Suites.Http;

namespace Raven.Tools.Bench.Suites.Security;

/// <summary>
/// The check of a right alone, without sockets: who is it, and may it do this. The connection has been checked before,
/// as all requests but its first find it.
/// </summary>
internal sealed class CheckSuite : IBenchSuite
{
    private const int Count = 1_000_000;
    private const int WarmRounds = 10;
    private const double NanosecondsMax = 50;
    private const string Time = "in memory: ";
    private const string Memory = "in memory: allocation of ";
    private const string Path = "/databases/bench/docs";

    public string Name => "security";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        const string byCertificate = "the check of a right, by certificate";
        const string byKey = "the check of a right, by API key";
        string[] names = [Time + byCertificate, Time + byKey, Memory + byCertificate, Memory + byKey];
        if (!Array.Exists(names, context.Wants))
        {
            yield break;
        }

        using var certificates = new EmbeddedCertificates();
        using ServerHost host = ServerHost.Start(new ServerOptions
        {
            RunInMemory = true,
            ServerUrl = new Uri("https://127.0.0.1:0"),
            Security = certificates.Security,
        });
        TrustRegistry trust = host.State.Security.Trust;
        var rights = Permissions.Of([KeyValuePair.Create("bench", DatabaseRight.Read)]);
        trust.Certificates.Put(
            Registrar, "reader", [ClientCertificate.Of(certificates.Admin)], Clearance.ValidUser, rights);
        string key = trust.Keys.Create(Registrar, KeyWith(rights), out _);
        foreach ((string name, Action check) in ((string, Action)[])
            [
                (byCertificate, CheckOf(host, connection => connection.Set<ITlsConnectionFeature>(
                    new TlsConnectionFeature { ClientCertificate = certificates.Admin }))),
                (byKey, CheckOf(host, connection => connection.Request.Headers.Authorization = $"Bearer {key}")),
            ])
        {
            // As often as it takes until the runtime has compiled all of it for speed.
            for (int round = 0; round < WarmRounds; round++)
            {
                check();
            }

            yield return new BenchRow
            {
                Name = Time + name,
                Unit = "ns",
                Target = BenchTarget.AtMost(NanosecondsMax),
                Ours = () => Measure.NanosecondsPerOperation(Count, check),
            };
            yield return new BenchRow
            {
                Name = Memory + name,
                Unit = "B",
                Target = BenchTarget.AtMost(0),
                Ours = () => Measure.AllocatedBytesPerOperation(Count, check),
            };
        }
    }

    private static Identity Registrar { get; } = new()
    {
        Kind = IdentityKind.Local,
        Name = "bench",
        Key = "",
        Clearance = Clearance.ClusterAdmin,
    };

    private static RegisteredKey KeyWith(Permissions rights) => new()
    {
        Id = "",
        Hash = [],
        Name = "reader",
        Clearance = Clearance.ValidUser,
        Permissions = rights,
        ExpiresAt = null,
        CreatedAt = default,
        CreatedBy = "",
    };

    /// <summary>Checks the same request over and over.</summary>
    private static Action CheckOf(ServerHost host, Action<FakeConnection> identify)
    {
        var connection = new FakeConnection();
        connection.Request.Path = Path;
        identify(connection);
        RequestContext request = new RequestRouter(host.State).CreateContext(connection);
        if (!host.State.Routes.TryFind(request.Verb, Path, ref request.Captures, out Route? route, out _))
        {
            throw new InvalidOperationException($"there is no route {Path}");
        }

        request.Route = route;
        AccessGate gate = host.State.Security.Gate;
        return () =>
        {
            for (int n = 0; n < Count; n++)
            {
                if (!gate.TryIdentify(request, route) || !gate.MayEnter(request))
                {
                    throw new InvalidOperationException("the right was refused");
                }
            }
        };
    }
}
