using Raven.Blittable.Memory;
using Raven.Storage.Platform;

namespace Shared.Storage;

/// <summary>
/// The bytes of a simulated file, and a map of them is the bytes themselves: those of an image until they are changed
/// or mapped, then native memory; or those of an image that was lent, in place, brought back when this is disposed.
/// </summary>
internal sealed class SimulatedInode(int number) : IDisposable
{
    private readonly List<NativeBuffer> _mapped = [];
    private FileBytes? _lent;
    private int _lentMark;
    private FileBytes? _shared = new();
    private NativeBuffer? _bytes;
    private long _length;
    private bool _isMapped;

    internal int Number { get; } = number;

    internal long Length => _lent?.Length ?? _length;

    internal bool IsLocked { get; set; }

    /// <summary>The bytes since the last sync, as they were before: what a lost sync brings back.</summary>
    internal byte[]? BeforeUnsynced { get; set; }

    internal ReadOnlySpan<byte> Bytes =>
        (_lent ?? _shared) is { } ofImage ? ofImage.Span : _bytes!.Span[..(int)_length];

    internal byte[] ToArray() => Bytes.ToArray();

    /// <summary>Starts with these bytes, which are copied when they have to be.</summary>
    internal void Share(FileBytes content)
    {
        _shared = content;
        _length = content.Length;
    }

    /// <summary>Uses these bytes, which no other code uses until this is disposed.</summary>
    internal void Borrow(FileBytes content)
    {
        _lent = content;
        _lentMark = content.Mark();
    }

    internal void SetLength(long length)
    {
        if (_lent is not null)
        {
            _lent.SetLength((int)length);
            return;
        }

        NativeBuffer bytes = Reserve(length);
        if (length > _length)
        {
            bytes.Span[(int)_length..(int)length].Clear();
        }

        _length = length;
    }

    internal void Write(long offset, ReadOnlySpan<byte> data)
    {
        if (_lent is not null)
        {
            _lent.Write((int)offset, data);
            return;
        }

        if (offset + data.Length > _length)
        {
            SetLength(offset + data.Length);
        }

        data.CopyTo(Reserve(_length).Span[(int)offset..]);
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
        if (_lent is not null)
        {
            return _lent.Map((int)length);
        }

        NativeBuffer bytes = Reserve(length);
        _isMapped = true;
        return new MemoryMap(bytes.Slice((int)length), () => { });
    }

    public void Dispose()
    {
        if (_lent is not null)
        {
            _lent.BackTo(_lentMark);
            _lent.Unmap();
            _lent = null;
        }

        _mapped.ForEach(NativeBuffers.Return);
        _mapped.Clear();
        if (_bytes is not null)
        {
            NativeBuffers.Return(_bytes);
        }

        _bytes = null;
        _shared = new FileBytes();
        _length = 0;
    }

    private NativeBuffer Reserve(long length)
    {
        if (_bytes is not null && length <= _bytes.Capacity)
        {
            return _bytes;
        }

        NativeBuffer larger = NativeBuffers.Rent((int)Math.Max(length, _length));
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
