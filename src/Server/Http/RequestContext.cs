using System.Diagnostics;
using System.Globalization;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Raven.Blittable.Contexts;
using Raven.Blittable.Memory;
using Raven.Documents;
using Raven.Documents.Commands;
using Raven.Documents.Queries;
using Raven.Security.Rights;
using Raven.Server.Http.Connections;
using Raven.Server.Http.Forwarding;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Security;

namespace Raven.Server.Http;

/// <summary>
/// One request while it is served. Kestrel keeps one per connection (or HTTP/2 stream), so a request costs no object;
/// borrowed memory (buffers, the operation context) is given back when the handler is done. Used by one operation at a
/// time, which may change threads over an await.
/// </summary>
public sealed class RequestContext : IQueryMemory
{
    private const int KeptSlicesMax = 1024;
    private const long RequestsPerContext = 1_000_000;

    private readonly BodySource _body = new();
    private readonly List<NativeSlice> _slices = [];
    private IHttpRequestFeature _request = null!;
    private RouteCaptures _captures;
    private OperationContext? _operation;
    private BatchCommand? _batch;
    private Database? _database;
    private long _served;
    private volatile bool _isRunning;
    private volatile Identity? _admitted;
    private volatile Access _needed;
    private RightsCheck _rightsCheck;
    private volatile CancellationTokenSource? _killing;
    private CancellationTokenRegistration _lost;
    private volatile bool _isKilled;
    private string _seenMethod = "";
    private string _seenPath = "";
    private string _seenQuery = "";

    internal RequestContext(ServerState server)
    {
        Server = server;
        Response = new ResponseWriter(server.Answers) { BufferedBytesMax = server.RequestMemoryBytesMax };
    }

    /// <summary>What the server shares between requests.</summary>
    public ServerState Server { get; }

    /// <summary>Kestrel's features of this request.</summary>
    public IFeatureCollection Features { get; private set; } = null!;

    /// <summary>The method of the request.</summary>
    public HttpVerb Verb { get; private set; }

    /// <summary>The path, percent-decoded except for <c>%2F</c>.</summary>
    public string Path => _request.Path;

    /// <summary>The query as it is in the url, with its <c>?</c>, or empty.</summary>
    public string QueryString => _request.QueryString;

    /// <summary>The query, read in place.</summary>
    public QueryParameters Query => new(_request.QueryString);

    /// <summary>The method as it was sent.</summary>
    public string Method => _request.Method;

    /// <summary>The scheme, <c>http</c> or <c>https</c>.</summary>
    public string Scheme => _request.Scheme;

    /// <summary>The headers. Reading one known to Kestrel, such as <c>IfMatch</c>, touches no other.</summary>
    public IHeaderDictionary Headers => _request.Headers;

    /// <summary>The answer, which the handler writes.</summary>
    public ResponseWriter Response { get; }

    /// <summary>The route that was found, or null.</summary>
    public Route? Route { get; internal set; }

    /// <summary>Cancelled when the client disconnects, or the request is killed. Allocates a source when it is used:
    /// only for code that waits.</summary>
    public CancellationToken Aborted => _killing?.Token ?? Disconnected;

    /// <summary>The memory and parser of this request, borrowed by the first use, and given back behind the handler.
    /// </summary>
    public OperationContext Operation => _operation ??= Server.RentContext();

    /// <summary>The database that the path names; the router has opened it if the route has one.</summary>
    public Database Database => _database ?? throw new InvalidOperationException($"{Route} names no database.");

    /// <summary>A snapshot of the database, with the name of this request's route, which the report names if it holds
    /// the storage back for too long.</summary>
    internal DocumentSnapshot BeginRead() => Database.BeginRead(Route?.Path ?? "");

    /// <summary>A command for writes, set up with <see cref="Operation"/>, and given back with it.</summary>
    public BatchCommand Batch
    {
        get
        {
            if (_batch == null)
            {
                _batch = Server.Batches.Get();
                _batch.Reset(Operation);
                _batch.DocumentSizeBytesMax = Server.Options.DocumentSizeBytesMax;
            }

            return _batch;
        }
    }

    /// <summary>An empty list of slices that this request may use.</summary>
    public List<NativeSlice> Slices
    {
        get
        {
            _slices.Clear();
            return _slices;
        }
    }

    /// <summary>When the request began, a time stamp of the server's clock.</summary>
    internal long StartedTimestamp { get; private set; }

    /// <summary>Who is at the other end of the connection; null if the server asks no caller.</summary>
    internal Caller? Caller { get; set; }

    /// <summary>Who sends the request. The gate has found out before a handler runs.</summary>
    public Identity Identity { get; internal set; } = Identity.Unsecured;

    /// <summary>The identity that was let in, while the request runs; null if the server asks no caller, or anyone may
    /// send it. Any thread may read it.</summary>
    internal Identity? Admitted => _admitted;

    /// <summary>The right that the request needs, by its route or by what it does.</summary>
    internal Access Needed => _needed;

    /// <summary>How many requests it has served, the one that runs included. Any thread may read it.</summary>
    internal long ServedCount => Volatile.Read(ref _served);

    /// <summary>What the watch of rights knows of the request; only the watch uses it.</summary>
    internal ref RightsCheck RightsCheck => ref _rightsCheck;

    /// <summary>Asks the handler to end the request with a reason, from any thread; without it the connection is cut.
    /// </summary>
    internal Action<string>? Ending { get; set; }

    /// <summary>Why the server ends the request; null if it does not.</summary>
    internal string? EndReason { get; private set; }

    /// <summary>The target as it was sent.</summary>
    internal string RawTarget => _request.RawTarget;

    /// <summary>The host header that was last allowed on this connection, so that it is checked once.</summary>
    internal string? AllowedHost { get; set; }

    /// <summary>Whether that is a name, neither an address nor <c>localhost</c>.</summary>
    internal bool HasNamedHost { get; set; }

    /// <summary>What of it is not in the url, for the list of running requests: a script, the text of a query. Killing
    /// the request cancels <see cref="Aborted"/>.</summary>
    internal string Detail { get; set; } = "";

    /// <summary>Whether a node of the cluster has passed it on.</summary>
    internal bool IsForwarded { get; set; }

    /// <summary>Whether it was killed while its client is there and waits for an answer.</summary>
    internal bool IsKilled => _isKilled && !Disconnected.IsCancellationRequested;

    /// <summary>Whether it is a query.</summary>
    internal bool IsQuery { get; set; }

    /// <summary>How its query is answered; null until that is known, and if it is none.</summary>
    internal QueryPlan? Plan { get; set; }

    /// <summary>The database that the request has used, also after its end; null if it used none.</summary>
    internal Database? UsedDatabase { get; private set; }

    /// <summary>The span of the request; null if there is none.</summary>
    internal Activity? Span { get; set; }

    /// <summary>The number of this context, from which the ids of its requests are made.</summary>
    internal long Number { get; set; }

    /// <summary>The id of the request in the list of those that run, and in the audit log.</summary>
    internal string Id => NumberOfRequest.ToString(CultureInfo.InvariantCulture);

    private long NumberOfRequest => (Number * RequestsPerContext) + (Volatile.Read(ref _served) % RequestsPerContext);

    /// <summary>What it does now; null if it serves no request. Any thread may read it, so that it may be slightly out
    /// of date.</summary>
    internal RunningRequest? Running
    {
        get
        {
            // Read from copies: Kestrel's objects keep a value that is read between two requests for the next.
            var running = new RunningRequest(
                NumberOfRequest, _seenMethod, _seenPath, _seenQuery, Detail, StartedTimestamp)
            {
                Database = UsedDatabase?.Name ?? "",
                QueryOf = IsQuery ? Plan?.Name ?? "" : null,
            };
            return _isRunning ? running : null;
        }
    }

    /// <summary>Answers refusals on this connection before there is a request; null if nothing does.</summary>
    internal RefusalWriter? Refusals { get; init; }

    internal ref RouteCaptures Captures => ref _captures;

    private CancellationToken Disconnected =>
        Features.Get<IHttpRequestLifetimeFeature>()?.RequestAborted ?? default;

    /// <summary>The part of <see cref="Path"/> that a <c>*</c> or <c>$</c> of the route matched.</summary>
    public ReadOnlySpan<char> Capture(int index) => _captures.Of(_request.Path, index);

    /// <summary>The decoded value of a query parameter, UTF-8, in the arena of the request.</summary>
    /// <param name="encoded">The value as it is in the url.</param>
    /// <param name="name">The name, for the error.</param>
    /// <exception cref="BadRequestException">It is not percent-encoded UTF-8.</exception>
    public NativeSlice Decode(ReadOnlySpan<char> encoded, string name)
    {
        if (encoded.IsEmpty)
        {
            return default;
        }

        NativeSlice target = Operation.Arena.Allocate(PercentEncoding.MaxDecodedLength(encoded));
        return PercentEncoding.TryDecode(encoded, target.WritableSpan, out int length)
            ? target.Slice(0, length)
            : throw QueryParameters.BadEncoding(name);
    }

    /// <summary>A query parameter, UTF-8, in the arena of the request; empty if it is absent or empty.</summary>
    /// <exception cref="BadRequestException">It is not percent-encoded UTF-8.</exception>
    public NativeSlice QueryUtf8(string name) =>
        Query.TryGet(name, out ReadOnlySpan<char> encoded) ? Decode(encoded, name) : default;

    /// <summary>A query parameter that is required, but may be empty.</summary>
    /// <exception cref="BadRequestException">It is absent, present twice, or not percent-encoded UTF-8.</exception>
    public NativeSlice RequiredUtf8(string name)
    {
        bool isFound = false;
        ReadOnlySpan<char> encoded = default;
        foreach (QueryParameters.Parameter parameter in Query)
        {
            if (parameter.Is(name))
            {
                if (isFound)
                {
                    throw new BadRequestException(
                        400, ErrorType.Argument, $"The parameter '{name}' is there twice; only one can be meant.");
                }

                isFound = true;
                encoded = parameter.Encoded;
            }
        }

        return isFound
            ? Decode(encoded, name)
            : throw new BadRequestException(400, ErrorType.Argument, $"The parameter '{name}' is missing.");
    }

    /// <summary>The url under which the client reached this server, without a closing slash.</summary>
    public string BaseUrl()
    {
        Uri? configured = Server.Options.PublicServerUrl;
        if (configured != null)
        {
            return configured.GetLeftPart(UriPartial.Authority);
        }

        string host = Headers.Host.ToString();
        return host.Length == 0 ? Server.Url : $"{Scheme}://{host}";
    }

    /// <summary>Begins to read the body; the source ends with the request.</summary>
    /// <param name="inflatedBytesMax">The most bytes after decompression.</param>
    public BodySource BeginBody(long inflatedBytesMax)
    {
        _body.Begin(this, inflatedBytesMax);
        return _body;
    }

    /// <summary>Ends reading the body: it holds no bytes of the connection any more.</summary>
    /// <returns>Whether all of it was read.</returns>
    internal bool EndBody()
    {
        _body.End();
        return _body.HasEnded;
    }

    /// <summary>Notes that all of the body was read, though not by the source of this request.</summary>
    internal void NoteBodyEnd() => _body.NoteEnd();

    /// <summary>The copy of a short body, if it is kept as it is read: another node may have to do it.</summary>
    internal KeptBody Kept { get; } = new();

    /// <summary>Whether the handler has written a part of what is asked: it cannot be done elsewhere then.</summary>
    internal bool HasWrittenPart { get; set; }

    /// <summary>Ends the connection at once: the only way to report an error after an answer has started.</summary>
    public void Abort() => Features.Get<IHttpRequestLifetimeFeature>()?.Abort();

    /// <summary>From now on the request can be killed without its connection: its handler stops by
    /// <see cref="Aborted"/>. A browser sends a request once more whose connection was cut before an answer.</summary>
    internal void AnswerWhenKilled()
    {
        var killing = new CancellationTokenSource();
        _lost = Disconnected.UnsafeRegister(static source => ((CancellationTokenSource)source!).Cancel(), killing);
        _killing = killing;
    }

    /// <summary>Ends the request, from any thread: with an answer that says so if its handler can be stopped and has
    /// sent nothing yet, else by ending the connection.</summary>
    internal void Kill()
    {
        if (_killing is { } killing && !Response.HasStarted)
        {
            _isKilled = true;
            killing.Cancel();
        }
        else
        {
            Abort();
        }
    }

    /// <summary>Refuses the request if its identity lacks a right to its database that it needs beside that of its
    /// route.</summary>
    /// <exception cref="BadRequestException">403: it lacks it.</exception>
    internal void Require(Access access) => Require(access, _database == null ? default : _database.Name);

    /// <summary>The same for a database that the path does not name.</summary>
    /// <exception cref="BadRequestException">403: it lacks it.</exception>
    internal void Require(Access access, ReadOnlySpan<char> database)
    {
        if (!Identity.May(access, database))
        {
            throw Server.Security.Gate.RefusalOf(this, access, database);
        }

        if (access > _needed)
        {
            _needed = access;
        }
    }

    /// <summary>Writes to the audit log what the request is about to do: see <c>AuditTrail.Announce</c>.</summary>
    internal void Announce(
        string? name = null, string? database = null, string? resource = null,
        params IReadOnlyList<KeyValuePair<string, string>> detail) =>
        Server.Security.Audit.Announce(this, name, database, resource, detail);

    /// <summary>The gate has let it in: from now on it is watched whether its identity keeps the right.</summary>
    internal void Admit()
    {
        _needed = Route!.Access;
        _admitted = Identity;
    }

    /// <summary>The database that is open, for another thread.</summary>
    internal Database? OpenedDatabase => Volatile.Read(ref _database);

    /// <summary>Asks the handler to end the request; false if it cannot be asked.</summary>
    internal bool TryEnd(string reason)
    {
        EndReason = reason;
        Action<string>? ending = Ending;
        ending?.Invoke(reason);
        return ending != null;
    }

    internal void Begin(IFeatureCollection features)
    {
        _admitted = null;
        Ending = null;
        EndReason = null;
        _isKilled = false;
        HasWrittenPart = false;
        Features = features;
        _request = features.Get<IHttpRequestFeature>()!;
        Debug.Assert(_request != null);
        Verb = HttpVerbs.Parse(_request.Method);
        Route = null;
        _body.Reset();
        _captures.Count = 0;
        StartedTimestamp = Server.Time.GetTimestamp();
        Volatile.Write(ref _served, _served + 1);
        Detail = "";
        IsQuery = false;
        Plan = null;
        UsedDatabase = null;
        _seenMethod = _request.Method;
        _seenPath = _request.Path;
        _seenQuery = _request.QueryString;
        _isRunning = true;
        if (Refusals is { } refusals)
        {
            refusals.IsServing = true;
        }

        Response.Begin(features);
    }

    /// <summary>Called when the answer was sent: the next bytes on the connection are not part of it.</summary>
    internal void Ended()
    {
        if (Refusals is { } refusals)
        {
            refusals.IsServing = false;
        }
    }

    /// <summary>Opens the database that the path names; false if that fails, and the answer says why.</summary>
    internal bool OpenDatabase()
    {
        _database = DatabaseResolver.Open(this);
        if (_database == null)
        {
            return false;
        }

        UsedDatabase = _database;
        ConfigurationRefresh.AddHeader(this);
        return true;
    }

    /// <summary>Gives everything back that was borrowed, after the handler is done. May be called again.</summary>
    internal void Release()
    {
        _isRunning = false;
        _admitted = null;
        if (_killing != null)
        {
            _lost.Dispose();
            _killing = null;
        }

        Response.End();
        if (_slices.Capacity > KeptSlicesMax)
        {
            _slices.Clear();
            _slices.Capacity = 0;
        }

        ForgetWork();
        Kept.End();
    }

    /// <summary>Forgets what a handler has done with the request, so that one can begin with it anew.</summary>
    internal void BeginAgain()
    {
        Response.Clear();
        Response.Status = StatusCodes.Status200OK;
        ForgetWork();
    }

    private void ForgetWork()
    {
        if (_batch != null)
        {
            Server.Batches.Return(_batch);
            _batch = null;
        }

        ReturnOperation();
        _database = null;
        Plan = null;
    }

    /// <inheritdoc/>
    void IQueryMemory.ReturnOperation() => ReturnOperation();

    /// <summary>
    /// Gives the memory back while the request waits: nothing in it may be used any more, and <see cref="Operation"/>
    /// borrows other memory. The body must have been read, and there must be no command.
    /// </summary>
    internal void ReturnOperation()
    {
        Debug.Assert(_batch == null);
        _body.End();
        if (_operation != null)
        {
            Server.Contexts.Return(_operation);
            _operation = null;
        }
    }
}
