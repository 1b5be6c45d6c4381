using Raven.Storage.Platform;

namespace Shared.Storage;

/// <summary>
/// The bytes of a simulated file: those of an image until they are changed or mapped, then native memory, so that a map
/// of them is the bytes themselves.
/// </summary>
internal sealed class SimulatedInode(int number) : IDisposable
{
    private readonly List<NativeBuffer> _mapped = [];
    private byte[]? _shared = [];
    private NativeBuffer? _bytes;
    private bool _isMapped;

    internal int Number { get; } = number;

    internal long Length { get; private set; }

    internal bool IsLocked { get; set; }

    /// <summary>The bytes since the last sync, as they were before: what a lost sync brings back.</summary>
    internal byte[]? BeforeUnsynced { get; set; }

    internal ReadOnlySpan<byte> Bytes => _shared is not null ? _shared : _bytes!.Span[..(int)Length];

    internal byte[] ToArray() => Bytes.ToArray();

    /// <summary>Starts with these bytes, which are copied when they have to be.</summary>
    internal void Share(byte[] content)
    {
        _shared = content;
        Length = content.Length;
    }

    internal void SetLength(long length)
    {
        NativeBuffer bytes = Reserve(length);
        if (length > Length)
        {
            bytes.Span[(int)Length..(int)length].Clear();
        }

        Length = length;
    }

    internal void Write(long offset, ReadOnlySpan<byte> data)
    {
        if (offset + data.Length > Length)
        {
            SetLength(offset + data.Length);
        }

        data.CopyTo(Reserve(Length).Span[(int)offset..]);
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
        NativeBuffer bytes = Reserve(length);
        _isMapped = true;
        return new MemoryMap(bytes.Slice((int)length), () => { });
    }

    public void Dispose()
    {
        _mapped.ForEach(NativeBuffers.Return);
        _mapped.Clear();
        if (_bytes is not null)
        {
            NativeBuffers.Return(_bytes);
        }

        _bytes = null;
        _shared = [];
        Length = 0;
    }

    private NativeBuffer Reserve(long length)
    {
        if (_bytes is not null && length <= _bytes.Capacity)
        {
            return _bytes;
        }

        NativeBuffer larger = NativeBuffers.Rent((int)Math.Max(length, Length));
        Bytes.CopyTo(larger.Span);
        if (_isMapped)
        {
            _mapped.Add(_bytes!);
            _isMapped = false;
        }
        else if (_bytes is not null)
        {
            NativeBuffers.Return(_bytes);
        }

        _shared = null;
        return _bytes = larger;
    }
}
