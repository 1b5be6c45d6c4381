using System.Globalization;
using System.Text;
using Microsoft.Extensions.Logging;
using Raven.Blittable.Text;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Compilation;
using Raven.Documents.Indexing.Definitions;

namespace Raven.Server.Options;

/// <summary>
/// The documented keys of the configuration; <c>--help</c> and <c>--print-config</c> are written from it.
/// </summary>
public static class OptionTable
{
    private static readonly OptionKey[] Table =
    [
        new("ServerUrl", "http://address:port", "Where to listen; port 0 takes a free one.",
            (o, v) => o with { ServerUrl = Url(v) }, o => Bare(o.ServerUrl)),
        new("Http2Url", "http://address:port or empty",
            "Where to listen for HTTP/2 by prior knowledge besides; empty for nowhere.",
            (o, v) => o with { Http2Url = v.Length == 0 ? null : Url(v) },
            o => o.Http2Url == null ? "" : Bare(o.Http2Url)),
        new("PublicServerUrl", "url or empty", "The url that clients are told to use; empty echoes their request's.",
            (o, v) => o with { PublicServerUrl = v.Length == 0 ? null : Url(v) },
            o => o.PublicServerUrl == null ? "" : Bare(o.PublicServerUrl)),
        new("DataDir", "path", "The folder of all databases.",
            (o, v) => o with { DataDirectory = Folder(v) }, o => o.DataDirectory),
        new("RunInMemory", "true, false", "Keep nothing: databases end with the server. For tests.",
            (o, v) => o with { RunInMemory = Bool(v) }, o => Text(o.RunInMemory)),
        new("Setup.Mode", "None", "How the server is set up; None starts it as it is configured.",
            (o, v) => SetupMode(o, v), _ => "None"),
        new(StartRules.AccessKey, "None, Local, PrivateNetwork, PublicNetwork",
            "From where a server without a certificate may be reached.",
            (o, v) => o with { UnsecuredAccess = Name<UnsecuredAccess>(v) }, o => o.UnsecuredAccess.ToString()),
        new("Security.Csrf.TrustedOrigins", "origins with ; between them, or empty",
            "Of which origins pages may talk to the server, beside its own (403).",
            (o, v) => o with { TrustedOrigins = Origins(v) }, o => string.Join(';', o.TrustedOrigins)),
        .. SecurityOptionKeys.All(),
        new("Security.AllowedHosts", "names with ; between them, or empty",
            "By which names clients may call the server (the Host of a request), beside those it knows (403).",
            (o, v) => o with { AllowedHosts = Hosts(v) }, o => string.Join(';', o.AllowedHosts)),
        new("Security.DisableHsts", "true, false",
            "Leave out of answers over https that browsers shall never use http for this name.",
            (o, v) => o with { DisableHsts = Bool(v) }, o => Text(o.DisableHsts)),
        new("Studio.Folder", "path or empty",
            "A folder whose files are the Studio, read anew each time, for anyone; empty for those that are built in.",
            (o, v) => o with { StudioFolder = v.Length == 0 ? null : Folder(v) }, o => o.StudioFolder ?? ""),
        new("Logs.Level", "Trace, Debug, Information, Warning, Error, Critical, None", "The lowest level logged.",
            (o, v) => o with { LogLevel = Name<LogLevel>(v) }, o => o.LogLevel.ToString()),
        new("Logs.SlowRequestMsMin", "milliseconds", "A request that takes longer is logged.",
            (o, v) => o with { SlowRequestMin = TimeSpan.FromMilliseconds(Number(v, 1, int.MaxValue)) },
            o => Text((long)o.SlowRequestMin.TotalMilliseconds)),
        new("Logs.SlowQueryMsMin", "milliseconds", "A query that takes longer is kept among the slow ones.",
            (o, v) => o with { SlowQueryMin = TimeSpan.FromMilliseconds(Number(v, 1, int.MaxValue)) },
            o => Text((long)o.SlowQueryMin.TotalMilliseconds)),
        new("Errors.ShowStackTraces", "true, false", "Whether a bug's answer (500) to an operator has the stack trace.",
            (o, v) => o with { ShowStackTraces = Bool(v) }, o => Text(o.ShowStackTraces)),
        new("Limits.RequestBodySizeBytesMax", "bytes", "The longest request body, compressed or not (413).",
            (o, v) => o with { RequestBodySizeBytesMax = Number(v, 1024, 2_000_000_000) },
            o => Text(o.RequestBodySizeBytesMax)),
        new("Limits.InflationRatioMax", "number", "How many times its size a compressed body may inflate to (413).",
            (o, v) => o with { InflationRatioMax = (int)Number(v, 2, 100_000) }, o => Text(o.InflationRatioMax)),
        new("Limits.DocumentSizeBytesMax", "bytes", "The longest document (413).",
            (o, v) => o with { DocumentSizeBytesMax = (int)Number(v, 1024, 1_000_000_000) },
            o => Text(o.DocumentSizeBytesMax)),
        new("Limits.DepthMax", "number", "How deep objects and arrays of a body may nest (400).",
            (o, v) => o with { DepthMax = (int)Number(v, 8, 512) }, o => Text(o.DepthMax)),
        new("Limits.PropertiesMax", "number", "How many properties one object of a body may have (400).",
            (o, v) => o with { PropertiesMax = (int)Number(v, 16, int.MaxValue) }, o => Text(o.PropertiesMax)),
        new("Limits.AttachmentSizeBytesMax", "bytes", "The longest attachment (413).",
            (o, v) => o with { AttachmentSizeBytesMax = Number(v, 1024, long.MaxValue) },
            o => Text(o.AttachmentSizeBytesMax)),
        new("Limits.BatchCommandsMax", "number", "The most commands of one batch (413).",
            (o, v) => o with { BatchCommandsMax = (int)Number(v, 1, int.MaxValue) }, o => Text(o.BatchCommandsMax)),
        new("Limits.ResponseBufferSizeBytesMax", "bytes", "How much of an answer is kept before it is sent.",
            (o, v) => o with { ResponseBufferSizeBytesMax = (int)Number(v, 65_536, 1_000_000_000) },
            o => Text(o.ResponseBufferSizeBytesMax)),
        new("Limits.ConnectionsMax", "number, 0 for any", "The most connections at one time.",
            (o, v) => o with { ConnectionsMax = (int)Number(v, 0, int.MaxValue) }, o => Text(o.ConnectionsMax)),
        new("Limits.RequestLineSizeBytesMax", "bytes", "The longest request line (414).",
            (o, v) => o with { RequestLineSizeBytesMax = (int)Number(v, 1024, 1_000_000) },
            o => Text(o.RequestLineSizeBytesMax)),
        new("Limits.MemoryBytesMax", "bytes, 0 for 90% of what it may have",
            "From how many bytes of its own (mapped files not counted) the server refuses requests (503).",
            (o, v) => o with { MemoryBytesMax = Number(v, 0, long.MaxValue) }, o => Text(o.MemoryBytesMax)),
        new("Limits.RequestMemoryBytesMax", "bytes, 0 for 512 MB or a quarter of MemoryBytesMax",
            "How many bytes one request may keep in memory at a time, 1 MB at least (413).",
            (o, v) => o with { RequestMemoryBytesMax = Number(v, 0, long.MaxValue) },
            o => Text(o.RequestMemoryBytesMax)),
        new("Storage.FlushDeferredBytesMax", "bytes, up to 1 GB",
            "While writers keep committing, the journal up to which writing to the data file is put off.",
            (o, v) => o with { FlushDeferredBytesMax = Number(v, 0, 1L << 30) },
            o => Text(o.FlushDeferredBytesMax)),
        new("Scripting.StepsMax", "number", "The most steps of one script (400).",
            (o, v) => o with { ScriptStepsMax = Number(v, 1000, long.MaxValue) }, o => Text(o.ScriptStepsMax)),
        new("Scripting.MemoryBytesMax", "bytes", "The most bytes that one script may allocate in all (400).",
            (o, v) => o with { ScriptMemoryBytesMax = Number(v, 65_536, 10_000_000_000) },
            o => Text(o.ScriptMemoryBytesMax)),
        new("Scripting.TimeMillisecondsMax", "milliseconds", "The longest time of one script (400).",
            (o, v) => o with { ScriptTimeMax = TimeSpan.FromMilliseconds(Number(v, 1, 600_000)) },
            o => Text((long)o.ScriptTimeMax.TotalMilliseconds)),
        new("Limits.AutoIndexes", "number", "The most indexes that queries make in one database (400).",
            (o, v) => o with { Indexing = o.Indexing with { AutoIndexesMax = (int)Number(v, 1, 100_000) } },
            o => Text(o.Indexing.AutoIndexesMax)),
        new("Indexing.CSharp", "None, Maps, All",
            "What is compiled as C#: nothing, maps, or also additional sources, analyzers and sorters.",
            (o, v) => o with { IndexingCSharp = Name<CSharpUse>(v) }, o => o.IndexingCSharp.ToString()),
        new("Indexing.CSharp.WarmUp", "true, false",
            "Whether the compiler is loaded at the start: the first index is faster, and the process 50 MB larger.",
            (o, v) => o with { WarmsUpCompiler = Bool(v) }, o => Text(o.WarmsUpCompiler)),
        new("Indexing.Static.RequireAdminToDeployJavaScriptIndexes", "true, false",
            "Whether indexes in JavaScript, too, are put by administrators of the database alone (403).",
            (o, v) => o with { RequiresAdminForJavaScriptIndexes = Bool(v) },
            o => Text(o.RequiresAdminForJavaScriptIndexes)),
        new("Indexing.Static.SearchEngineType", "Corax, Lucene",
            "The engine of new indexes whose definitions name none; Corax is our own.",
            (o, v) => o with { Indexing = o.Indexing with { StaticEngine = Name<IndexEngine>(v) } },
            o => o.Indexing.StaticEngine.ToString()),
        new("Indexing.Auto.SearchEngineType", "Corax, Lucene",
            "The engine of new indexes of queries; those with vectors have Corax.",
            (o, v) => o with { Indexing = o.Indexing with { AutoEngine = Name<IndexEngine>(v) } },
            o => o.Indexing.AutoEngine.ToString()),
        .. IndexingKeys(),
        .. TombstoneOptionKeys.All(),
        .. ClusterOptionKeys.All(),
        .. BackupOptionKeys.All(),
        .. TelemetryOptionKeys.All(),
        new("Http.KeepAliveSecondsMax", "seconds", "How long an idle connection is kept.",
            (o, v) => o with { KeepAliveMax = TimeSpan.FromSeconds(Number(v, 1, 86_400)) },
            o => Text((long)o.KeepAliveMax.TotalSeconds)),
        new("Changes.HeartbeatSeconds", "seconds", "How often a client that watches changes is asked for a sign.",
            (o, v) => o with { ChangesHeartbeat = TimeSpan.FromSeconds(Number(v, 1, 3600)) },
            o => Text((long)o.ChangesHeartbeat.TotalSeconds)),
        new("Changes.WaitingSizeBytesMax", "bytes", "The changes that may wait for a client that does not read.",
            (o, v) => o with { ChangesWaitingSizeBytesMax = (int)Number(v, 1024, 1_000_000_000) },
            o => Text(o.ChangesWaitingSizeBytesMax)),
        new("Shutdown.DelaySeconds", "seconds",
            "How long a stopping server still takes requests, while /healthz/ready says that it is not ready.",
            (o, v) => o with { StopDelay = TimeSpan.FromSeconds(Number(v, 0, 3600)) },
            o => Text((long)o.StopDelay.TotalSeconds)),
        new("Shutdown.DrainSecondsMax", "seconds", "How long running requests may go on when the server stops.",
            (o, v) => o with { DrainMax = TimeSpan.FromSeconds(Number(v, 0, 3600)) },
            o => Text((long)o.DrainMax.TotalSeconds)),
    ];

    private static readonly Dictionary<string, OptionKey> ByName =
        Table.ToDictionary(key => key.Name, StringComparer.OrdinalIgnoreCase);

    /// <summary>All keys, in the order in which they are documented.</summary>
    public static IReadOnlyList<OptionKey> Keys => Table;

    /// <summary>The key of a name, in either case; null if there is none.</summary>
    public static OptionKey? Find(string name) => ByName.GetValueOrDefault(name);

    /// <summary>The key whose name is most like a wrong one; null if none is.</summary>
    public static string? Suggest(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        (int distance, string nearest) = Table
            .SelectMany(key => new[] { (key.Name, Full: key.Name), (Name: key.Name.Split('.')[^1], Full: key.Name) })
            .Select(key => (
                EditDistance.Between(name.ToUpperInvariant(), key.Name.ToUpperInvariant()), key.Full))
            .Min();
        return distance <= Math.Max(2, name.Length / 3) ? nearest : null;
    }

    /// <summary>The lines <c>key=value</c> of all options.</summary>
    public static string Print(ServerOptions options)
    {
        var text = new StringBuilder();
        foreach (OptionKey key in Table)
        {
            text.Append(key.Name).Append('=').Append(key.Show(options)).Append('\n');
        }

        return text.ToString();
    }

    /// <summary>The options that differ from their defaults, as they are shown.</summary>
    internal static IEnumerable<KeyValuePair<string, string>> Changed(ServerOptions options)
    {
        var defaults = new ServerOptions();
        return Table.Where(key => key.Show(options) != key.Show(defaults))
            .Select(key => new KeyValuePair<string, string>(key.Name, key.Show(options)));
    }

    /// <summary>The key of an option that is not shown, as it may be a password; null if there is none.</summary>
    internal static string? SecretOf(ServerOptions options) =>
        Array.Find(Table, key => key.Show(options) == SecurityOptionKeys.Hidden)?.Name;

    private static OptionKey[] IndexingKeys() =>
    [
        Indexing("ThreadsMax", "number, 0 for half of the cores", "How many threads index at one time.",
            (o, n) => o with { ThreadsMax = (int)n }, o => o.ThreadsMax, 0, 1024),
        Indexing("BatchDocumentsMax", "number", "The most documents of one batch.",
            (o, n) => o with { BatchDocumentsMax = (int)n }, o => o.BatchDocumentsMax, 1, 10_000_000),
        Indexing("BatchMillisecondsMax", "milliseconds", "From which time on a batch is committed.",
            (o, n) => o with { BatchTimeMax = TimeSpan.FromMilliseconds(n) },
            o => (long)o.BatchTimeMax.TotalMilliseconds, 1, 600_000),
        Indexing("StaleWaitMillisecondsMax", "milliseconds", "How long a query waits for its index by default.",
            (o, n) => o with { StaleWaitMax = TimeSpan.FromMilliseconds(n) },
            o => (long)o.StaleWaitMax.TotalMilliseconds, 0, 3_600_000),
        Indexing("AutoIdleSeconds", "seconds", "An index of queries that none asked for so long is idle.",
            (o, n) => o with { AutoIdleAfter = TimeSpan.FromSeconds(n) },
            o => (long)o.AutoIdleAfter.TotalSeconds, 1, int.MaxValue),
        Indexing("AutoDeleteSeconds", "seconds", "An index of queries that none asked for so long is deleted.",
            (o, n) => o with { AutoDeleteAfter = TimeSpan.FromSeconds(n) },
            o => (long)o.AutoDeleteAfter.TotalSeconds, 1, int.MaxValue),
        Indexing("FailureAttemptsMin", "number", "After how many documents it is judged how many of them failed.",
            (o, n) => o with { AttemptsMin = (int)n }, o => o.AttemptsMin, 1, int.MaxValue),
        Indexing("FailurePercentMax", "percent", "The share of documents that may fail; an index with more stops.",
            (o, n) => o with { FailureShareMax = n / 100.0 }, o => (long)Math.Round(o.FailureShareMax * 100), 0, 100),
        Indexing("FailuresKept", "number", "How many errors of an index are kept.",
            (o, n) => o with { FailuresKept = (int)n }, o => o.FailuresKept, 1, 100_000),
    ];

    private static OptionKey Indexing(
        string name, string values, string help, Func<IndexingOptions, long, IndexingOptions> set,
        Func<IndexingOptions, long> get, long min, long max) => new(
        "Indexing." + name, values, help,
        (o, v) => o with { Indexing = set(o.Indexing, Number(v, min, max)) }, o => Text(get(o.Indexing)));

    private static string Bare(Uri url) => url.GetLeftPart(UriPartial.Authority);

    internal static string Text(bool value) => value ? "true" : "false";

    internal static string Text(long value) => value.ToString(CultureInfo.InvariantCulture);

    private static Uri Url(string text) =>
        Uri.TryCreate(text, UriKind.Absolute, out Uri? url) && url.Scheme is "http" or "https"
            && url.PathAndQuery == "/" && url.UserInfo.Length == 0
            ? url
            : throw new FormatException(
                $"'{text}' is not a url such as http://127.0.0.1:8080, without a path, a query or a name and "
                + "password.");

    private static string[] Origins(string text)
    {
        string[] origins = text.Split(
            ';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        return Array.Find(origins, origin => !Uri.TryCreate(origin, UriKind.Absolute, out Uri? url)
                || url.Scheme is not ("http" or "https")
                || url.GetLeftPart(UriPartial.Authority) != origin) is { } wrong
            ? throw new FormatException(
                $"'{wrong}' is not an origin such as https://app.example:8443: a scheme, a host and a port that is not "
                + "the scheme's own, in small letters.")
            : origins;
    }

    private static string[] Hosts(string text)
    {
        string[] hosts = text.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        return Array.Find(hosts, host => Uri.CheckHostName(host) == UriHostNameType.Unknown) is { } wrong
            ? throw new FormatException($"'{wrong}' is not the name of a host such as db.example, without a port.")
            : hosts;
    }

    internal static string Folder(string text) =>
        text.Length > 0 && !text.Contains('\0')
            ? Path.GetFullPath(text)
            : throw new FormatException($"'{text}' is not a path.");

    internal static bool Bool(string text) =>
        bool.TryParse(text, out bool value) ? value : throw new FormatException($"'{text}' is neither true nor false.");

    internal static long Number(string text, long min, long max) =>
        long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long value)
            && value >= min && value <= max
            ? value
            : throw new FormatException($"'{text}' is not a whole number from {min} to {max}.");

    private static T Name<T>(string text)
        where T : struct, Enum =>
        text.All(char.IsLetter) && Enum.TryParse(text, true, out T value)
            ? value
            : throw new FormatException($"'{text}' is none of {string.Join(", ", Enum.GetNames<T>())}.");

    private static ServerOptions SetupMode(ServerOptions options, string text) =>
        text.Equals("None", StringComparison.OrdinalIgnoreCase)
            ? options
            : throw new FormatException($"'{text}' is not None, the only mode there is.");
}
