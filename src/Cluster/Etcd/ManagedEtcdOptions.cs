using System.Net;

namespace Raven.Cluster.Etcd;

/// <summary>How a server runs an etcd of its own.</summary>
public sealed record ManagedEtcdOptions
{
    /// <summary>The program.</summary>
    public required string Program { get; init; }

    /// <summary>Its folder: <c>DataDir/etcd</c>.</summary>
    public required string Folder { get; init; }

    /// <summary>The name of the member: the tag of the node.</summary>
    public required string Name { get; init; }

    /// <summary>Where it listens for servers.</summary>
    public required Uri ClientUrl { get; init; }

    /// <summary>Where it listens for other members.</summary>
    public required Uri PeerUrl { get; init; }

    /// <summary>The members at its first start, by name, with where each listens for the others; this one among
    /// them.</summary>
    public required IReadOnlyDictionary<string, Uri> Members { get; init; }

    /// <summary>Whether the members are there already, and this one was added to them.</summary>
    public bool IsJoining { get; init; }

    /// <summary>Keeps members of different clusters apart: the id of the cluster.</summary>
    public required string Token { get; init; }

    /// <summary>The server's certificate as PEM, for servers and clients; null on loopback alone.</summary>
    public string? CertificateFile { get; init; }

    /// <summary>Its key as PEM.</summary>
    public string? KeyFile { get; init; }

    /// <summary>Who signs the certificates of nodes, as PEM: nobody else is let in.</summary>
    public string? TrustedCaFile { get; init; }

    /// <summary>The most bytes that it keeps; beyond that it takes no more until it was cleared.</summary>
    public long QuotaBytes { get; init; } = 2L << 30;

    /// <summary>How long the history of changes is kept.</summary>
    public TimeSpan History { get; init; } = TimeSpan.FromHours(1);

    /// <summary>How long it may take to end by itself: then it is killed, which it survives as it does a loss of power.
    /// A leader waits up to 7 s for another member to lead, which may be ending, too.</summary>
    public TimeSpan StopMax { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>The pause before it is started again after it ended; it doubles up to a minute.</summary>
    public TimeSpan RestartPause { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>How often its quota is looked at.</summary>
    public TimeSpan CheckEvery { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>The clock.</summary>
    public TimeProvider Clock { get; init; } = TimeProvider.System;

    /// <summary>Its log.</summary>
    public string LogFile => Path.Combine(Folder, "etcd.log");

    /// <summary>Its data.</summary>
    public string DataFolder => Path.Combine(Folder, "data");

    /// <summary>What is wrong with these options; null if nothing is.</summary>
    public string? ProblemOf()
    {
        bool isSecure = CertificateFile is not null && KeyFile is not null && TrustedCaFile is not null;
        if (!isSecure && (CertificateFile ?? KeyFile ?? TrustedCaFile) is not null)
        {
            return "A certificate, its key and who signs those of nodes belong together.";
        }

        foreach (Uri url in (Uri[])[ClientUrl, PeerUrl, .. Members.Values])
        {
            if (url.Scheme != (isSecure ? "https" : "http"))
            {
                return isSecure
                    ? $"'{url}' must begin with https://, as there is a certificate."
                    : $"'{url}' must begin with http://, as there is no certificate.";
            }

            if (!isSecure && !IsLoopback(url))
            {
                return $"'{url}' is beyond this machine: without certificates etcd listens on loopback alone.";
            }
        }

        return Members.GetValueOrDefault(Name) is not { } own || own != PeerUrl
            ? $"The members must have this one, {Name}, at {PeerUrl}."
            : QuotaBytes < 1 << 20 ? "The quota is 1 MB at least." : null;
    }

    /// <summary>Its command line.</summary>
    internal IEnumerable<string> Arguments()
    {
        yield return $"--name={Name}";
        yield return $"--data-dir={DataFolder}";
        yield return $"--listen-client-urls={AddressOf(ClientUrl)}";
        yield return $"--advertise-client-urls={AddressOf(ClientUrl)}";
        yield return $"--listen-peer-urls={AddressOf(PeerUrl)}";
        yield return $"--initial-advertise-peer-urls={AddressOf(PeerUrl)}";
        yield return "--initial-cluster=" + string.Join(
            ',', Members.OrderBy(each => each.Key, StringComparer.Ordinal)
                .Select(each => $"{each.Key}={AddressOf(each.Value)}"));
        yield return $"--initial-cluster-state={(IsJoining ? "existing" : "new")}";
        yield return $"--initial-cluster-token={Token}";
        yield return "--auto-compaction-mode=periodic";
        yield return FormattableString.Invariant($"--auto-compaction-retention={(long)History.TotalSeconds}s");
        yield return FormattableString.Invariant($"--quota-backend-bytes={QuotaBytes}");
        yield return "--logger=zap";
        yield return $"--log-outputs={LogFile}";
        yield return "--enable-log-rotation=true";
        yield return "--log-rotation-config-json="
            + """{"maxsize":16,"maxbackups":4,"maxage":0,"localtime":false,"compress":false}""";
        if (CertificateFile is null)
        {
            yield break;
        }

        foreach (string whom in (string[])["", "peer-"])
        {
            yield return $"--{whom}cert-file={CertificateFile}";
            yield return $"--{whom}key-file={KeyFile}";
            yield return $"--{whom}trusted-ca-file={TrustedCaFile}";
            yield return $"--{whom}client-cert-auth=true";
        }
    }

    private static string AddressOf(Uri url) => url.GetLeftPart(UriPartial.Authority);

    private static bool IsLoopback(Uri url) =>
        IPAddress.TryParse(url.DnsSafeHost, out IPAddress? address) && IPAddress.IsLoopback(address);
}
