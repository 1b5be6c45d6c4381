using System.Buffers;
using System.Diagnostics;
using System.IO.Compression;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Primitives;

namespace Raven.Server.Http;

/// <summary>
/// The bytes of a request body as they arrive, inflated if they are compressed: ask for <see cref="ReadAsync"/>, look
/// at <see cref="Current"/>, say with <see cref="Consume"/> how much of it was used. An uncompressed body is read in
/// Kestrel's buffers. One per request context, reused; not thread-safe.
/// </summary>
/// <remarks>
/// Limits: Kestrel counts the bytes on the wire; here the inflated ones are counted against the same limit, and against
/// a ratio to those on the wire, so that a small bomb is stopped early. What a header claims is never trusted.
/// </remarks>
public sealed class BodySource : IBodyBytes
{
    /// <summary>The switch that makes .NET refuse compressed bytes that are cut, in their last ones too.</summary>
    internal const string StrictInflation = "System.IO.Compression.UseStrictValidation";

    private const int InflateBufferSizeBytes = 16 * 1024;
    private const long RatioGraceBytes = 1024 * 1024;

    private PipeReader? _reader;
    private WireStream? _wire;
    private Stream? _inflater;
    private byte[]? _buffer;
    private ReadOnlySequence<byte> _sequence;
    private ReadOnlyMemory<byte> _current;
    private long _inflatedBytes;
    private long _inflatedBytesMax;
    private int _ratioMax;
    private int _taken;
    private bool _isEnd;
    private bool _mustAdvance;

    /// <summary>Bytes that were read and not consumed.</summary>
    public ReadOnlySpan<byte> Current => _current.Span;

    /// <summary>Bytes consumed so far, after inflation: the position of <see cref="Current"/> in the body.</summary>
    public long Position { get; private set; }

    /// <summary>Whether all of the request's body was read, which is known when reading has ended.</summary>
    internal bool HasEnded { get; private set; }

    /// <summary>Forgets the request before.</summary>
    internal void Reset() => HasEnded = false;

    /// <summary>Notes that all of the body was read by somebody else.</summary>
    internal void NoteEnd() => HasEnded = true;

    /// <summary>Begins to read the body of a request.</summary>
    /// <param name="request">The request.</param>
    /// <param name="inflatedBytesMax">The most bytes after inflation.</param>
    /// <exception cref="BadRequestException">415: the body has an encoding that is not known.</exception>
    public void Begin(RequestContext request, long inflatedBytesMax)
    {
        ArgumentNullException.ThrowIfNull(request);
        Debug.Assert(_reader == null);
        _reader = request.Features.Get<IRequestBodyPipeFeature>()!.Reader;
        _inflatedBytesMax = inflatedBytesMax;
        _ratioMax = request.Server.Options.InflationRatioMax;
        Position = 0;
        _inflatedBytes = 0;
        _isEnd = false;
        _mustAdvance = false;
        _current = default;
        StringValues encoding = request.Headers.ContentEncoding;
        if (encoding.Count > 0)
        {
            BeginInflating(encoding);
        }
    }

    /// <summary>Waits for more bytes than <see cref="Current"/> holds now; all of it must have been consumed.</summary>
    /// <returns>False at the end of the body.</returns>
    public ValueTask<bool> ReadAsync(CancellationToken cancellation)
    {
        Debug.Assert(_reader != null && _current.IsEmpty);
        if (_isEnd)
        {
            return new ValueTask<bool>(false);
        }

        if (_inflater != null)
        {
            return InflateAsync(cancellation);
        }

        AdvanceReader();
        try
        {
            if (_reader.TryRead(out ReadResult result) && Take(result))
            {
                return new ValueTask<bool>(true);
            }
        }
        catch (IOException e) when (IsBrokenFraming(e))
        {
            throw BrokenFraming(e);
        }

        return ReadSlowAsync(cancellation);
    }

    /// <summary>Says that the first bytes of <see cref="Current"/> were used.</summary>
    public void Consume(int count)
    {
        _current = _current[count..];
        Position += count;
    }

    /// <summary>Ends reading before the end too; Kestrel drains what is left or closes the connection.</summary>
    public void End()
    {
        if (_reader == null)
        {
            return;
        }

        // Of a compressed body something may follow the end of what was compressed.
        HasEnded = _isEnd && _inflater == null;
        _current = default;
        AdvanceReader();
        _inflater?.Dispose();
        _inflater = null;
        _wire = null;
        if (_buffer != null)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = null;
        }

        _reader = null;
    }

    private void BeginInflating(StringValues encoding)
    {
        string name = encoding.ToString();
        if (IsIdentity(name))
        {
            return;
        }

        _wire = WireStream.Of(_reader!);
        _inflater = Inflater(name, _wire);
        _buffer = ArrayPool<byte>.Shared.Rent(InflateBufferSizeBytes);
    }

    /// <summary>Waits for bytes of a reader, or for the end of the waiting.</summary>
    /// <remarks>
    /// A reader of Kestrel that a token has cancelled takes itself for reading from then on: it logs that as an error
    /// when it drains the body. What ends its waiting by itself leaves it in order.
    /// </remarks>
    /// <exception cref="OperationCanceledException">The token has ended the wait; the reader can still
    /// be read.</exception>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    internal static async ValueTask<ReadResult> WaitAsync(PipeReader reader, CancellationToken cancellation)
    {
        using CancellationTokenRegistration registration = cancellation.UnsafeRegister(
            static waiting => EndWait((PipeReader)waiting!), reader);
        while (true)
        {
            ReadResult result = await reader.ReadAsync(CancellationToken.None).ConfigureAwait(false);
            if (!result.IsCanceled)
            {
                return result;
            }

            reader.AdvanceTo(result.Buffer.Start);
            if (cancellation.IsCancellationRequested)
            {
                // This runs within the call that cancels, whose thread must not run the rest of the request.
                await Task.Yield();
                throw new OperationCanceledException(cancellation);
            }
        }
    }

    private static void EndWait(PipeReader reader)
    {
        try
        {
            reader.CancelPendingRead();
        }
        catch (Exception ended) when (ended is OperationCanceledException or ObjectDisposedException
            or IOException)
        {
            // The connection was aborted: that ends the wait too.
        }
    }

    /// <summary>Whether the name stands for no encoding.</summary>
    internal static bool IsIdentity(string name) =>
        name.Length == 0 || name.Equals("identity", StringComparison.OrdinalIgnoreCase);

    /// <summary>Whether an exception means that the compressed bytes are broken.</summary>
    internal static bool IsBroken(Exception e, Stream? inflater) =>
        e is InvalidDataException || (e is InvalidOperationException && inflater is BrotliStream)
        || Zstandard.IsBroken(e);

    /// <summary>Stops a small compression bomb early.</summary>
    /// <exception cref="BadRequestException">413: there are too many inflated bytes for those on the wire.</exception>
    internal static void CheckRatio(long inflatedBytes, long wireBytes, int ratioMax)
    {
        if (inflatedBytes > RatioGraceBytes && inflatedBytes / ratioMax > wireBytes)
        {
            throw new BadRequestException(
                413, ErrorType.Argument, $"The body inflates to more than {ratioMax} times its size.");
        }
    }

    /// <summary>Inflates a stream by the name of its encoding.</summary>
    /// <exception cref="BadRequestException">415: the encoding is not known.</exception>
    internal static Stream Inflater(string name, Stream wire)
    {
        if (name.Equals("gzip", StringComparison.OrdinalIgnoreCase))
        {
            return new GZipStream(wire, CompressionMode.Decompress);
        }

        if (name.Equals("br", StringComparison.OrdinalIgnoreCase))
        {
            return new BrotliStream(wire, CompressionMode.Decompress);
        }

        if (name.Equals("zstd", StringComparison.OrdinalIgnoreCase))
        {
            return Zstandard.BeginInflating(wire);
        }

        return name.Equals("deflate", StringComparison.OrdinalIgnoreCase)
            ? new ZLibStream(wire, CompressionMode.Decompress)
            : throw new BadRequestException(
                415, ErrorType.NotSupported,
                $"The Content-Encoding '{name}' is not known; use gzip, br, zstd, deflate or none.");
    }

    private void AdvanceReader()
    {
        if (_mustAdvance)
        {
            // The bytes of this segment that were not consumed stay in the reader, and are read again.
            SequencePosition consumed = _sequence.GetPosition(_taken - _current.Length);
            _mustAdvance = false;
            _sequence = default;
            _reader!.AdvanceTo(consumed);
        }
    }

    private bool Take(in ReadResult result)
    {
        _sequence = result.Buffer;
        _mustAdvance = true;
        foreach (ReadOnlyMemory<byte> segment in _sequence)
        {
            if (!segment.IsEmpty)
            {
                _current = segment;
                _taken = segment.Length;
                return true;
            }
        }

        _current = default;
        _taken = 0;

        _isEnd = result.IsCompleted;
        AdvanceReader();
        return false;
    }

    private async ValueTask<bool> ReadSlowAsync(CancellationToken cancellation)
    {
        try
        {
            while (!_isEnd)
            {
                if (Take(await WaitAsync(_reader!, cancellation).ConfigureAwait(false)))
                {
                    return true;
                }
            }

            return false;
        }
        catch (IOException e) when (IsBrokenFraming(e))
        {
            throw BrokenFraming(e);
        }
    }

    private async ValueTask<bool> InflateAsync(CancellationToken cancellation)
    {
        int length;
        try
        {
            length = await _inflater!.ReadAsync(_buffer.AsMemory(), cancellation).ConfigureAwait(false);
        }
        catch (Exception e) when (IsBroken(e, _inflater))
        {
            throw new BadRequestException(
                400, ErrorType.InvalidJson, $"The compressed body is broken after {_inflatedBytes} inflated bytes.");
        }
        catch (IOException e) when (IsBrokenFraming(e))
        {
            throw BrokenFraming(e);
        }

        _inflatedBytes += length;
        if (_inflatedBytes > _inflatedBytesMax)
        {
            throw new BadRequestException(
                413, ErrorType.Argument, $"The body inflates to more than {_inflatedBytesMax} bytes.");
        }

        CheckRatio(_inflatedBytes, _wire!.BytesRead, _ratioMax);
        _current = _buffer.AsMemory(0, length);
        _isEnd = length == 0;
        return !_isEnd;
    }

    /// <summary>
    /// Whether a body ended badly: a chunk size that overflows is a plain IOException, and a client that disconnected
    /// is one of the others.
    /// </summary>
    private static bool IsBrokenFraming(IOException e) =>
        e is not (BadHttpRequestException or ConnectionResetException);

    private static BadRequestException BrokenFraming(IOException e) =>
        new(400, ErrorType.BadRequest, $"The framing of the body is broken: {e.Message}");
}
