namespace Raven.CommandLine.Import.Input;

/// <summary>Counts the bytes that are read from a stream.</summary>
internal sealed class CountingStream(Stream inner) : ReadOnlyStream
{
    private long _bytesRead;

    /// <summary>Bytes read so far; may be asked from another thread.</summary>
    internal long BytesRead => Volatile.Read(ref _bytesRead);

    public override int Read(Span<byte> buffer)
    {
        int read = inner.Read(buffer);
        Volatile.Write(ref _bytesRead, _bytesRead + read);
        return read;
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            inner.Dispose();
        }

        base.Dispose(disposing);
    }
}
