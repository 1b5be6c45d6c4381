using System.Buffers;
using System.IO.Pipelines;

namespace Raven.Server.Http;

/// <summary>
/// The bytes of a body as Kestrel received them, for who inflates them; counts them. Disposing it leaves the reader
/// open.
/// </summary>
internal sealed class CountingStream(PipeReader reader) : Stream
{
    internal long BytesRead { get; private set; }

    /// <summary>The bytes of a body; nothing in it has to be disposed of.</summary>
    internal static CountingStream Of(PipeReader reader) => new(reader);

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        while (true)
        {
            ReadResult result = await BodySource.WaitAsync(reader, cancellationToken).ConfigureAwait(false);
            ReadOnlySequence<byte> bytes = result.Buffer.Slice(0, Math.Min(buffer.Length, result.Buffer.Length));

            // The segments are used for other bytes once they are given back: then their length is another one.
            int length = (int)bytes.Length;
            bytes.CopyTo(buffer.Span);
            reader.AdvanceTo(bytes.End);
            if (length > 0 || result.IsCompleted || buffer.IsEmpty)
            {
                BytesRead += length;
                return length;
            }
        }
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
