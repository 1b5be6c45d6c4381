using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Text;

namespace Raven.Server.Http.Multipart;

/// <summary>
/// The parts of a <c>multipart/form-data</c> body (RFC 7578, 2046), one after the other, in bounded memory: ask for
/// <see cref="NextPartAsync"/>, then read <see cref="Part"/> as any other body. Dispose it to give the buffer back.
/// </summary>
internal sealed class MultipartReader : IBodyBytes, IDisposable
{
    private const int BufferSizeBytes = 64 * 1024;
    private const int HeadersSizeBytesMax = 8 * 1024;
    private const int BoundaryLengthMax = 70;

    private readonly IBodyBytes _body;
    private readonly byte[] _delimiter;
    private readonly int _ratioMax;
    private InflatedBytes? _inflated;
    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(BufferSizeBytes);
    private int _start;
    private int _end;
    private int _contentEnd;
    private bool _isBodyEnd;
    private bool _isAtDelimiter;
    private bool _hasBegun;

    private MultipartReader(IBodyBytes body, string boundary, int ratioMax)
    {
        _body = body;
        _ratioMax = ratioMax;
        _delimiter = Encoding.ASCII.GetBytes($"\r\n--{boundary}");
    }

    /// <inheritdoc/>
    public ReadOnlySpan<byte> Current => _buffer.AsSpan(_start, _contentEnd - _start);

    /// <inheritdoc/>
    public long Position { get; private set; }

    /// <summary>The bytes of the part, inflated if the part itself is compressed.</summary>
    internal IBodyBytes Part => _inflated is { } inflated ? inflated : this;

    /// <summary>The name of the part.</summary>
    internal string Name { get; private set; } = "";

    /// <summary>True if a body is multipart.</summary>
    internal static bool IsMultipart(string contentType) =>
        contentType.StartsWith("multipart/", StringComparison.OrdinalIgnoreCase);

    /// <summary>Begins to read a body.</summary>
    /// <param name="body">Its bytes.</param>
    /// <param name="contentType">The content type of the body.</param>
    /// <param name="ratioMax">The largest ratio of inflated to compressed bytes of a part.</param>
    /// <exception cref="BadRequestException">The content type has no boundary, or one that is not valid.</exception>
    internal static MultipartReader Begin(IBodyBytes body, string contentType, int ratioMax)
    {
        if (!TryFindParameter(contentType, "boundary", out string? boundary)
            || boundary.Length is 0 or > BoundaryLengthMax
            || boundary.AsSpan().ContainsAnyExceptInRange(' ', '~'))
        {
            throw new BadRequestException(
                $"Content-Type '{contentType}' needs a boundary of 1 to {BoundaryLengthMax} characters.");
        }

        return new MultipartReader(body, boundary, ratioMax);
    }

    /// <summary>Skips the rest of this part, and begins the next one.</summary>
    /// <returns>False if there are no more.</returns>
    /// <exception cref="BadRequestException">The body is not valid.</exception>
    internal async ValueTask<bool> NextPartAsync(CancellationToken cancellation)
    {
        EndInflating();
        if (!_hasBegun)
        {
            // The first delimiter has no line end before it: it is parsed as if it had.
            _hasBegun = true;
            "\r\n"u8.CopyTo(_buffer);
            _end = 2;
            FindContentEnd();
        }

        do
        {
            Consume(Current.Length);
        }
        while (await ReadAsync(cancellation).ConfigureAwait(false));

        if (!await FillAsync(_delimiter.Length + 2, cancellation).ConfigureAwait(false))
        {
            throw Broken("ends inside of a boundary");
        }

        _start += _delimiter.Length;
        bool isLast = _buffer.AsSpan(_start, 2).SequenceEqual("--"u8);
        if (isLast)
        {
            return false;
        }

        string encoding = await ReadHeadersAsync(cancellation).ConfigureAwait(false);
        _isAtDelimiter = false;
        Position = 0;
        FindContentEnd();
        _inflated = BodySource.IsIdentity(encoding) ? null : new InflatedBytes(this, encoding, _ratioMax);
        return true;
    }

    /// <inheritdoc/>
    public async ValueTask<bool> ReadAsync(CancellationToken cancellation)
    {
        while (Current.IsEmpty && !_isAtDelimiter)
        {
            if (!await FillMoreAsync(cancellation).ConfigureAwait(false))
            {
                throw Broken($"ends inside of part '{Name}', without a boundary");
            }

            FindContentEnd();
        }

        return !Current.IsEmpty;
    }

    /// <inheritdoc/>
    public void Consume(int count)
    {
        _start += count;
        Position += count;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        EndInflating();
        ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = [];
        _start = _end = _contentEnd = 0;
    }

    private void EndInflating()
    {
        _inflated?.Dispose();
        _inflated = null;
    }

    private static BadRequestException Broken(string what) => new($"The multipart body {what}.");

    private static bool TryFindParameter(string header, string name, [NotNullWhen(true)] out string? value)
    {
        foreach (string piece in header.Split(';').Skip(1))
        {
            string[] parts = piece.Split('=', 2);
            if (parts.Length == 2 && parts[0].Trim().Equals(name, StringComparison.OrdinalIgnoreCase))
            {
                value = parts[1].Trim().Trim('"');
                return true;
            }
        }

        value = null;
        return false;
    }

    /// <summary>Reads the headers of a part.</summary>
    /// <returns>Its encoding; empty if it has none.</returns>
    private async ValueTask<string> ReadHeadersAsync(CancellationToken cancellation)
    {
        int length;
        while ((length = _buffer.AsSpan(_start, _end - _start).IndexOf("\r\n\r\n"u8)) < 0)
        {
            if (_end - _start > HeadersSizeBytesMax)
            {
                throw Broken($"has a part whose headers are longer than {HeadersSizeBytesMax} bytes");
            }

            if (!await FillMoreAsync(cancellation).ConfigureAwait(false))
            {
                throw Broken("ends inside of the headers of a part");
            }
        }

        string headers = Encoding.UTF8.GetString(_buffer, _start, length);
        _start += length + 4;
        string disposition = Header(headers, "Content-Disposition:");
        Name = TryFindParameter(disposition, "name", out string? name) ? name : "";
        return Header(headers, "Content-Encoding:");
    }

    private static string Header(string headers, string name) => headers.Split("\r\n")
        .FirstOrDefault(line => line.StartsWith(name, StringComparison.OrdinalIgnoreCase))?[name.Length..].Trim() ?? "";

    /// <summary>Finds how much of the buffer is certainly content: bytes that may begin a delimiter wait
    /// for more.</summary>
    private void FindContentEnd()
    {
        ReadOnlySpan<byte> rest = _buffer.AsSpan(_start, _end - _start);
        int found = rest.IndexOf(_delimiter);
        _isAtDelimiter = found >= 0;
        _contentEnd = _start + (found >= 0 ? found : Math.Max(0, rest.Length - _delimiter.Length + 1));
    }

    private async ValueTask<bool> FillAsync(int count, CancellationToken cancellation)
    {
        while (_end - _start < count)
        {
            if (!await FillMoreAsync(cancellation).ConfigureAwait(false))
            {
                return false;
            }
        }

        return true;
    }

    private async ValueTask<bool> FillMoreAsync(CancellationToken cancellation)
    {
        if (_start > 0)
        {
            _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
            _end -= _start;
            _contentEnd = Math.Max(0, _contentEnd - _start);
            _start = 0;
        }

        if (_body.Current.IsEmpty)
        {
            _isBodyEnd = _isBodyEnd || !await _body.ReadAsync(cancellation).ConfigureAwait(false);
            if (_isBodyEnd)
            {
                return false;
            }
        }

        int length = Math.Min(_body.Current.Length, _buffer.Length - _end);
        _body.Current[..length].CopyTo(_buffer.AsSpan(_end));
        _body.Consume(length);
        _end += length;
        return true;
    }
}
