using Microsoft.Extensions.Logging;
using Microsoft.Extensions.ObjectPool;
using Raven.Blittable.Contexts;
using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Server.Diagnostics;
using Raven.Server.Documents;
using Raven.Server.Documents.Commands;
using Raven.Server.Http;
using Raven.Server.Http.Changes;
using Raven.Server.Operations;
using Raven.Server.Options;
using Raven.Server.Patching;
using Raven.Server.Routing;
using Raven.Storage.Platform;

namespace Raven.Server;

/// <summary>What all requests of one server share. Made by <see cref="ServerHost"/>; safe for all threads.</summary>
public sealed class ServerState : IDisposable
{
    /// <summary>What this node is called in a cluster of one.</summary>
    internal const string NodeTag = "A";

    /// <summary>As many as contexts: a write has one of each until its commit is durable.</summary>
    private const int IdleBatchesMax = 256;

    /// <summary>By default: what a request may use, and how many such fit into memory at least.</summary>
    private const long DefaultRequestMemoryBytesMax = 512L << 20;
    private const long DefaultRequestMemoryBytesMin = 16L << 20;
    private const int DefaultRequestsInMemory = 4;

    /// <summary>Errors must be told whatever was configured.</summary>
    private const long RequestMemoryBytesMin = 1 << 20;

    /// <summary>What all answers keep in memory: a part of the limit, within these.</summary>
    private const long AnswersMemoryBytesMax = 64L << 20;
    private const long AnswersMemoryBytesMin = 4L << 20;
    private const int AnswersShare = 16;

    private readonly CancellationTokenSource _stopping = new();
    private readonly JsonLimits _jsonLimits;
    private readonly long _startedStamp;
    private volatile ObjectPool<BatchCommand> _batches;
    private long _queryTurnCount;
    private long _nextErrorId;
    private long _lastCommandIndex;
    private long _lastConnectionNumber;

    internal ServerState(
        ServerOptions options, RouteTable routes, DatabaseCatalog databases, Random random, TimeProvider time,
        LogSwitch loggers)
    {
        Databases = databases;
        HashSeed = (ulong)random.NextInt64();

        Options = options;
        Contexts = new OperationContextPool(options.ToContextPoolOptions());
        Routes = routes;
        Time = time;
        Loggers = LogSwitch = loggers;
        Log = loggers.CreateLogger("Raven.Server");
        Counters = new RequestCounters(routes.Routes.Count);
        StartedAt = time.GetUtcNow();
        _startedStamp = time.GetTimestamp();
        Id = Guid.NewGuid();
        Operations = new OperationRegistry(time, operation => OperationChanges.Tell(databases, operation));
        _jsonLimits = options.ToJsonLimits();
        Heartbeats = new HeartbeatWheel(time, options.ChangesHeartbeat);
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
        Scripts = new ScriptEnvironment(time, options.ToScriptLimits());
        _batches = CreateBatches();
    }

    /// <summary>What the server was told.</summary>
    public ServerOptions Options { get; }

    /// <summary>All routes.</summary>
    public RouteTable Routes { get; }

    /// <summary>The clock.</summary>
    public TimeProvider Time { get; }

    /// <summary>Where loggers come from.</summary>
    public ILoggerFactory Loggers { get; }

    /// <summary>How much is logged.</summary>
    internal LogSwitch LogSwitch { get; }

    /// <summary>How the log is to be kept, as clients have said.</summary>
    internal LogKeeping LogKeeping { get; set; } = new();

    /// <summary>The log of the server itself.</summary>
    public ILogger Log { get; }

    /// <summary>Every request, counted and timed.</summary>
    public RequestCounters Counters { get; }

    /// <summary>When this server started.</summary>
    public DateTimeOffset StartedAt { get; }

    /// <summary>How long ago that was, whatever the clock was set to since.</summary>
    internal TimeSpan Uptime => Time.GetElapsedTime(_startedStamp);

    /// <summary>The memory of requests.</summary>
    public OperationContextPool Contexts { get; }

    /// <summary>Seeds hashes over what clients send, so that none can prepare collisions.</summary>
    internal ulong HashSeed { get; }

    /// <summary>Write commands for reuse.</summary>
    public ObjectPool<BatchCommand> Batches => _batches;

    /// <summary>One timer for all connections that wait for changes.</summary>
    internal HeartbeatWheel Heartbeats { get; }

    /// <summary>A full disk fails every write: a line a second says so.</summary>
    internal LogThrottle StorageLogThrottle { get; }

    /// <summary>Runs the scripts of patches.</summary>
    internal ScriptEnvironment Scripts { get; }

    /// <summary>
    /// The turns of queries that take long: one processor is left to everyone else, who finds it free at once.
    /// </summary>
    internal SemaphoreSlim LongQueries { get; } = new(Math.Max(1, Environment.ProcessorCount - 1));

    /// <summary>How many turns such queries have taken.</summary>
    internal long QueryTurnCount => Volatile.Read(ref _queryTurnCount);

    /// <summary>Whether there is memory for one more request.</summary>
    internal MemoryGate Memory { get; }

    /// <summary>How many bytes one request may keep at a time: what it was sent, its work, and its answer.</summary>
    internal long RequestMemoryBytesMax { get; }

    /// <summary>From how many bytes on an answer is sent while it is made: it must not be more than is kept.</summary>
    internal long ResponseBufferBytesMax { get; }

    /// <summary>What runs now.</summary>
    internal RunningRequests Running { get; } = new();

    /// <summary>All databases.</summary>
    public DatabaseCatalog Databases { get; }

    /// <summary>Long pieces of work that clients ask after.</summary>
    public OperationRegistry Operations { get; }

    /// <summary>Names this run of the server.</summary>
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
    internal FileDescriptors Descriptors { get; init; } = FileDescriptors.OfProcess();

    /// <summary>The memory of answers.</summary>
    internal ResponseMemory Answers { get; }

    /// <summary>Gives memory back while there is little to do.</summary>
    internal IdleMemory Idle { get; }

    /// <summary>The url it listens on, without a closing slash.</summary>
    public string Url { get; internal set; } = "";

    /// <summary>Cancelled when the server begins to stop: what lasts as long as a client likes ends now.</summary>
    public CancellationToken Stopping => _stopping.Token;

    /// <summary>A new id for an error, to be found in the log: the start of the server and a number.</summary>
    public string NextErrorId() =>
        $"{StartedAt.UtcDateTime:yyyyMMddHHmmss}-{Interlocked.Increment(ref _nextErrorId):x4}";

    /// <inheritdoc/>
    public void Dispose()
    {
        Idle.Dispose();
        Heartbeats.Dispose();
        Databases.Dispose();
        Contexts.Dispose();
        _stopping.Dispose();
    }

    /// <summary>The number of a change of the server's own records, as clients of a cluster expect one.</summary>
    internal long NextCommandIndex() => Interlocked.Increment(ref _lastCommandIndex);

    /// <summary>A context whose memory and parser have this server's limits.</summary>
    internal OperationContext RentContext()
    {
        OperationContext context = Contexts.Rent();
        if (!ReferenceEquals(context.Parser.Limits, _jsonLimits))
        {
            context.Parser.Limits = _jsonLimits;
        }

        context.Arena.LimitBytes = RequestMemoryBytesMax;

        return context;
    }

    internal void CountQueryTurn() => Interlocked.Increment(ref _queryTurnCount);

    /// <summary>A number for a connection that watches changes.</summary>
    internal long NextConnectionNumber() => Interlocked.Increment(ref _lastConnectionNumber);

    /// <summary>What is kept for reuse goes back to the system, of the managed heap too.</summary>
    private void GiveMemoryBack()
    {
        GivePoolsBack();
        CollectAll();
    }

    /// <summary>The same while there is little to do. A process that is another's is left to that one.</summary>
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

        // A command remembers the room that its largest batch took. Those at work come back to the new pool.
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
    }
}
