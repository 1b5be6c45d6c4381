using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Raven.Cluster.Store;
using Raven.Documents;
using Raven.Documents.Catalog;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Compilation;
using Raven.Security.Audit;
using Raven.Security.Certificates;
using Raven.Security.Registry;
using Raven.Security.Secrets;
using Raven.Server.Diagnostics;
using Raven.Server.Http;
using Raven.Server.Http.Cluster;
using Raven.Server.Http.Connections;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Security;
using Raven.Server.Http.Subscriptions;
using Raven.Server.Http.Telemetry;
using Raven.Server.Options;
using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using KestrelOptions = Microsoft.Extensions.Options.Options;

namespace Raven.Server;

/// <summary>
/// A running server: Kestrel with our router as its application, and nothing of the generic host around it, so that it
/// starts and stops in a few milliseconds inside any process. Dispose it to drain and close; safe for all threads.
/// </summary>
public sealed class ServerHost : IAsyncDisposable, IDisposable
{
    private readonly KestrelServer _kestrel;
    private readonly ServerState _state;
    private readonly DataFolder _folder;
    private readonly LocalSocket? _local;
    private readonly ServerMetrics _metrics;
    private readonly ClusterService? _cluster;
    private UnsecuredReminder? _reminder;
    private int _isDisposed;

    /// <summary>
    /// The switch is set in the configuration of the server's own program; for another process this is the earliest
    /// possible time, unless it has inflated something before.
    /// </summary>
    static ServerHost() => AppContext.SetSwitch(BodySource.StrictInflation, true);

    private ServerHost(KestrelServer kestrel, ServerState state, DataFolder folder, LocalSocket? local)
    {
        _cluster = state.Cluster as ClusterService;
        _kestrel = kestrel;
        _state = state;
        _folder = folder;
        _local = local;
        _metrics = new ServerMetrics(state);
    }

    /// <summary>
    /// The url of the server, without a closing slash: with port 0 in the options, it has the port that was taken.
    /// </summary>
    public string Url => _state.Url;

    /// <summary>What a person is told when it serves: the url, and that of the Studio if there is one.</summary>
    internal string Addresses => _state.Studio.AddressesOf(Url);

    /// <summary>The url for HTTP/2 by prior knowledge; null if there is none.</summary>
    public string? Http2Url { get; private init; }

    /// <summary>What requests share: counters, options, clock.</summary>
    public ServerState State => _state;

    /// <summary>True if it has a certificate, which can be reloaded.</summary>
    internal bool HasCertificate => _state.Security.IsSecured;

    /// <summary>Starts a server.</summary>
    /// <param name="options">The configuration.</param>
    /// <param name="loggers">Takes its log; without one, nothing is logged.</param>
    /// <param name="time">The clock; the system's if null.</param>
    /// <exception cref="ServerOptionException">The options contradict each other, or the certificate cannot be used.
    /// </exception>
    /// <exception cref="ServerStartException">The folder or the address is taken, or cannot be used.</exception>
    public static Task<ServerHost> StartAsync(
        ServerOptions options, ILoggerFactory? loggers = null, TimeProvider? time = null) =>
        StartAsync(options, loggers, time, store: null);

    /// <summary>The same with a store in the place of etcd, and with folders that a test makes.</summary>
    internal static async Task<ServerHost> StartAsync(
        ServerOptions options, ILoggerFactory? loggers, TimeProvider? time, IClusterStore? store,
        Func<string, IDatabaseFolders>? folders = null)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Check();
        var logs = new LogSwitch(loggers ?? NullLoggerFactory.Instance, options.LogLevel, time);
        DataFolder folder = options.RunInMemory
            ? DataFolder.CreateTemporary()
            : DataFolder.Acquire(options.DataDirectory);
        ServerState? state = null;
        KestrelServer? kestrel = null;
        try
        {
            state = CreateState(
                options, folder.Path, time ?? TimeProvider.System, logs, folders?.Invoke(folder.Path));
            state.Cluster = options.Cluster.IsOn ? ClusterService.Start(state, store) : SingleNode.Instance;
            var local = LocalSocket.Claim(options, state.Log, state.Time);
            kestrel = CreateKestrel(options, state, local, logs);
            await kestrel.StartAsync(new RequestRouter(state), CancellationToken.None).ConfigureAwait(false);
            state.Url = UrlOf(kestrel, options.ServerUrl, 0);
            var host = new ServerHost(kestrel, state, folder, local)
            {
                Http2Url = options.Http2Url is { } second
                    ? UrlOf(kestrel, second, ServerOptions.BindAddresses(options.ServerUrl).Length)
                    : null,
            };
            host.LogStart();
            return host;
        }
        catch (Exception e)
        {
            kestrel?.Dispose();
            if (state?.Cluster is ClusterService cluster)
            {
                await cluster.DisposeAsync().ConfigureAwait(false);
            }

            state?.Dispose();
            folder.Dispose();
            if (e is StorageIOException)
            {
                throw new ServerStartException($"The data folder cannot be used: {e.Message}", e);
            }

            if (e is IOException or SocketException)
            {
                string urls = string.Join<Uri>(" and ", options.Urls());
                throw new ServerStartException($"Cannot listen on {urls}: {e.Message}", e);
            }

            if (e is StorageCorruptedException or StorageVersionException)
            {
                string catalog = Path.Combine(folder.Path, DatabaseCatalog.CatalogFolder);
                throw new ServerStartException(
                    $"The record of the databases in {catalog} cannot be opened: {e.Message}", e);
            }

            throw;
        }
    }

    /// <summary>Starts a server and waits until it serves.</summary>
    public static ServerHost Start(ServerOptions options, ILoggerFactory? loggers = null, TimeProvider? time = null) =>
        Task.Run(() => StartAsync(options, loggers, time)).GetAwaiter().GetResult();

    /// <summary>
    /// Stops taking connections, lets running requests end as long as the options allow, then closes everything.
    /// </summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0)
        {
            return;
        }

        ServerLog.Stopping(_state.Log, _state.Counters.Active);
        _reminder?.Dispose();
        _state.IsDraining = true;
        if (_state.Options.StopDelay > TimeSpan.Zero)
        {
            // What sends requests here looks at /healthz/ready from time to time, and sends them elsewhere.
            await Task.Delay(_state.Options.StopDelay, _state.Time).ConfigureAwait(false);
        }

        if (_cluster is not null)
        {
            // Other nodes take over, and requests that still come are sent there.
            await _cluster.StopAsync().ConfigureAwait(false);
        }

        _state.BeginStop();
        using (var drain = new CancellationTokenSource(_state.Options.DrainMax, _state.Time))
        {
            await _kestrel.StopAsync(drain.Token).ConfigureAwait(false);
        }

        _kestrel.Dispose();
        if (_cluster is not null)
        {
            await _cluster.DisposeAsync().ConfigureAwait(false);
        }

        _local?.Remove();
        _state.EndTelemetry();
        _metrics.Dispose();
        _state.Security.Audit.Server("server.stopped", AuditOutcome.Ok);
        _state.Dispose();
        _folder.Dispose();
        ServerLog.Stopped(_state.Log);
    }

    /// <inheritdoc/>
    public void Dispose() => Task.Run(async () => await DisposeAsync().ConfigureAwait(false)).GetAwaiter().GetResult();

    /// <summary>Makes the shared state of requests, with the databases of a folder, or with those and the routes of a
    /// test.</summary>
    internal static ServerState CreateState(
        ServerOptions options, string folder, TimeProvider time, LogSwitch loggers, IDatabaseFolders? folders = null,
        RouteTable? routes = null)
    {
        // The only source of randomness; other generators are seeded from it.
        var random = new Random(RandomNumberGenerator.GetInt32(int.MaxValue));
        ServerTelemetry? telemetry = ServerTelemetry.Start(options, random.NextInt64());
        loggers.Second = telemetry?.Logs;
        try
        {
            return CreateState(options, folder, time, loggers, folders, routes, random, telemetry);
        }
        catch
        {
            loggers.Second = null;
            telemetry?.Dispose();
            throw;
        }
    }

    private static ServerState CreateState(
        ServerOptions options, string folder, TimeProvider time, LogSwitch loggers, IDatabaseFolders? folders,
        RouteTable? routes, Random random, ServerTelemetry? telemetry)
    {
        var indexing = IndexingServices.Create(
            options.Indexing with { Activities = telemetry?.Activities }, options.ToScriptLimits(),
            options.IndexingCSharp, time, loggers.CreateLogger("Raven.Server.Indexing"));
        ScratchBudget scratch = options.ToScratchBudget();
        FileDescriptors descriptors = FileDescriptors.OfProcess();
        DatabaseCatalog databases = DatabaseCatalog.Open(new CatalogOptions
        {
            Indexing = indexing,
            Folders = folders ?? new DatabaseFolders(folder),
            Clock = time,
            Tombstones = options.Tombstones,
            AreInGroups = options.Cluster.IsOn,
            Random = random,
            Loggers = loggers,
            ConfigureStorage = storage =>
            {
                descriptors.Require(storage.FileSystem.Description);
                return storage with
                {
                    Durability = options.RunInMemory ? StorageDurability.Lazy : storage.Durability,
                    ScratchBudget = scratch,
                    FlushDeferredBytesMax = options.FlushDeferredBytesMax,
                    Activities = telemetry?.Activities,
                };
            },
        });
        return WithSecurity(databases, security => new ServerState(
            options, routes ?? RouteTable.Default, databases, security, random, time, loggers)
        {
            DataFolder = folder,
            Descriptors = descriptors,
            Scratch = scratch,
            Telemetry = telemetry,
        });

        ServerState WithSecurity(DatabaseCatalog opened, Func<ServerSecurity, ServerState> make)
        {
            try
            {
                ServerSecurity security = ServerSecurity.Open(
                    options, folder, opened.Records, loggers.CreateLogger("Raven.Server.Security"), time);
                opened.RecordSealer = security.Secrets;
                return make(security);
            }
            catch (Exception e)
            {
                opened.Dispose();
                if (e is CertificateException)
                {
                    // Like a url that is against the rules: what has to be changed is the configuration.
                    string key = options.Security.CertificatePath == null
                        ? "Security.Certificate.Load.Exec"
                        : "Security.Certificate.Path";
                    throw new ServerOptionException(key, e.Message);
                }

                if (e is MasterKeyException or RegistryException or IOException)
                {
                    throw new ServerStartException(e.Message, e);
                }

                throw;
            }
        }
    }

    private static KestrelServer CreateKestrel(
        ServerOptions options, ServerState state, LocalSocket? local, ILoggerFactory loggers)
    {
        var kestrel = new KestrelServerOptions
        {
            AddServerHeader = false,
            AllowSynchronousIO = false,
        };
        TlsEndpoint? tls = null;
        if (state.Security.Certificate is { } certificate)
        {
            kestrel.ApplicationServices = KestrelServices.Create(loggers);
            tls = new TlsEndpoint(certificate, options.Security, state.Security.Handshakes);
        }

        KestrelServerLimits limits = kestrel.Limits;
        limits.MaxRequestBodySize = options.RequestBodySizeBytesMax;
        limits.MaxRequestLineSize = options.RequestLineSizeBytesMax;
        limits.MaxRequestBufferSize = Math.Max(1024 * 1024, options.RequestLineSizeBytesMax);
        limits.KeepAliveTimeout = options.KeepAliveMax;
        limits.MaxConcurrentConnections = options.ConnectionsMax > 0
            ? options.ConnectionsMax
            : state.Descriptors.ConnectionsMax;
        var subscriptions = new SubscriptionSwitch(state);
        Listen(kestrel, options.ServerUrl, HttpProtocols.Http1, tls, subscriptions);
        if (options.Http2Url is { } second)
        {
            Listen(kestrel, second, HttpProtocols.Http2, null, subscriptions);
        }

        local?.Listen(kestrel);

        // Kestrel logs for each request what this server logs for each failure; only its warnings are kept.
        var sockets = new SocketTransportFactory(KestrelOptions.Create(
            new SocketTransportOptions { CreateBoundListenSocket = LocalSocket.Bind }), loggers);
        return new KestrelServer(KestrelOptions.Create(kestrel), sockets, loggers);
    }

    private static void Listen(
        KestrelServerOptions kestrel, Uri url, HttpProtocols protocols, TlsEndpoint? tls,
        SubscriptionSwitch subscriptions)
    {
        foreach (IPAddress address in ServerOptions.BindAddresses(url))
        {
            kestrel.Listen(address, url.Port, listen =>
            {
                listen.Protocols = protocols;
                tls?.Configure(listen);
                listen.Use(subscriptions.Wrap);
                if (protocols == HttpProtocols.Http1)
                {
                    listen.Use(RefusalConnection.Wrap);
                }
            });
        }
    }

    private static string UrlOf(KestrelServer kestrel, Uri url, int index)
    {
        string bound = kestrel.Features.Get<IServerAddressesFeature>()!.Addresses.ElementAt(index);
        int port = new Uri(bound).Port;
        return new UriBuilder(url) { Port = port }.Uri.GetLeftPart(UriPartial.Authority);
    }

    /// <summary>Reads the certificate again; if it cannot be used, the log says why and the one before stays.</summary>
    internal void ReloadCertificate()
    {
        try
        {
            _state.Security.RefreshCertificate();
        }
        catch (CertificateException)
        {
            // It is in the log.
        }
    }

    /// <summary>Does in advance what the first requests of a kind would have to wait for, on a thread of its own. For a
    /// process that is only a server.</summary>
    internal void WarmUp()
    {
        if (_state.Options is { WarmsUpCompiler: true, IndexingCSharp: not CSharpUse.None })
        {
            _state.Databases.Indexing?.WarmUp(_state.Log);
        }
    }

    private void LogStart()
    {
        ServerOptions options = _state.Options;
        ServerLog.Started(_state.Log, Url, options.RunInMemory ? "memory" : options.DataDirectory);
        _state.Security.Audit.Server(
            "server.started", AuditOutcome.Ok,
            [new("url", Url), new("version", ServerVersion.Program), .. OptionTable.Changed(options)]);
        if (_state.Security.IsSecured && _state.Security.TrustsNone)
        {
            ServerLog.NobodyTrusted(_state.Log);
        }

        foreach (string warning in options.Warnings)
        {
            ServerLog.OptionIgnored(_state.Log, warning);
        }

        if (_state.Descriptors.AreFew)
        {
            ServerLog.FewDescriptors(
                _state.Log, _state.Descriptors.Describe(), _state.Descriptors.LeftForStorage);
        }

        StartDecision start = StartRules.Decide(options, options.HasCertificate, _state.CertificateCovers);
        foreach (string warning in start.Warnings)
        {
            ServerLog.OptionIgnored(_state.Log, warning);
        }

        _reminder = UnsecuredReminder.Begin(start, options, Url, _state.Log, _state.Time);
    }
}
