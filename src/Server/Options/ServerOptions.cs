using System.Net;
using System.Net.Sockets;
using System.Numerics;
using Microsoft.Extensions.Logging;
using Raven.Blittable.Contexts;
using Raven.Blittable.Json;
using Raven.Documents;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Compilation;
using Raven.Scripting.Hosting;
using Raven.Storage.Platform;

namespace Raven.Server.Options;

/// <summary>
/// The whole configuration of the server, complete and checked. <see cref="OptionTable"/> names each of these as a
/// key, with what it means; <see cref="OptionReader"/> fills them from files, the environment and the command
/// line. Immutable.
/// </summary>
public sealed record ServerOptions
{
    private readonly UnsecuredAccess? _unsecuredAccess;

    /// <summary>The url to listen on: scheme, address and port; port 0 takes a free one.</summary>
    public Uri ServerUrl { get; init; } = new("http://127.0.0.1:8080");

    /// <summary>Another url, for HTTP/2 by prior knowledge; null for none.</summary>
    public Uri? Http2Url { get; init; }

    /// <summary>The url that clients must use; null echoes the scheme and host of their request.</summary>
    public Uri? PublicServerUrl { get; init; }

    /// <summary>The folder of all databases, a full path.</summary>
    public string DataDirectory { get; init; } = Path.GetFullPath("RavenData");

    /// <summary>
    /// Keep nothing: databases are in a temporary folder, in memory if the system has such a place, and are deleted
    /// when the server stops. For tests.
    /// </summary>
    public bool RunInMemory { get; init; }

    /// <summary>The networks that may connect to an unsecured server.</summary>
    public UnsecuredAccess UnsecuredAccess
    {
        get => _unsecuredAccess ?? UnsecuredAccess.Local;
        init => _unsecuredAccess = value;
    }

    /// <summary>Names that clients may call the server by, beside those that it knows itself.</summary>
    public IReadOnlyList<string> AllowedHosts { get; init; } = [];

    /// <summary>Whether answers over https leave out that browsers shall never use http here.</summary>
    public bool DisableHsts { get; init; }

    /// <summary>The origins of pages that may send requests to the server beside its own, such
    /// as <c>https://app.example</c>.</summary>
    public IReadOnlyList<string> TrustedOrigins { get; init; } = [];

    /// <summary>The folder whose files are the Studio, for work on them; null for those that are built in.</summary>
    internal string? StudioFolder { get; init; }

    /// <summary>The certificate, the trusted callers, the audit log.</summary>
    public SecurityOptions Security { get; init; } = new();

    /// <summary>Warnings of the reader, a sentence each.</summary>
    internal IReadOnlyList<string> Warnings { get; init; } = [];

    /// <summary>The lowest level that is logged.</summary>
    public LogLevel LogLevel { get; init; } = LogLevel.Information;

    /// <summary>A request that takes longer is logged.</summary>
    public TimeSpan SlowRequestMin { get; init; } = TimeSpan.FromMilliseconds(1000);

    /// <summary>A query that takes longer is kept in the list of slow ones.</summary>
    internal TimeSpan SlowQueryMin { get; init; } = TimeSpan.FromMilliseconds(500);

    /// <summary>What is sent to a collector of OpenTelemetry.</summary>
    internal TelemetryOptions Telemetry { get; init; } = new();

    /// <summary>How long a server that is stopped goes on as before, and only says that it is not ready.</summary>
    internal TimeSpan StopDelay { get; init; }

    /// <summary>Whether the answer to a bug (500) carries the stack trace, if the caller is an operator.</summary>
    public bool ShowStackTraces { get; init; }

    /// <summary>The longest request body, before and after decompression. A bulk insert has no such limit.</summary>
    public long RequestBodySizeBytesMax { get; init; } = 128L * 1024 * 1024;

    /// <summary>How many times its compressed size a body may inflate to, beyond its first mebibyte.</summary>
    public int InflationRatioMax { get; init; } = 200;

    /// <summary>The longest document, as JSON.</summary>
    public int DocumentSizeBytesMax { get; init; } = 64 * 1024 * 1024;

    /// <summary>How deep objects and arrays of a body may nest.</summary>
    public int DepthMax { get; init; } = 128;

    /// <summary>How many properties one object of a body may have.</summary>
    public int PropertiesMax { get; init; } = 1_000_000;

    /// <summary>The most commands of one batch.</summary>
    public int BatchCommandsMax { get; init; } = 100_000;

    /// <summary>How much of an answer is buffered before the client has to take it.</summary>
    public int ResponseBufferSizeBytesMax { get; init; } = 8 * 1024 * 1024;

    /// <summary>The most connections at one time; 0 sets no limit.</summary>
    public int ConnectionsMax { get; init; }

    /// <summary>The longest request line, which holds the ids of a multi-get.</summary>
    public int RequestLineSizeBytesMax { get; init; } = 32 * 1024;

    /// <summary>How long an idle connection is kept.</summary>
    public TimeSpan KeepAliveMax { get; init; } = TimeSpan.FromSeconds(130);

    /// <summary>The longest attachment. Its bytes go to storage as they arrive.</summary>
    public long AttachmentSizeBytesMax { get; init; } = 64L << 30;

    /// <summary>How often a connection that watches changes is asked for a pong.</summary>
    public TimeSpan ChangesHeartbeat { get; init; } = TimeSpan.FromSeconds(45);

    /// <summary>How many bytes of changes may wait for a client that does not read them.</summary>
    public int ChangesWaitingSizeBytesMax { get; init; } = 4 * 1024 * 1024;

    /// <summary>How long running requests may go on when the server stops.</summary>
    public TimeSpan DrainMax { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>From how many bytes of its own the server refuses requests; 0 takes 90% of the memory that it
    /// may have.</summary>
    public long MemoryBytesMax { get; init; }

    /// <summary>
    /// How many bytes one request may keep in memory at a time, 1 MB at least; 0 takes 512 MB, or a quarter of what the
    /// server may have (<see cref="MemoryBytesMax"/>) if that is less, but 16 MB at least.
    /// </summary>
    public long RequestMemoryBytesMax { get; init; }

    /// <summary>
    /// The size of the journal up to which writing to the data file is deferred while writers keep committing; 0
    /// defers nothing.
    /// </summary>
    public long FlushDeferredBytesMax { get; init; }

    /// <summary>The most steps of one script.</summary>
    public long ScriptStepsMax { get; init; } = 10_000_000;

    /// <summary>The most bytes that one script may allocate in all.</summary>
    public long ScriptMemoryBytesMax { get; init; } = 64L * 1024 * 1024;

    /// <summary>The longest time of one script.</summary>
    public TimeSpan ScriptTimeMax { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Which C# clients may have compiled.</summary>
    public CSharpUse IndexingCSharp { get; init; } = CSharpUse.Maps;

    /// <summary>Whether the compiler of C# is loaded at the start, before the first index needs it.</summary>
    public bool WarmsUpCompiler { get; init; }

    /// <summary>Whether indexes in JavaScript, too, are put by administrators of the database alone.</summary>
    public bool RequiresAdminForJavaScriptIndexes { get; init; }

    /// <summary>Whether the process runs only the server, so that the server may collect its garbage.</summary>
    internal bool OwnsProcess { get; init; }

    /// <summary>Limits and intervals of indexes.</summary>
    internal IndexingOptions Indexing { get; init; } = new();

    /// <summary>The folder below which all backups are; null if an operator says where they go.</summary>
    internal string? BackupRootPath { get; init; }

    /// <summary>The destinations that backups may have; none for all.</summary>
    internal IReadOnlyList<string> BackupKinds { get; init; } = [];

    /// <summary>The regions of Amazon that backups may go to; none for all.</summary>
    internal IReadOnlyList<string> BackupRegions { get; init; } = [];

    /// <summary>Servers of S3 that may be at any address.</summary>
    internal IReadOnlyList<string> BackupHosts { get; init; } = [];

    /// <summary>How long the first pause before a call of S3 is made again is; a test sets it.</summary>
    internal TimeSpan BackupRetryPause { get; init; } = TimeSpan.FromMilliseconds(500);

    /// <summary>The size of the parts in which S3 is given large files; a test sets it.</summary>
    internal int BackupPartBytes { get; init; } = 8 << 20;

    /// <summary>How long a scheduled backup is put off when there is no place for it.</summary>
    internal TimeSpan BackupsDelay { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>How long a scheduled backup is put off when memory is short.</summary>
    internal TimeSpan BackupsLowMemoryDelay { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>How many backups run at one time; 0 for half of the processors.</summary>
    internal int BackupsMax { get; init; }

    /// <summary>Whether the times of schedules are UTC, and not those of the server's zone.</summary>
    internal bool BackupsUseUtc { get; init; }

    /// <summary>Whether each task's last backup is restored and checked once a week.</summary>
    internal bool BackupsAreRestored { get; init; }

    /// <summary>How long deletions are remembered.</summary>
    internal TombstoneOptions Tombstones { get; init; } = new();

    /// <summary>Which node of a cluster it is, if it is one.</summary>
    public ClusterOptions Cluster { get; init; } = new();

    /// <summary>True if only this machine can connect.</summary>
    public bool IsLoopback => Urls().All(StartRules.IsLoopback);

    /// <summary>Whether the networks of unsecured access were chosen, and are not just the default.</summary>
    internal bool IsUnsecuredAccessSet => _unsecuredAccess.HasValue;

    /// <summary>Whether the options name a certificate.</summary>
    internal bool HasCertificate
    {
        get => field || Security.HasCertificate;
        init;
    }

    /// <summary>Whether pages of an origin may send requests to the server.</summary>
    internal bool IsAllowedOrigin(string origin) =>
        TrustedOrigins.Contains(origin, StringComparer.OrdinalIgnoreCase);

    internal ScriptLimits ToScriptLimits() => new()
    {
        StepsMax = ScriptStepsMax,
        MemoryBytesMax = ScriptMemoryBytesMax,
        TimeMax = ScriptTimeMax,
    };

    /// <summary>The limits of a parser of bodies.</summary>
    internal JsonLimits ToJsonLimits() => new()
    {
        DocumentSizeBytesMax = DocumentSizeBytesMax,
        DepthMax = DepthMax,
        PropertyCountMax = PropertiesMax,
    };

    /// <summary>
    /// The memory for pages that wait to be written, of all databases and indexes together: a quarter of what the
    /// server may have. Writers wait if it is used up; it is 16 MB at least.
    /// </summary>
    internal ScratchBudget ToScratchBudget() =>
        MemoryBytesMax == 0 ? ScratchBudget.Shared : new ScratchBudget(Math.Max(16L << 20, MemoryBytesMax / 4));

    /// <summary>
    /// How much memory the contexts of all requests may keep while they are idle: a quarter of what the server may
    /// have. Half of that is for the one that each processor keeps, a quarter for the idle ones behind these, and a
    /// quarter for the smallest share of many contexts.
    /// </summary>
    internal OperationContextPoolOptions ToContextPoolOptions()
    {
        var most = new OperationContextPoolOptions();
        long memory = MemoryBytesMax > 0 ? MemoryBytesMax : GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;
        long share = Math.Max(16L << 20, memory / 4);
        long slots = BitOperations.RoundUpToPowerOf2((uint)Environment.ProcessorCount);
        return most with
        {
            IdleBytesMax = Math.Min(share / 4, most.IdleBytesMax),
            IdleContextsMax = (int)Math.Min(share / 4 / most.CrowdedBytes, most.IdleContextsMax),
            RetainedBytesMax = Math.Clamp(share / 2 / slots, most.TrimToBytes, most.RetainedBytesMax),
        };
    }

    /// <summary>All urls to listen on.</summary>
    internal Uri[] Urls() => Http2Url is null ? [ServerUrl] : [ServerUrl, Http2Url];

    /// <summary>The addresses to bind for a url; <c>localhost</c> is 127.0.0.1.</summary>
    internal static IPAddress[] BindAddresses(Uri url) => url.Host switch
    {
        "localhost" => [IPAddress.Loopback],
        "0.0.0.0" => [IPAddress.Any],
        _ when IPAddress.TryParse(url.Host.Trim('[', ']'), out IPAddress? address) => [address],
        _ => Dns.GetHostAddresses(url.Host),
    };

    /// <summary>Refuses combinations that are not allowed.</summary>
    /// <exception cref="ServerOptionException">The message names the key and what to do.</exception>
    public void Check()
    {
        StartDecision decision = StartRules.Decide(this, HasCertificate);
        if (decision.RefusedKey is { } key)
        {
            throw new ServerOptionException(key, decision.Refusal);
        }

        Cluster.Check(HasCertificate, RunInMemory);
        Resolve("ServerUrl", ServerUrl);
        if (Http2Url is null)
        {
            return;
        }

        Resolve("Http2Url", Http2Url);
        if (Http2Url.Port != 0 && Http2Url.Port == ServerUrl.Port)
        {
            throw new ServerOptionException(
                "Http2Url", "It needs a port of its own: without a certificate nobody can negotiate HTTP/2.");
        }
    }

    private static void Resolve(string key, Uri url)
    {
        try
        {
            BindAddresses(url);
        }
        catch (Exception e) when (e is SocketException or ArgumentException)
        {
            throw new ServerOptionException(key, $"'{url.Host}' cannot be resolved to an address: {e.Message}");
        }
    }
}
