using System.Text;
using Lucene.Net.Store;
using Raven.Storage.Streams;

namespace Raven.Search.Lucene.Engine.Files;

/// <summary>
/// Reads a file of Lucene in the transaction that the thread has entered (FILES-2), or from memory. Copies of it, which
/// Lucene makes for each use, share the name alone.
/// </summary>
internal sealed class StreamInput : BufferedIndexInput
{
    private const int BufferBytes = 2048;

    private readonly string _name;
    private readonly byte[] _key;
    private readonly byte[]? _bytes;
    private readonly long _length;

    internal StreamInput(string name, byte[]? bytes, long length, IOContext context)
        : base(name, context.Context == IOContext.UsageContext.MERGE ? 8 * BufferBytes : BufferBytes)
    {
        _name = name;
        _key = Encoding.UTF8.GetBytes(name);
        _bytes = bytes;
        _length = length;
    }

    /// <inheritdoc/>
    public override long Length => _length;

    /// <inheritdoc/>
    protected override void ReadInternal(byte[] b, int offset, int length)
    {
        long from = Position;
        Span<byte> target = b.AsSpan(offset, length);
        if (from < 0 || from + length > _length)
        {
            throw new EndOfStreamException($"Lucene reads behind the end of {_name}.");
        }

        if (_bytes is not null)
        {
            _bytes.AsSpan((int)from, length).CopyTo(target);
            return;
        }

        StorageFiles files = StorageFiles.Current
            ?? throw new InvalidOperationException($"Lucene's file {_name} is read outside of a transaction.");
        files.Step?.Invoke();
        StreamStore? streams = files.Streams;
        if (streams is null || streams.Read(_key, from, target) < length)
        {
            throw new EndOfStreamException($"Lucene's file {_name} is not whole.");
        }
    }

    /// <inheritdoc/>
    protected override void SeekInternal(long pos)
    {
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
    }
}
