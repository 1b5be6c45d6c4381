using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.ObjectPool;
using Raven.Blittable.Contexts;
using Raven.Blittable.Memory;
using Raven.Documents.Catalog;
using Raven.Documents.Commands;
using Raven.Documents.Operations;
using Raven.Documents.Queries;
using Raven.Server.Diagnostics;
using Raven.Server.Http.Admission;
using Raven.Server.Http.Backups;
using Raven.Server.Http.Cluster;
using Raven.Server.Http.Forwarding;
using Raven.Server.Http.Monitoring;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Security;
using Raven.Server.Http.Studio;
using Raven.Server.Http.Subscriptions;
using Raven.Server.Http.Telemetry;
using Raven.Server.Options;
using Raven.Storage.Platform;

namespace Raven.Server.Http;

/// <summary>What all requests of one server share. Made by <see cref="ServerHost"/>; safe for all threads.</summary>
public sealed class ServerState : IDisposable
{
    /// <summary>The name of this node in a cluster of one.</summary>
    internal const string NodeTag = "A";

    /// <summary>As many as contexts: a write uses one of each until its commit is durable.</summary>
    private const int IdleBatchesMax = 256;

    /// <summary>The default limit of one request; at least a given number of such requests must fit
    /// into memory.</summary>
    private const long DefaultRequestMemoryBytesMax = 512L << 20;
    private const long DefaultRequestMemoryBytesMin = 16L << 20;
    private const int DefaultRequestsInMemory = 4;

    /// <summary>Errors must be answered, whatever the configuration is.</summary>
    private const long RequestMemoryBytesMin = 1 << 20;

    /// <summary>The most memory of all answers: a part of the limit, within these bounds.</summary>
    private const long AnswersMemoryBytesMax = 64L << 20;
    private const long AnswersMemoryBytesMin = 4L << 20;
    private const int AnswersShare = 16;

    private readonly CancellationTokenSource _stopping = new();
    private readonly RightsWatch _rights;
    private readonly long _startedStamp;
    private volatile ObjectPool<BatchCommand> _batches;
    private long _querySliceCount;
    private long _nextErrorId;
    private long _lastCommandIndex;
    private long _lastConnectionNumber;
    private bool _isDraining;
    private int _connectionCount;

    internal ServerState(
        ServerOptions options, RouteTable routes, DatabaseCatalog databases, ServerSecurity security, Random random,
        TimeProvider time, LogSwitch loggers)
    {
        Security = security;
        if (security.Certificate is { } certificate)
        {
            CertificateCovers = name => certificate.Current.MatchesHostname(name);
        }

        Databases = databases;
        HashSeed = (ulong)random.NextInt64();

        Options = options;
        Studio = options.StudioFolder is { } folder ? StudioFiles.OfFolder(folder) : StudioFiles.Embedded;
        Origins = new PageOrigins(this);
        Sizes = new DatabaseSizes(databases, time);
        Start = StartRules.Decide(options, options.HasCertificate);
        Contexts = new OperationContextPool(options.ToContextPoolOptions());
        Routes = routes;
        Time = time;
        Loggers = LogSwitch = loggers;
        Log = loggers.CreateLogger("Raven.Server");
        Counters = new RequestCounters(routes.Routes.Count);
        StartedAt = time.GetUtcNow();
        Rates = new Rates(time);
        Rates.Begin(ServerReport.ProcessorTime, Environment.CpuUsage.TotalTime.TotalSeconds);
        _startedStamp = time.GetTimestamp();
        Id = Guid.NewGuid();
        Operations = new OperationRegistry(time, operation => OperationChanges.Notify(databases, operation));
        Heartbeats = new HeartbeatWheel(time, options.ChangesHeartbeat);
        SubscriptionBeats = new HeartbeatWheel(time, SubscriptionExchange.BeatEvery);
        StorageLogThrottle = new LogThrottle(time, TimeSpan.FromSeconds(1));
        Memory = new MemoryGate(time, options.MemoryBytesMax, MemoryGate.UsedBytes, GiveMemoryBack);
        Answers = new ResponseMemory(
            Math.Clamp(Memory.LimitBytes / AnswersShare, AnswersMemoryBytesMin, AnswersMemoryBytesMax));
        RequestMemoryBytesMax = options.RequestMemoryBytesMax > 0
            ? Math.Max(options.RequestMemoryBytesMax, RequestMemoryBytesMin)
            : Math.Clamp(
                Memory.LimitBytes / DefaultRequestsInMemory, DefaultRequestMemoryBytesMin,
                DefaultRequestMemoryBytesMax);
        ResponseBufferBytesMax = Math.Min(options.ResponseBufferSizeBytesMax, RequestMemoryBytesMax / 2);
        Idle = new IdleMemory(
            time, static () => Environment.CpuUsage.TotalTime, MemoryGate.UsedBytes, () => Counters.Active,
            GiveIdleMemoryBack);
        Queries = new QueryServices(time, options.ToScriptLimits())
        {
            HashSeed = HashSeed,
            Contexts = Contexts,
            JsonLimits = options.ToJsonLimits(),
            ContextSizeBytesMax = RequestMemoryBytesMax,
            DocumentSizeBytesMax = options.DocumentSizeBytesMax,
        };
        _batches = CreateBatches();
        Backups = new BackupService(this);
        _rights = new RightsWatch(security, Running, Operations, time, loggers.CreateLogger("Raven.Server.Security"));
    }

    /// <summary>The configuration of the server.</summary>
    public ServerOptions Options { get; }

    /// <summary>Who may do what.</summary>
    internal ServerSecurity Security { get; }

    /// <summary>Who may connect, and how.</summary>
    internal StartDecision Start { get; }

    /// <summary>Whether a name is one of the certificate that is presented now; null without a certificate.</summary>
    internal Func<string, bool>? CertificateCovers { get; set; }

    /// <summary>All routes.</summary>
    public RouteTable Routes { get; }

    /// <summary>The clock of everything in the server; tests replace it.</summary>
    public TimeProvider Time { get; }

    /// <summary>Makes the loggers of all parts.</summary>
    public ILoggerFactory Loggers { get; }

    /// <summary>The loggers with a level that can be changed.</summary>
    internal LogSwitch LogSwitch { get; }

    /// <summary>How long the log is kept, as clients have set it.</summary>
    internal LogRetention LogRetention { get; set; } = new();

    /// <summary>The log of the server itself.</summary>
    public ILogger Log { get; }

    /// <summary>Every request, counted and timed.</summary>
    public RequestCounters Counters { get; }

    /// <summary>When this server started.</summary>
    public DateTimeOffset StartedAt { get; }

    /// <summary>The time since then, measured by time stamps: setting the clock does not change it.</summary>
    internal TimeSpan Uptime => Time.GetElapsedTime(_startedStamp);

    /// <summary>The memory of requests.</summary>
    public OperationContextPool Contexts { get; }

    /// <summary>Seeds hashes over what clients send, so that none can prepare collisions.</summary>
    internal ulong HashSeed { get; }

    /// <summary>Write commands for reuse by later requests.</summary>
    public ObjectPool<BatchCommand> Batches => _batches;

    /// <summary>The timer for all connections that watch changes.</summary>
    internal HeartbeatWheel Heartbeats { get; }

    /// <summary>The timer for all workers of subscriptions.</summary>
    internal HeartbeatWheel SubscriptionBeats { get; }

    /// <summary>A full disk fails every write: it is logged once a second.</summary>
    internal LogThrottle StorageLogThrottle { get; }

    /// <summary>What the queries and changes of all databases share.</summary>
    internal QueryServices Queries { get; }

    /// <summary>
    /// The time slices of long queries: one processor is left to other requests, which find it free at once.
    /// </summary>
    internal SemaphoreSlim LongQueries { get; } = new(Math.Max(1, Environment.ProcessorCount - 1));

    /// <summary>How many time slices long queries have run.</summary>
    internal long QuerySliceCount => Volatile.Read(ref _querySliceCount);

    /// <summary>Whether there is memory for one more request.</summary>
    internal MemoryGate Memory { get; }

    /// <summary>How many bytes one request may keep at a time: its body, its work, and its answer.</summary>
    internal long RequestMemoryBytesMax { get; }

    /// <summary>The size from which on an answer is sent while it is made: not more than may be kept.</summary>
    internal long ResponseBufferBytesMax { get; }

    /// <summary>The last requests that took long.</summary>
    internal SlowRing Slow { get; } = new();

    /// <summary>The last queries that took long.</summary>
    internal SlowRing SlowQueries { get; } = new();

    /// <summary>The requests that end, for those who watch.</summary>
    internal Broadcast<SeenRequest> Traffic { get; } = new();

    /// <summary>The files of the Studio.</summary>
    internal StudioFiles Studio { get; set; }

    /// <summary>The origins of pages whose requests are taken.</summary>
    internal PageOrigins Origins { get; }

    /// <summary>The sizes of the databases on disk.</summary>
    internal DatabaseSizes Sizes { get; }

    /// <summary>The rates that reports have asked for.</summary>
    internal Rates Rates { get; }

    /// <summary>What goes to a collector of OpenTelemetry; null if nothing does.</summary>
    internal ServerTelemetry? Telemetry { get; init; }

    /// <summary>Whether new work is to go to other servers: what is sent here is still answered.</summary>
    internal bool IsDraining
    {
        get => Volatile.Read(ref _isDraining);
        set => Volatile.Write(ref _isDraining, value);
    }

    /// <summary>The requests that run now.</summary>
    internal RunningRequests Running { get; } = new();

    /// <summary>All databases.</summary>
    public DatabaseCatalog Databases { get; }

    /// <summary>The operations, whose state clients read.</summary>
    public OperationRegistry Operations { get; }

    /// <summary>What the cluster says; set before the first request.</summary>
    internal IClusterNode Cluster
    {
        get;
        set
        {
            field = value;
            Placement = value.IsClustered ? new Placement(this, value) : null;
        }
    } = SingleNode.Instance;

    /// <summary>Finds the node that serves a request; null if that is always this one.</summary>
    internal Placement? Placement { get; private set; }

    /// <summary>The record of a database: in a cluster that of all nodes, also if this one has no part in it.</summary>
    internal bool TryGetRecord(string name, [NotNullWhen(true)] out DatabaseRecord? record) =>
        Cluster.TryGetRecord(name, out record) || Databases.TryGetRecord(name, out record);

    /// <summary>The backups of all databases.</summary>
    internal BackupService Backups { get; }

    /// <summary>The id of this run of the server.</summary>
    public Guid Id { get; }

    /// <summary>The folder of all databases.</summary>
    internal string DataFolder
    {
        get => Answers.Folder;
        init => Answers.Folder = value;
    }

    /// <summary>The memory of pages that wait for their data files.</summary>
    internal ScratchBudget Scratch { get; init; } = ScratchBudget.Shared;

    /// <summary>The file descriptors of the process.</summary>
    internal FileDescriptors Descriptors { get; init; } = FileDescriptors.Unlimited;

    internal ResponseMemory Answers { get; }

    /// <summary>Gives memory back while there is little to do.</summary>
    internal IdleMemory Idle { get; }

    /// <summary>The url it listens on, without a closing slash.</summary>
    public string Url { get; internal set; } = "";

    /// <summary>Cancelled when the server begins to stop: requests without a natural end stop now.</summary>
    public CancellationToken Stopping => _stopping.Token;

    /// <summary>A new id for an error, which is in the log too: the start of the server and a number.</summary>
    public string NextErrorId() =>
        $"{StartedAt.UtcDateTime:yyyyMMddHHmmss}-{Interlocked.Increment(ref _nextErrorId):x4}";

    /// <inheritdoc/>
    public void Dispose()
    {
        Placement?.Dispose();
        Idle.Dispose();
        Backups.Dispose();
        Heartbeats.Dispose();
        SubscriptionBeats.Dispose();
        _rights.Dispose();
        Security.Dispose();
        Databases.Dispose();
        EndTelemetry();
        Contexts.Dispose();
        _stopping.Dispose();
    }

    /// <summary>Sends what waits for a collector, while there still is something to tell of.</summary>
    internal void EndTelemetry()
    {
        LogSwitch.Second = null;
        Telemetry?.Dispose();
    }

    /// <summary>The next index of a change of the server's own records, as clients of a cluster expect one.</summary>
    internal long NextCommandIndex() => Interlocked.Increment(ref _lastCommandIndex);

    /// <summary>A context whose memory and parser have this server's limits.</summary>
    internal OperationContext RentContext() => Queries.RentContext();

    internal void CountQuerySlice() => Interlocked.Increment(ref _querySliceCount);

    /// <summary>How many connections there are, the local ones left out.</summary>
    internal int ConnectionCount => Volatile.Read(ref _connectionCount);

    /// <summary>Counts connections that have come or gone.</summary>
    internal void Connected(int count) => Interlocked.Add(ref _connectionCount, count);

    /// <summary>A number for a connection that watches changes.</summary>
    internal long NextConnectionNumber() => Interlocked.Increment(ref _lastConnectionNumber);

    /// <summary>Gives memory that is kept for reuse back to the system, also that of the managed heap.</summary>
    private void GiveMemoryBack()
    {
        GivePoolsBack();
        CollectAll();
    }

    /// <summary>The same while there is little to do, unless the process is not only a server.</summary>
    internal void GiveIdleMemoryBack()
    {
        Databases.GiveIdleMemoryBack();
        GivePoolsBack();
        if (Options.OwnsProcess)
        {
            CollectAll();
        }
    }

    private void GivePoolsBack()
    {
        Contexts.Trim();
        ScratchBudget.GiveIdleMemoryBack();
        ScratchArrays.Trim();

        // A command keeps the memory of its largest batch. Commands in use are returned to the new pool.
        _batches = CreateBatches();
    }

    private DefaultObjectPool<BatchCommand> CreateBatches() => new(new BatchPolicy(HashSeed), IdleBatchesMax);

    private static void CollectAll()
    {
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        NativeHeap.GiveBack();
    }

    internal void BeginStop()
    {
        _stopping.Cancel();
        Heartbeats.Stop();
        SubscriptionBeats.Stop();
    }
}
