using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Logging;
using Raven.Cluster.Etcd;
using Raven.Cluster.Store;
using Raven.Security.Certificates;
using Raven.Server.Options;

namespace Raven.Server.Http.Cluster;

/// <summary>The store of a cluster as its node uses it: etcd, which it may run itself, and its keys in memory.
/// </summary>
internal sealed class ClusterStore : IAsyncDisposable
{
    private static readonly TimeSpan RetryPause = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan JoinMax = TimeSpan.FromSeconds(2);

    private readonly ServerOptions _options;
    private readonly ServerCertificate? _certificate;
    private readonly string _folder;
    private readonly ILogger _log;
    private readonly EtcdStoreOptions _calls;
    private readonly IClusterStore _etcd;
    private readonly bool _isGiven;
    private ManagedEtcd? _managed;

    /// <param name="options">Where etcd is, and who this node is.</param>
    /// <param name="certificate">What it shows; null without certificates.</param>
    /// <param name="dataFolder">The folder of the data.</param>
    /// <param name="log">Told of what happens to etcd.</param>
    /// <param name="given">A store in the place of etcd; null for etcd.</param>
    internal ClusterStore(
        ServerOptions options, ServerCertificate? certificate, string dataFolder, ILogger log,
        IClusterStore? given = null)
    {
        _options = options;
        _certificate = certificate;
        _folder = Path.Combine(dataFolder, "etcd");
        _log = log;
        ClusterOptions cluster = options.Cluster;
        Roots = cluster.CertificateAuthorityPath is { } path ? X509CertificateCollectionOf(path) : null;
        _calls = new EtcdStoreOptions
        {
            Endpoints = cluster.IsManaged
                ? [.. cluster.Peers.OrderBy(peer => peer.Key != cluster.Node).Select(peer => ClientUrlOf(peer.Value))]
                : cluster.Store,
            Root = EtcdStoreOptions.RootOf(cluster.Name),
            ClientCertificate = () => _certificate?.Current,
            TrustedRoots = Roots,
        };
        if (_calls.ProblemOf() is { } problem)
        {
            throw new ServerOptionException("Cluster.Store", problem);
        }

        _isGiven = given is not null;
        _etcd = given ?? new EtcdStore(_calls);
        Store = new CertainStore(_etcd, new CertainStoreOptions { ClientId = cluster.Node! });
        Mirror = new StoreMirror(Store);
    }

    /// <summary>The store, whose answers are certain.</summary>
    internal CertainStore Store { get; }

    /// <summary>Its keys, as they are known.</summary>
    internal StoreMirror Mirror { get; }

    /// <summary>Who signs the certificates of nodes; null without certificates.</summary>
    internal X509Certificate2Collection? Roots { get; }

    /// <summary>Why etcd does not serve; null if nothing is known.</summary>
    internal string? Problem { get; private set; }

    /// <summary>How the etcd is that this server runs; null if it runs none, or has not looked yet.</summary>
    internal EtcdHealth? Health => _managed?.Health;

    /// <summary>When the quota of that etcd was last used up, and room was made again; null if never.</summary>
    internal DateTimeOffset? ClearedAt => _managed?.ClearedAt;

    /// <summary>The members of etcd; null if the nodes do not run it.</summary>
    internal EtcdMembers? Members => _options.Cluster.IsManaged && _etcd is EtcdStore etcd
        ? new EtcdMembers(etcd, TimeProvider.System)
        : null;

    /// <summary>Where the etcd of a node listens for others.</summary>
    /// <param name="server">Where the node is reached.</param>
    internal Uri PeerUrlOf(Uri server) => At(server, _options.Cluster.EtcdPortOffset + 1);

    /// <summary>Starts etcd, if it is to be run here, and reads the keys; keeps trying until that has succeeded.
    /// </summary>
    internal async Task StartAsync(CancellationToken stop)
    {
        if (_options.Cluster.IsManaged && !_isGiven)
        {
            while ((Problem = await RunEtcdAsync(stop).ConfigureAwait(false)) is { } problem)
            {
                ClusterLog.StoreProblem(_log, problem);
                await Task.Delay(RetryPause, TimeProvider.System, stop).ConfigureAwait(false);
            }
        }

        Mirror.Start();
        while (!await Mirror.WaitForAsync(0, stop).ConfigureAwait(false))
        {
            stop.ThrowIfCancellationRequested();
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await Mirror.DisposeAsync().ConfigureAwait(false);
        await Store.DisposeAsync().ConfigureAwait(false);
        if (!_isGiven)
        {
            await _etcd.DisposeAsync().ConfigureAwait(false);
        }

        if (_managed is { } managed)
        {
            await managed.DisposeAsync().ConfigureAwait(false);
        }
    }

    private async Task<string?> RunEtcdAsync(CancellationToken stop)
    {
        ClusterOptions cluster = _options.Cluster;
        IEnumerable<string> places = cluster.EtcdPath is { } path
            ? [path]
            : EtcdProgram.PlacesFrom(AppContext.BaseDirectory);
        (EtcdProgram? program, string? problem) = await EtcdProgram.FindAsync(places, stop).ConfigureAwait(false);
        if (program is null)
        {
            return problem;
        }

        var options = new ManagedEtcdOptions
        {
            Program = program.Path,
            Folder = _folder,
            Name = cluster.Node!,
            ClientUrl = ClientUrlOf(cluster.OwnUrl),
            PeerUrl = PeerUrlOf(cluster.OwnUrl),
            Members = cluster.Peers.ToDictionary(peer => peer.Key, peer => PeerUrlOf(peer.Value)),
            Token = cluster.Name,
            QuotaBytes = cluster.EtcdQuotaBytes,
        };
        if (_certificate is { } certificate)
        {
            options = options with
            {
                CertificateFile = Path.Combine(_folder, "node.crt"),
                KeyFile = Path.Combine(_folder, "node.key"),
                TrustedCaFile = cluster.CertificateAuthorityPath,
            };
            if (WriteCertificate(certificate.Current, options.CertificateFile, options.KeyFile) is { } why)
            {
                return why;
            }
        }

        (options, problem) = await JoinAsync(options, stop).ConfigureAwait(false);
        if (problem is null)
        {
            (_managed, problem) = await ManagedEtcd.StartAsync(options, _calls, _log, stop).ConfigureAwait(false);
        }

        return problem;
    }

    /// <summary>Has an etcd that never ran here join the members that there are; without any it begins with the peers.
    /// </summary>
    private async Task<(ManagedEtcdOptions Options, string? Problem)> JoinAsync(
        ManagedEtcdOptions options, CancellationToken stop)
    {
        Uri[] others = [.. _calls.Endpoints.Where(url => url != options.ClientUrl)];
        if (others.Length == 0 || Directory.Exists(Path.Combine(options.DataFolder, "member")))
        {
            return (options, null);
        }

        var store = new EtcdStore(_calls with { Endpoints = others, CallTimeout = JoinMax });
        await using (store.ConfigureAwait(false))
        {
            EtcdMemberResult found = await new EtcdMembers(store, TimeProvider.System).ListAsync(stop)
                .ConfigureAwait(false);
            return found.Status == StoreStatus.Ok && found.Members.Count > 0
                ? EtcdJoining.Decide(options, found.Members)
                : (options, null);
        }
    }

    /// <summary>Gives etcd the server's certificate as files that only this user reads.</summary>
    private string? WriteCertificate(X509Certificate2 certificate, string file, string keyFile)
    {
        using AsymmetricAlgorithm? key = (AsymmetricAlgorithm?)certificate.GetECDsaPrivateKey()
            ?? certificate.GetRSAPrivateKey();
        try
        {
            if (key is null)
            {
                return "etcd needs a certificate with an RSA or ECDSA key.";
            }

            Directory.CreateDirectory(_folder);
            File.WriteAllText(file, certificate.ExportCertificatePem());
            using FileStream stream = new(keyFile, OperatingSystem.IsWindows()
                ? new FileStreamOptions { Mode = FileMode.Create, Access = FileAccess.Write }
                : new FileStreamOptions
                {
                    Mode = FileMode.Create,
                    Access = FileAccess.Write,
                    UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite,
                });
            stream.Write(System.Text.Encoding.ASCII.GetBytes(key.ExportPkcs8PrivateKeyPem()));
            return null;
        }
        catch (Exception e) when (e is CryptographicException or IOException or UnauthorizedAccessException)
        {
            return $"The certificate cannot be given to etcd: {e.Message}";
        }
    }

    private static X509Certificate2Collection X509CertificateCollectionOf(string path)
    {
        try
        {
            X509Certificate2Collection roots = [];
            roots.ImportFromPemFile(path);
            return roots;
        }
        catch (Exception e) when (e is CryptographicException or IOException or UnauthorizedAccessException)
        {
            throw new ServerOptionException("Cluster.CertificateAuthority", e.Message);
        }
    }

    private Uri ClientUrlOf(Uri server) => At(server, _options.Cluster.EtcdPortOffset);

    private static Uri At(Uri server, int offset) =>
        new UriBuilder(server.Scheme, server.Host, server.Port + offset).Uri;
}
