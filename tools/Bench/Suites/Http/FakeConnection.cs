using System.Collections;
using System.IO.Pipelines;
using Microsoft.AspNetCore.Hosting.Server.Abstractions;
using Microsoft.AspNetCore.Http.Features;
using Raven.Server.Http;

namespace Raven.Tools.Bench.Suites.Http;

/// <summary>
/// The features of one connection without a socket: a request that is always the same and an answer that is counted. As
/// with Kestrel, a feature is a field and not an entry of a table, and the host's context is kept between requests.
/// </summary>
internal sealed class FakeConnection : IFeatureCollection, IHostContextContainer<RequestContext>
{
    private readonly Sink _sink = new();
    private Dictionary<Type, object>? _others;
    private int _revision;

    internal FakeConnection()
    {
        Request.Headers.Host = "127.0.0.1:8080";
        Body = new PipeBody(_sink);
    }

    internal HttpRequestFeature Request { get; } = new()
    {
        Method = "GET",
        Path = "/",
        Scheme = "http",
        Headers = new FakeHeaders(),
    };

    internal HttpResponseFeature Response { get; } = new() { Headers = new FakeHeaders() };

    internal long BytesWritten => _sink.BytesWritten;

    public RequestContext? HostContext { get; set; }

    public bool IsReadOnly => false;

    public int Revision => _revision;

    private PipeBody Body { get; }

    public object? this[Type key]
    {
        get => key == typeof(IHttpRequestFeature) ? Request
            : key == typeof(IHttpResponseFeature) ? Response
            : key == typeof(IHttpResponseBodyFeature) ? Body
            : _others?.GetValueOrDefault(key);
        set
        {
            _revision++;
            _others ??= [];
            if (value is null)
            {
                _others.Remove(key);
            }
            else
            {
                _others[key] = value;
            }
        }
    }

    public TFeature? Get<TFeature>() => typeof(TFeature) == typeof(IHttpRequestFeature) ? (TFeature)(object)Request
        : typeof(TFeature) == typeof(IHttpResponseFeature) ? (TFeature)(object)Response
        : typeof(TFeature) == typeof(IHttpResponseBodyFeature) ? (TFeature)(object)Body
        : (TFeature?)_others?.GetValueOrDefault(typeof(TFeature));

    public void Set<TFeature>(TFeature? instance) => this[typeof(TFeature)] = instance;

    public IEnumerator<KeyValuePair<Type, object>> GetEnumerator() =>
        (_others ?? []).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>Makes ready for the next request of the connection.</summary>
    internal void Reset()
    {
        _others?.Clear();
        _revision++;
        Response.StatusCode = 200;
        ((FakeHeaders)Response.Headers).Reset();
    }

    /// <summary>Takes bytes into one buffer, over and over.</summary>
    private sealed class Sink : PipeWriter
    {
        private readonly byte[] _buffer = new byte[64 * 1024];

        internal long BytesWritten { get; private set; }

        public override void Advance(int bytes) => BytesWritten += bytes;

        public override void CancelPendingFlush()
        {
        }

        public override void Complete(Exception? exception = null)
        {
        }

        public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default) => default;

        public override Memory<byte> GetMemory(int sizeHint = 0) => _buffer;

        public override Span<byte> GetSpan(int sizeHint = 0) => _buffer;
    }

    private sealed class PipeBody(PipeWriter sink) : IHttpResponseBodyFeature
    {
        public Stream Stream => sink.AsStream();

        public PipeWriter Writer => sink;

        public void DisableBuffering()
        {
        }

        public Task StartAsync(CancellationToken cancellationToken = default) => Task.CompletedTask;

        public Task SendFileAsync(
            string path, long offset, long? count, CancellationToken cancellationToken = default) =>
            throw new NotSupportedException();

        public Task CompleteAsync() => Task.CompletedTask;
    }
}
