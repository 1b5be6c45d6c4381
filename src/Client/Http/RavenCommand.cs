namespace Raven.Client.Http;

/// <summary>
/// One request and how its answer is read. Derive from it to call an endpoint that the client has no method for, and
/// give it to <see cref="RequestExecutor"/>.
/// </summary>
/// <typeparam name="TResult">The type of what the answer holds.</typeparam>
public abstract class RavenCommand<TResult>
{
    /// <summary>
    /// True if the request changes nothing: it may be sent again, to this server or another, and its answer cached.
    /// </summary>
    public virtual bool IsReadRequest => false;

    /// <summary>Whether an answer with an ETag may be cached, and requested again with <c>If-None-Match</c>.</summary>
    public virtual bool CanCache => IsReadRequest;

    /// <summary>Whether the whole answer is requested each time, and not cached.</summary>
    public bool DisableCaching { get; set; }

    /// <summary>How long to wait for the answer; null takes that of the conventions.</summary>
    public TimeSpan? Timeout { get; set; }

    /// <summary>
    /// Makes the request. Called once for each server that is tried, so the content must be created each time.
    /// </summary>
    /// <param name="node">The server; <see cref="ServerNode.BaseUrl"/> begins the url.</param>
    protected internal abstract HttpRequestMessage CreateRequest(ServerNode node);

    /// <summary>Reads the answer, which is a success or, for a 404, empty.</summary>
    protected internal abstract TResult? ReadResponse(RavenResponse response);

    /// <summary>How long a stream waits at most for each part of its answer, once it has begun.</summary>
    internal TimeSpan AnswerTimeMax { get; set; } = System.Threading.Timeout.InfiniteTimeSpan;

    /// <summary>Cancelled when the store is disposed; a stream ends then.</summary>
    internal CancellationToken StoreEnd { get; set; }

    /// <summary>What kind of request it is, for the message of a session that makes too many.</summary>
    internal virtual string Kind => GetType().Name.Replace("Command", "", StringComparison.Ordinal);

    /// <summary>
    /// True if the caller reads the body as it arrives; <see cref="ReadStream"/> takes the answer then.
    /// </summary>
    internal virtual bool IsStream => false;

    /// <summary>
    /// Whether the server reports every change that would make the answer different: of a document, of a counter, or of
    /// an index. Only then an aggressive cache that tracks changes uses the answer without a request.
    /// </summary>
    internal virtual bool IsTracked(ReadOnlyMemory<byte> answer) => false;

    /// <summary>How long the server may wait before it answers; the timeout of the request is longer by that.</summary>
    internal virtual TimeSpan ServerWaitMax => TimeSpan.Zero;

    /// <summary>
    /// The longest wait that is added to a timeout: the server waits no longer, whatever was requested, and timers
    /// have a maximum.
    /// </summary>
    internal static TimeSpan LongestServerWait => TimeSpan.FromDays(1);

    /// <summary>
    /// Whether the request can be made a second time; not if its content is a stream that has been read.
    /// </summary>
    internal virtual bool CanResend => true;

    /// <summary>Whether the server knows a request that it has done, so that a write is sent again although it was
    /// perhaps done.</summary>
    internal virtual bool IsRemembered => false;

    /// <summary>Whether a 404 is a result (what the url names does not exist) and not a failure.</summary>
    internal virtual bool AcceptsNotFound(HttpResponseMessage response) => IsReadRequest;

    /// <summary>Reads an answer whose body has not been read yet, and disposes it at the end.</summary>
    internal virtual TResult? ReadStream(HttpResponseMessage response) =>
        throw new InvalidOperationException($"{GetType().Name} does not stream.");
}
