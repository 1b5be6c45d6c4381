using System.Buffers;
using System.Collections;
using System.IO.Pipelines;
using System.Net;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Hosting.Server.Abstractions;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Primitives;
using Raven.Server.Http;

namespace FastTests.Server;

/// <summary>
/// A request without Kestrel and without a socket, so that what is ours alone can be measured: the features that
/// Kestrel would offer, over plain memory, reused from request to request as a connection would.
/// </summary>
internal sealed class InMemoryRequest : IFeatureCollection, IHttpRequestFeature, IHttpResponseFeature,
    IHttpResponseBodyFeature, IHttpRequestLifetimeFeature, IHttpRequestBodyDetectionFeature, IRequestBodyPipeFeature,
    IHttpConnectionFeature, ITlsConnectionFeature, IHttpMaxRequestBodySizeFeature,
    IConnectionLifetimeNotificationFeature, IHostContextContainer<RequestContext>
{
    private readonly MemoryPipeWriter _writer = new();
    private Action? _abort;
    private byte[] _requestBody;
    private IRequestBodyPipeFeature? _replaced;

    internal InMemoryRequest(string method, string path, string query = "", string body = "")
        : this(method, path, query, Encoding.UTF8.GetBytes(body))
    {
    }

    /// <summary>One whose body need not be text.</summary>
    internal InMemoryRequest(string method, string path, string query, byte[] body)
    {
        _requestBody = body;
        Method = method;
        Path = path;
        QueryString = query;
        RawTarget = path + query;
        ((IHeaderDictionary)Request).Host = "127.0.0.1:8080";
    }

    public RequestContext? HostContext { get; set; }

    public string Protocol { get; set; } = "HTTP/1.1";

    public string Scheme { get; set; } = "http";

    public string Method { get; set; }

    public string PathBase { get; set; } = "";

    public string Path { get; set; }

    public string QueryString { get; set; }

    public string RawTarget { get; set; }

    public Stream Body { get; set; } = Stream.Null;

    public int StatusCode { get; set; } = 200;

    public string? ReasonPhrase { get; set; }

    public bool HasStarted { get; private set; }

    public bool CanHaveBody => _requestBody.Length > 0;

    public PipeReader Reader
    {
        get
        {
            WasBodyRead = true;
            return field;
        }

        private set;
    } = PipeReader.Create(ReadOnlySequence<byte>.Empty);

    public CancellationToken RequestAborted { get; set; }

    /// <summary>The certificate of the caller.</summary>
    public X509Certificate2? ClientCertificate { get; set; }

    public string ConnectionId { get; set; } = "";

    public IPAddress? RemoteIpAddress { get; set; } = IPAddress.Loopback;

    public IPAddress? LocalIpAddress { get; set; } = IPAddress.Loopback;

    public int RemotePort { get; set; }

    public int LocalPort { get; set; }

    public Stream Stream => throw new NotSupportedException();

    public PipeWriter Writer => _writer;

    /// <summary>As of Kestrel, before a server sets it.</summary>
    public long? MaxRequestBodySize { get; set; } = 30_000_000;

    public CancellationToken ConnectionClosedRequested { get; set; }

    public bool IsReadOnly => true;

    bool IHttpMaxRequestBodySizeFeature.IsReadOnly => false;

    public int Revision => 0;

    internal HeaderDictionary Request { get; } = [];

    internal HeaderDictionary Response { get; } = [];

    /// <summary>The body, if it is no text.</summary>
    internal byte[] BodyBytes { init => _requestBody = value; }

    /// <summary>Whether sent bytes are dropped, as if the client is gone.</summary>
    internal bool IsGone { get => _writer.IsGone; init => _writer.IsGone = value; }

    /// <summary>How often the server has tried to send something.</summary>
    internal int FlushCount => _writer.FlushCount;

    /// <summary>Whether the body was asked for.</summary>
    internal bool WasBodyRead { get; private set; }

    /// <summary>Whether the server may break the connection off, though the client is there.</summary>
    internal bool MayBeAborted
    {
        get;

        init
        {
            field = value;
            var abortion = new CancellationTokenSource();
            _abort = abortion.Cancel;
            RequestAborted = abortion.Token;
        }
    }

    /// <summary>Whether the connection was broken off.</summary>
    internal bool WasAborted { get; private set; }

    /// <summary>Whether the connection is to end behind this answer.</summary>
    internal bool WasCloseRequested { get; private set; }

    internal byte[] AnswerBytes => _writer.Written.ToArray();

    internal string Answer => Encoding.UTF8.GetString(_writer.Written);

    IHeaderDictionary IHttpRequestFeature.Headers
    {
        get => Request;
        set => throw new NotSupportedException();
    }

    IHeaderDictionary IHttpResponseFeature.Headers
    {
        get => Response;
        set => throw new NotSupportedException();
    }

    public object? this[Type key]
    {
        get => key.IsInstanceOfType(this) ? this : null;
        set => throw new NotSupportedException();
    }

    /// <summary>The same request as the bytes that a socket would carry.</summary>
    internal byte[] ToWire(int port, bool closes)
    {
        var head = new StringBuilder();
        head.Append(Method).Append(' ').Append(Path).Append(QueryString).Append(" HTTP/1.1\r\n");
        foreach ((string name, StringValues values) in Request)
        {
            string value = name == "Host" ? $"127.0.0.1:{port}" : values.ToString();
            head.Append(name).Append(": ").Append(value).Append("\r\n");
        }

        if (_requestBody.Length > 0)
        {
            head.Append("Content-Type: application/json\r\nContent-Length: ").Append(_requestBody.Length)
                .Append("\r\n");
        }

        head.Append(closes ? "Connection: close\r\n\r\n" : "\r\n");
        return [.. Encoding.UTF8.GetBytes(head.ToString()), .. _requestBody];
    }

    /// <summary>As Kestrel does between two requests of a connection.</summary>
    internal void Reset()
    {
        StatusCode = 200;
        HasStarted = false;
        _replaced = null;
        Response.Clear();
        _writer.Reset();
        if (_requestBody.Length > 0)
        {
            Reader = PipeReader.Create(new ReadOnlySequence<byte>(_requestBody));
        }
    }

    public TFeature? Get<TFeature>() =>
        _replaced is TFeature replaced ? replaced : this is TFeature feature ? feature : default;

    /// <summary>Only the body can be another one, until the request ends.</summary>
    public void Set<TFeature>(TFeature? instance) =>
        _replaced = instance as IRequestBodyPipeFeature ?? throw new NotSupportedException();

    public Task StartAsync(CancellationToken cancellationToken = default)
    {
        HasStarted = true;
        return Task.CompletedTask;
    }

    public Task CompleteAsync() => Task.CompletedTask;

    public Task<X509Certificate2?> GetClientCertificateAsync(CancellationToken cancellationToken) =>
        Task.FromResult(ClientCertificate);

    public void Abort()
    {
        WasAborted = IsGone || MayBeAborted ? true : throw new InvalidOperationException("aborted");
        _abort?.Invoke();
    }

    public void RequestClose() => WasCloseRequested = true;

    public void DisableBuffering()
    {
    }

    public Task SendFileAsync(string path, long offset, long? count, CancellationToken cancellationToken = default) =>
        throw new NotSupportedException();

    public void OnStarting(Func<object, Task> callback, object state) => throw new NotSupportedException();

    public void OnCompleted(Func<object, Task> callback, object state) => throw new NotSupportedException();

    public IEnumerator<KeyValuePair<Type, object>> GetEnumerator() => throw new NotSupportedException();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    private sealed class MemoryPipeWriter : PipeWriter
    {
        private byte[] _bytes = new byte[256 * 1024];
        private int _length;

        internal bool IsGone { get; set; }

        internal int FlushCount { get; private set; }

        internal ReadOnlySpan<byte> Written => _bytes.AsSpan(0, _length);

        public override void Advance(int bytes) => _length += bytes;

        public override Memory<byte> GetMemory(int sizeHint = 0)
        {
            if (_bytes.Length - _length < Math.Max(1, sizeHint))
            {
                Array.Resize(ref _bytes, 2 * (_bytes.Length + sizeHint));
            }

            return _bytes.AsMemory(_length);
        }

        public override Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

        public override void CancelPendingFlush()
        {
        }

        public override void Complete(Exception? exception = null)
        {
        }

        public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
        {
            FlushCount++;
            _length = IsGone ? 0 : _length;
            return new ValueTask<FlushResult>(new FlushResult(isCanceled: false, isCompleted: IsGone));
        }

        internal void Reset() => _length = 0;
    }
}
