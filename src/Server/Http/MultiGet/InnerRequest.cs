using System.Buffers;
using System.IO.Pipelines;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;

namespace Raven.Server.Http.MultiGet;

/// <summary>
/// One request of a multi-get: to the handler it is a request like any other, but its body is a text of the outer
/// request's body and its answer becomes a part of the outer answer.
/// </summary>
internal sealed class InnerRequest : IHttpRequestFeature, IHttpResponseFeature, IHttpResponseBodyFeature,
    IHttpRequestBodyDetectionFeature, IRequestBodyPipeFeature, IHttpRequestLifetimeFeature
{
    private readonly RequestContext _outer;
    private readonly OuterWriter _writer;

    internal InnerRequest(RequestContext outer, string method, string path, string query, ReadOnlyMemory<byte> content)
    {
        _outer = outer;
        _writer = new OuterWriter(outer.Response);
        Method = method;
        Path = path;
        QueryString = query;
        CanHaveBody = !content.IsEmpty;
        Reader = PipeReader.Create(new ReadOnlySequence<byte>(content));
        Features = new FeatureCollection();
        Features.Set<IHttpRequestFeature>(this);
        Features.Set<IHttpResponseFeature>(this);
        Features.Set<IHttpResponseBodyFeature>(this);
        Features.Set<IHttpRequestBodyDetectionFeature>(this);
        Features.Set<IRequestBodyPipeFeature>(this);
        Features.Set<IHttpRequestLifetimeFeature>(this);
    }

    /// <inheritdoc/>
    public string Protocol { get; set; } = "HTTP/1.1";

    /// <inheritdoc/>
    public string Scheme { get; set; } = "http";

    /// <inheritdoc/>
    public string Method { get; set; }

    /// <inheritdoc/>
    public string PathBase { get; set; } = "";

    /// <inheritdoc/>
    public string Path { get; set; }

    /// <inheritdoc/>
    public string QueryString { get; set; }

    /// <inheritdoc/>
    public string RawTarget { get; set; } = "";

    /// <inheritdoc/>
    public Stream Body { get; set; } = Stream.Null;

    /// <inheritdoc/>
    public int StatusCode { get; set; } = StatusCodes.Status200OK;

    /// <inheritdoc/>
    public string? ReasonPhrase { get; set; }

    /// <inheritdoc/>
    public bool HasStarted { get; private set; }

    /// <inheritdoc/>
    public bool CanHaveBody { get; }

    /// <inheritdoc/>
    public PipeReader Reader { get; }

    /// <inheritdoc/>
    public Stream Stream => throw new NotSupportedException();

    /// <inheritdoc/>
    public PipeWriter Writer => _writer;

    /// <inheritdoc/>
    public CancellationToken RequestAborted
    {
        get => _outer.Aborted;
        set => throw new NotSupportedException();
    }

    /// <summary>The features that the handler's context begins with.</summary>
    internal FeatureCollection Features { get; }

    /// <summary>The headers that the client set for this request.</summary>
    internal HeaderDictionary RequestHeaders { get; } = [];

    /// <summary>The headers of the answer.</summary>
    internal HeaderDictionary ResponseHeaders { get; } = [];

    /// <summary>True if the answer has a body.</summary>
    internal bool HasBody => _writer.HasWritten;

    IHeaderDictionary IHttpRequestFeature.Headers
    {
        get => RequestHeaders;
        set => throw new NotSupportedException();
    }

    IHeaderDictionary IHttpResponseFeature.Headers
    {
        get => ResponseHeaders;
        set => throw new NotSupportedException();
    }

    /// <inheritdoc/>
    public Task StartAsync(CancellationToken cancellationToken = default)
    {
        HasStarted = true;
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task CompleteAsync() => Task.CompletedTask;

    /// <summary>An answer that broke off can be reported only by breaking off the outer one.</summary>
    public void Abort() => _outer.Abort();

    /// <inheritdoc/>
    public void DisableBuffering()
    {
    }

    /// <inheritdoc/>
    public Task SendFileAsync(string path, long offset, long? count, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException();

    /// <inheritdoc/>
    public void OnStarting(Func<object, Task> callback, object state) => throw new NotSupportedException();

    /// <inheritdoc/>
    public void OnCompleted(Func<object, Task> callback, object state) => throw new NotSupportedException();

    /// <summary>Writes into the outer answer; a long one is sent as it grows.</summary>
    private sealed class OuterWriter(ResponseWriter target) : PipeWriter
    {
        internal bool HasWritten { get; private set; }

        public override void Advance(int bytes)
        {
            HasWritten |= bytes > 0;
            target.Advance(bytes);
        }

        public override Memory<byte> GetMemory(int sizeHint = 0) => target.GetMemory(sizeHint);

        public override Span<byte> GetSpan(int sizeHint = 0) => target.GetSpan(sizeHint);

        public override void CancelPendingFlush()
        {
        }

        public override void Complete(Exception? exception = null)
        {
        }

        public override async ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
        {
            await target.FlushAsync(cancellationToken).ConfigureAwait(false);
            return default;
        }
    }
}
