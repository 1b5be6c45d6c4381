namespace Raven.CommandLine.Import.Verbs;

/// <summary>
/// The file that an export writes. What fails in it is a <see cref="FileFailedException"/>, which tells it from a
/// connection that ends.
/// </summary>
internal sealed class WrittenFile : Stream
{
    private readonly FileStream _file;

    /// <summary>Makes the file, or empties it.</summary>
    /// <exception cref="FileFailedException">It cannot be made.</exception>
    internal WrittenFile(string path)
    {
        try
        {
            _file = File.Create(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new FileFailedException(e);
        }
    }

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        try
        {
            _file.Write(buffer);
        }
        catch (IOException e)
        {
            throw new FileFailedException(e);
        }
    }

    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override async ValueTask WriteAsync(
        ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        try
        {
            await _file.WriteAsync(buffer, cancellationToken);
        }
        catch (IOException e)
        {
            throw new FileFailedException(e);
        }
    }

    public override void Flush()
    {
        try
        {
            _file.Flush();
        }
        catch (IOException e)
        {
            throw new FileFailedException(e);
        }
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    /// <summary>What was not written yet is written now, and may fail as well.</summary>
    protected override void Dispose(bool disposing)
    {
        try
        {
            if (disposing)
            {
                _file.Dispose();
            }
        }
        catch (IOException e)
        {
            throw new FileFailedException(e);
        }
        finally
        {
            base.Dispose(disposing);
        }
    }
}
