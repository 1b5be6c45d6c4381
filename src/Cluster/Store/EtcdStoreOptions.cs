using System.Net;
using System.Security.Cryptography.X509Certificates;

namespace Raven.Cluster.Store;

/// <summary>Where etcd is, and how it is talked to.</summary>
public sealed record EtcdStoreOptions
{
    /// <summary>Its endpoints for clients, as <c>https://a:2379</c>; another one is asked when one fails.</summary>
    public required IReadOnlyList<Uri> Endpoints { get; init; }

    /// <summary>What all keys of this cluster begin with: <c>/raven/ID/</c>.</summary>
    public required string Root { get; init; }

    /// <summary>The certificate that this node shows; asked for at each connection, so that it can be
    /// renewed.</summary>
    public Func<X509Certificate2?>? ClientCertificate { get; init; }

    /// <summary>Who may have signed etcd's certificate; null for those that the machine trusts.</summary>
    public X509Certificate2Collection? TrustedRoots { get; init; }

    /// <summary>How long a call tries, over all endpoints.</summary>
    public TimeSpan CallTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>How long one endpoint is waited for, when there are others.</summary>
    public TimeSpan EndpointTimeout { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>How long a watch is silent before it is begun again, perhaps elsewhere: what it may be late when the
    /// member that it is at hears nothing any more.</summary>
    public TimeSpan WatchIdleMax { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>The pause between two rounds over all endpoints.</summary>
    public TimeSpan RetryPause { get; init; } = TimeSpan.FromMilliseconds(100);

    /// <summary>The clock of timeouts.</summary>
    public TimeProvider Clock { get; init; } = TimeProvider.System;

    /// <summary>What all keys of a cluster begin with.</summary>
    /// <param name="clusterId">The id of the cluster.</param>
    public static string RootOf(string clusterId) => $"/raven/{clusterId}/";

    /// <summary>Says what is wrong with these options; null if nothing is.</summary>
    public string? ProblemOf()
    {
        if (Endpoints.Count == 0)
        {
            return "There is no endpoint of etcd.";
        }

        foreach (Uri endpoint in Endpoints)
        {
            if (!endpoint.IsAbsoluteUri || endpoint.Scheme is not ("http" or "https") || endpoint.AbsolutePath != "/"
                || endpoint.Query.Length > 0 || endpoint.UserInfo.Length > 0)
            {
                return $"'{endpoint}' is no endpoint of etcd: it is like https://host:2379.";
            }

            if (endpoint.Scheme == "http" && !IsLoopback(endpoint))
            {
                return $"'{endpoint}' is reached without a certificate, which is allowed on this machine alone: etcd "
                    + "says who may write. Use https.";
            }
        }

        return Root.Length < 2 || Root[0] != '/' || Root[^1] != '/' || StoreTxn.ProblemOfKey(Root) != null
            ? $"'{Root}' is no root of keys: it begins and ends with a slash."
            : null;
    }

    private static bool IsLoopback(Uri endpoint) =>
        endpoint.DnsSafeHost.Equals("localhost", StringComparison.OrdinalIgnoreCase)
        || (IPAddress.TryParse(endpoint.DnsSafeHost, out IPAddress? address) && IPAddress.IsLoopback(address));
}
