using System.Buffers;
using System.Diagnostics;
using System.IO.Pipelines;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Primitives;
using Raven.Blittable.Memory;

namespace Raven.Server.Http;

/// <summary>
/// The answer to one request. A handler sets status and headers and writes bytes into a buffer; when it is done they
/// are sent with a Content-Length. An answer beyond the buffer's limit is streamed: <see cref="FlushAsync"/> sends it
/// in slices that wait for a slow client. How much of it is in memory is bounded (<see cref="ResponseMemory"/>). One
/// per request context, reused; not thread-safe.
/// </summary>
public sealed class ResponseWriter : IBufferWriter<byte>
{
    /// <summary>
    /// Bytes handed to Kestrel between two waits for the client: one large write would be copied whole.
    /// </summary>
    internal const int SliceSizeBytes = 64 * 1024;

    /// <summary>Smaller answers are not compressed: they fit into one or two packets.</summary>
    private const int CompressedSizeBytesMin = 2048;

    // Answers are JSON by their content type, never part of a page: only what JSON requires is escaped.
    private static readonly JsonWriterOptions PlainJson =
        new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private static readonly StringValues NoStore = "no-store";

    private readonly ResponseMemory _memory;
    private ResponseBuffer _buffer;
    private ResponseBuffer? _second;
    private IHttpResponseFeature _response = null!;
    private IHttpResponseBodyFeature _body = null!;
    private IHttpRequestFeature _request = null!;
    private bool _isStreaming;
    private bool _holdsSecrets;
    private Utf8JsonWriter? _json;
    private bool _hasJson;

    internal ResponseWriter(ResponseMemory memory)
    {
        _memory = memory;
        _buffer = new ResponseBuffer(memory);
    }

    /// <summary>The status code; 200 until set.</summary>
    public int Status
    {
        get => _response.StatusCode;
        set => _response.StatusCode = value;
    }

    /// <summary>The headers of the answer.</summary>
    public IHeaderDictionary Headers => _response.Headers;

    /// <summary>The most bytes that are buffered.</summary>
    internal long BufferedBytesMax { get; init; } = long.MaxValue;

    /// <summary>Bytes written and not sent yet.</summary>
    public long BufferedBytes => _buffer.Length;

    /// <summary>True after the status line was sent: an error can only be reported by closing the connection.</summary>
    public bool HasStarted => _response.HasStarted;

    /// <inheritdoc/>
    public void Advance(int count) => _buffer.Advance(count);

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        EnsureRoom(sizeHint);
        return _buffer.FreeSpan;
    }

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        EnsureRoom(sizeHint);
        return _buffer.FreeMemory;
    }

    /// <summary>Answers with a body that is the same for every request, without buffering it.</summary>
    public ValueTask WriteFixedAsync(FixedResponse fixedResponse)
    {
        ArgumentNullException.ThrowIfNull(fixedResponse);
        IHeaderDictionary headers = _response.Headers;
        headers.ContentType = fixedResponse.ContentType;
        headers.ContentLength = fixedResponse.Body.Length;
        Task start = _body.StartAsync();
        if (!start.IsCompletedSuccessfully)
        {
            return WriteFixedSlowAsync(start, fixedResponse.Body);
        }

        Copy(fixedResponse.Body.Span);
        return ValueTask.CompletedTask;
    }

    /// <summary>Begins a JSON answer and returns its writer, which is flushed when the handler is done.</summary>
    public Utf8JsonWriter BeginJson()
    {
        Headers.ContentType = ContentType.Json;
        _hasJson = true;
        if (_json == null)
        {
            _json = CreateJson(this);
        }
        else
        {
            _json.Reset(this);
        }

        return _json;
    }

    /// <summary>Writes bytes unchanged.</summary>
    public void Write(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            Span<byte> room = GetSpan(1);
            int length = Math.Min(room.Length, bytes.Length);
            bytes[..length].CopyTo(room);
            Advance(length);
            bytes = bytes[length..];
        }
    }

    /// <summary>Writes text as UTF-8.</summary>
    public void WriteText(StringBuilder text)
    {
        ArgumentNullException.ThrowIfNull(text);
        foreach (ReadOnlyMemory<char> chunk in text.GetChunks())
        {
            Encoding.UTF8.GetBytes(chunk.Span, this);
        }
    }

    /// <summary>
    /// Sends what is buffered and waits until the client has taken most of it. The answer is chunked from here on.
    /// Data that is only valid under a snapshot is in the buffer already: release the snapshot first if the wait may
    /// be long.
    /// </summary>
    /// <exception cref="ConnectionResetException">The client has disconnected: nothing more can be sent.</exception>
    public async ValueTask FlushAsync(CancellationToken cancellation)
    {
        FlushJson();
        _isStreaming = true;
        if (!_response.HasStarted)
        {
            await _body.StartAsync(cancellation).ConfigureAwait(false);
        }

        if (!await SendBufferedAsync(alwaysFlush: true, cancellation).ConfigureAwait(false))
        {
            throw new ConnectionResetException("The client is gone.");
        }
    }

    /// <summary>
    /// Begins to send what is buffered, after a first <see cref="FlushAsync"/>: more may be written meanwhile. Await
    /// the returned task before anything else is sent. All of it is in memory until the client takes it.
    /// </summary>
    internal Task BeginFlushAsync()
    {
        Debug.Assert(_isStreaming && _response.HasStarted && !_hasJson);
        CopyBuffered();
        ValueTask<FlushResult> flush = _body.Writer.FlushAsync(CancellationToken.None);
        return flush.IsCompletedSuccessfully ? Task.CompletedTask : flush.AsTask();
    }

    /// <summary>
    /// Says that the answer holds secrets: no cache keeps it, and it is not compressed, since the length would tell how
    /// much of what a request repeats is in them (BREACH).
    /// </summary>
    internal void HoldSecrets()
    {
        _holdsSecrets = true;
        ForbidStoring();
    }

    /// <summary>Keeps the answer out of all caches.</summary>
    internal void ForbidStoring() => Headers.CacheControl = NoStore;

    internal void Begin(IFeatureCollection features)
    {
        _response = features.Get<IHttpResponseFeature>()!;
        _body = features.Get<IHttpResponseBodyFeature>()!;
        _request = features.Get<IHttpRequestFeature>()!;
        _isStreaming = false;
        _holdsSecrets = false;
    }

    /// <summary>
    /// Ends a successful answer: the buffered bytes are sent, with a Content-Length if nothing was sent before.
    /// </summary>
    internal ValueTask CompleteAsync()
    {
        FlushJson();
        if (BufferedBytes == 0)
        {
            if (!_response.HasStarted && MayHaveBody(_response.StatusCode) && _response.Headers.ContentLength == null)
            {
                // Clients take an answer for an empty one only if it says so (Content-Length: 0).
                _response.Headers.ContentLength = 0;
            }

            return ValueTask.CompletedTask;
        }

        if (_isStreaming)
        {
            return CompleteSlowAsync(Task.CompletedTask);
        }

        if (BufferedBytes >= CompressedSizeBytesMin)
        {
            Compress();
        }

        _response.Headers.ContentLength = BufferedBytes;
        Task start = _body.StartAsync();
        if (start.IsCompletedSuccessfully && BufferedBytes <= SliceSizeBytes)
        {
            // Kestrel sends it at the end of the request, in one piece.
            CopyBuffered();
            return ValueTask.CompletedTask;
        }

        return CompleteSlowAsync(start);
    }

    /// <summary>
    /// Drops what was written, so that an error can be answered instead; only before the answer was started.
    /// </summary>
    internal void Clear()
    {
        Debug.Assert(!_response.HasStarted);
        DropJson();
        ReleaseBuffers();
        IHeaderDictionary headers = _response.Headers;
        headers.ContentLength = null;
        headers.ETag = default;
    }

    /// <summary>
    /// Drops what is buffered and gives its memory back. At the end of a request the response features belong to
    /// Kestrel, and must not be used after this.
    /// </summary>
    internal void End()
    {
        DropJson();
        ReleaseBuffers();
    }

    private static bool MayHaveBody(int status) => status is >= 200 and not 204 and not 304;

    /// <summary>Compresses what is buffered, if it is JSON and the client takes that.</summary>
    private void Compress()
    {
        IHeaderDictionary headers = _response.Headers;
        if (_holdsSecrets || headers.ContentType != ContentType.Json || headers.ContentEncoding.Count > 0)
        {
            return;
        }

        headers.Vary = StringValues.Concat(headers.Vary, "Accept-Encoding");

        // Not if the connection ends with the answer: the Node.js client asks for that, and its HTTP library ends the
        // whole process if the end arrives while it is still inflating (undici 7.30, large answers).
        if (_request.Headers.Connection.ToString().Contains("close", StringComparison.OrdinalIgnoreCase))
        {
            return;
        }

        if (ContentEncoder.Choose(_request.Headers.AcceptEncoding) is not { } encoding)
        {
            return;
        }

        ResponseBuffer plain = _buffer;
        _buffer = _second ?? new ResponseBuffer(_memory);
        _second = plain;
        using (Stream encoder = ContentEncoder.Begin(encoding, new BufferStream(this)))
        {
            while (plain.TryTakeEarlier(out byte[] bytes, out int length))
            {
                encoder.Write(bytes, 0, length);
                ResponseBuffer.Return(bytes);
            }

            encoder.Write(plain.Current.Span);
        }

        plain.Release();
        headers.ContentEncoding = encoding;
    }

    private async ValueTask CompleteSlowAsync(Task start)
    {
        await start.ConfigureAwait(false);
        await SendBufferedAsync(alwaysFlush: false, CancellationToken.None).ConfigureAwait(false);
    }

    private async ValueTask WriteFixedSlowAsync(Task start, ReadOnlyMemory<byte> body)
    {
        await start.ConfigureAwait(false);
        Copy(body.Span);
    }

    /// <summary>The writer holds only what it has not flushed, so that it needs no disposal.</summary>
    private static Utf8JsonWriter CreateJson(IBufferWriter<byte> target) => new(target, PlainJson);

    private void Copy(ReadOnlySpan<byte> bytes)
    {
        PipeWriter writer = _body.Writer;
        while (!bytes.IsEmpty)
        {
            // Without a size, Kestrel returns an empty span after the client has disconnected.
            Span<byte> target = writer.GetSpan(1);
            int length = Math.Min(target.Length, bytes.Length);
            bytes[..length].CopyTo(target);
            writer.Advance(length);
            bytes = bytes[length..];
        }
    }

    /// <summary>Passes all that is buffered to Kestrel, which does not send it yet.</summary>
    private void CopyBuffered()
    {
        while (_buffer.TryTakeEarlier(out byte[] bytes, out int length))
        {
            Copy(bytes.AsSpan(0, length));
            ResponseBuffer.Return(bytes);
        }

        Copy(_buffer.Current.Span);
        _buffer.Clear();
    }

    /// <summary>Sends all that is buffered; false if the client has disconnected.</summary>
    private async ValueTask<bool> SendBufferedAsync(bool alwaysFlush, CancellationToken cancellation)
    {
        bool isThere = true;
        if (_buffer.HasEarlier)
        {
            while (isThere && _buffer.TryTakeEarlier(out byte[] bytes, out int length))
            {
                isThere = await SendAsync(bytes.AsMemory(0, length), cancellation).ConfigureAwait(false);
                ResponseBuffer.Return(bytes);
            }

            isThere = isThere && await SendAsync(_buffer.Current, cancellation).ConfigureAwait(false);
        }
        else
        {
            Copy(_buffer.Current.Span);
            if (alwaysFlush)
            {
                isThere = IsThere(await _body.Writer.FlushAsync(cancellation).ConfigureAwait(false));
            }
        }

        _buffer.Clear();
        return isThere;
    }

    private static bool IsThere(FlushResult flushed) => !flushed.IsCanceled && !flushed.IsCompleted;

    /// <summary>
    /// Sends bytes slice by slice; false if the client has disconnected: Kestrel drops all later bytes.
    /// </summary>
    private async ValueTask<bool> SendAsync(ReadOnlyMemory<byte> bytes, CancellationToken cancellation)
    {
        while (!bytes.IsEmpty)
        {
            int length = Math.Min(SliceSizeBytes, bytes.Length);
            Copy(bytes.Span[..length]);
            bytes = bytes[length..];
            if (!IsThere(await _body.Writer.FlushAsync(cancellation).ConfigureAwait(false)))
            {
                return false;
            }
        }

        return true;
    }

    private void EnsureRoom(int sizeHint)
    {
        if (!_buffer.HasRoom(sizeHint))
        {
            if (BufferedBytes + sizeHint > BufferedBytesMax)
            {
                throw new ArenaLimitException(BufferedBytesMax);
            }

            _buffer.Grow(sizeHint);
        }
    }

    private void FlushJson()
    {
        if (_hasJson)
        {
            _hasJson = false;
            _json!.Flush();
        }
    }

    /// <summary>Drops what the JSON writer holds and did not write.</summary>
    private void DropJson()
    {
        if (_hasJson)
        {
            _hasJson = false;
            _json!.Reset();
        }
    }

    private void ReleaseBuffers()
    {
        _buffer.Release();
        _second?.Release();
    }
}
