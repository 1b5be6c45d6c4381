using Raven.Storage.Platform;

namespace Shared.Storage;

/// <summary>The bytes of a simulated file, in native memory, so that a map of them is the bytes themselves.</summary>
internal sealed class SimulatedInode(int number) : IDisposable
{
    private const int FirstCapacity = 64 << 10;

    private readonly List<NativeBuffer> _mapped = [];
    private NativeBuffer _bytes = new(FirstCapacity);
    private bool _isMapped;

    internal int Number { get; } = number;

    internal long Length { get; private set; }

    internal bool IsLocked { get; set; }

    /// <summary>The bytes since the last sync, as they were before: what a lost sync brings back.</summary>
    internal byte[]? BeforeUnsynced { get; set; }

    internal ReadOnlySpan<byte> Bytes => _bytes.Span[..(int)Length];

    internal byte[] ToArray() => Bytes.ToArray();

    internal void SetLength(long length)
    {
        Reserve(length);
        if (length > Length)
        {
            _bytes.Span[(int)Length..(int)length].Clear();
        }

        Length = length;
    }

    internal void Write(long offset, ReadOnlySpan<byte> data)
    {
        if (offset + data.Length > Length)
        {
            SetLength(offset + data.Length);
        }

        data.CopyTo(_bytes.Span[(int)offset..]);
        foreach (NativeBuffer older in _mapped)
        {
            int length = (int)Math.Min(data.Length, Math.Max(0, older.Capacity - offset));
            if (length > 0)
            {
                data[..length].CopyTo(older.Span[(int)offset..]);
            }
        }
    }

    internal MemoryMap Map(long length)
    {
        Reserve(length);
        _isMapped = true;
        return new MemoryMap(_bytes.Slice((int)length), () => { });
    }

    public void Dispose()
    {
        _bytes.Dispose();
        _mapped.ForEach(buffer => buffer.Dispose());
    }

    private void Reserve(long length)
    {
        if (length <= _bytes.Capacity)
        {
            return;
        }

        var larger = new NativeBuffer((int)Math.Max(length, 2L * _bytes.Capacity));
        Bytes.CopyTo(larger.Span);
        if (_isMapped)
        {
            _mapped.Add(_bytes);
            _isMapped = false;
        }
        else
        {
            _bytes.Dispose();
        }

        _bytes = larger;
    }
}
