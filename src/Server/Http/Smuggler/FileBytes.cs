namespace Raven.Server.Http.Smuggler;

/// <summary>The bytes of a file of this machine, as if they were the body of a request. One thread at a time.</summary>
/// <param name="file">The file, from its start on; the caller closes it.</param>
internal sealed class FileBytes(Stream file) : IBodyBytes
{
    private readonly byte[] _buffer = new byte[64 * 1024];
    private int _start;
    private int _end;

    /// <inheritdoc/>
    public ReadOnlySpan<byte> Current => _buffer.AsSpan(_start, _end - _start);

    /// <inheritdoc/>
    public long Position { get; private set; }

    /// <inheritdoc/>
    public async ValueTask<bool> ReadAsync(CancellationToken cancellation)
    {
        _start = 0;
        _end = 0;
        _end = await file.ReadAsync(_buffer, cancellation).ConfigureAwait(false);
        return _end > 0;
    }

    /// <inheritdoc/>
    public void Consume(int count)
    {
        _start += count;
        Position += count;
    }
}
