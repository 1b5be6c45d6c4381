namespace Raven.CommandLine.Import.Input;

/// <summary>
/// Looks at the first two bytes of a stream that cannot go back (a pipe), and then gives all of them.
/// </summary>
internal sealed class StartOfStream : ReadOnlyStream
{
    private readonly Stream _inner;
    private readonly byte[] _start = new byte[2];
    private readonly int _startLength;
    private int _given;

    internal StartOfStream(Stream inner)
    {
        _inner = inner;
        _startLength = inner.ReadAtLeast(_start, _start.Length, throwOnEndOfStream: false);
    }

    /// <summary>Whether the stream begins with the magic number of gzip (RFC 1952).</summary>
    internal bool IsGzip => _startLength == 2 && _start is [0x1F, 0x8B];

    public override int Read(Span<byte> buffer)
    {
        if (_given == _startLength)
        {
            return _inner.Read(buffer);
        }

        int copied = Math.Min(buffer.Length, _startLength - _given);
        _start.AsSpan(_given, copied).CopyTo(buffer);
        _given += copied;
        return copied;
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            _inner.Dispose();
        }

        base.Dispose(disposing);
    }
}
