using System.Buffers;
using System.IO.Pipelines;

namespace Raven.Server.Http;

/// <summary>The bytes of a body as Kestrel received them. Disposing it leaves the reader open.</summary>
internal sealed class WireStream(PipeReader reader) : CountedStream
{
    /// <summary>Makes the stream; it needs no disposal.</summary>
    internal static WireStream Of(PipeReader reader) => new(reader);

    private protected override async ValueTask<int> ReadBytesAsync(
        Memory<byte> buffer, CancellationToken cancellation)
    {
        while (true)
        {
            ReadResult result = await BodySource.WaitAsync(reader, cancellation).ConfigureAwait(false);
            ReadOnlySequence<byte> bytes = result.Buffer.Slice(0, Math.Min(buffer.Length, result.Buffer.Length));

            // After they are given back, the segments are used for other bytes, and their length changes.
            int length = (int)bytes.Length;
            bytes.CopyTo(buffer.Span);
            reader.AdvanceTo(bytes.End);
            if (length > 0 || result.IsCompleted || buffer.IsEmpty)
            {
                return length;
            }
        }
    }
}
