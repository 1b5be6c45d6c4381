using System.Buffers;
using System.Threading.Channels;

namespace Raven.CommandLine.Import.Server;

/// <summary>
/// Collects bytes into blocks and hands full ones to another thread; waits while that one is four blocks behind, so
/// that a slow server slows the reading and memory stays flat.
/// </summary>
internal sealed class BlockWriter : IBufferWriter<byte>
{
    private const int BlockBytes = 256 * 1024;
    private readonly Channel<ArraySegment<byte>> _full = Channel.CreateBounded<ArraySegment<byte>>(
        new BoundedChannelOptions(4) { SingleReader = true, SingleWriter = true });

    private byte[] _block = ArrayPool<byte>.Shared.Rent(BlockBytes);
    private int _length;

    /// <summary>The blocks, for the thread that sends them; it returns their arrays to the shared pool.</summary>
    internal ChannelReader<ArraySegment<byte>> Blocks => _full.Reader;

    /// <summary>All bytes written so far.</summary>
    internal long BytesWritten { get; private set; }

    public void Advance(int count)
    {
        _length += count;
        BytesWritten += count;
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _block.AsMemory(_length);
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _block.AsSpan(_length);
    }

    /// <summary>Hands over what is there, full or not.</summary>
    /// <exception cref="ChannelClosedException">The sender has given up.</exception>
    internal void Flush()
    {
        if (_length == 0)
        {
            return;
        }

        var segment = new ArraySegment<byte>(_block, 0, _length);
        _block = ArrayPool<byte>.Shared.Rent(BlockBytes);
        _length = 0;
        if (!_full.Writer.TryWrite(segment))
        {
            _full.Writer.WriteAsync(segment).AsTask().GetAwaiter().GetResult();
        }
    }

    /// <summary>Nothing more will come: the sender ends, or stops with the failure.</summary>
    internal void Complete(Exception? failure = null) => _full.Writer.TryComplete(failure);

    private void Reserve(int sizeHint)
    {
        if (_block.Length - _length >= Math.Max(sizeHint, 1))
        {
            return;
        }

        Flush();
        if (_block.Length < sizeHint)
        {
            ArrayPool<byte>.Shared.Return(_block);
            _block = ArrayPool<byte>.Shared.Rent(sizeHint);
        }
    }
}
