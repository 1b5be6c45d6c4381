using System.Buffers;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;

namespace Shared.Storage;

/// <summary>
/// The bytes of a file in an image of a disk; a map of them is the bytes themselves. What was written since a mark can
/// be taken back: a crash test changes a few sectors of megabytes, and to copy all of them for each image was half of
/// what it took. One thread at a time. The memory is reused by the next one if this is disposed: a map is 16 MB, and to
/// collect those of 2,000 disks was most of what the tests of faults took.
/// </summary>
internal sealed class FileBytes : IDisposable
{
    private readonly List<Change> _changes = [];
    private readonly List<byte[]> _olderMaps = [];
    private readonly List<GCHandle> _pins = [];
    private byte[] _bytes = [];
    private bool _isMapped;
    private int _marks;

    internal FileBytes()
    {
    }

    internal FileBytes(ReadOnlySpan<byte> content) => SetTo(content);

    internal int Length { get; private set; }

    /// <summary>The bytes; what is written through it is not taken back.</summary>
    internal Span<byte> Span => _bytes.AsSpan(0, Length);

    /// <summary>Becomes a copy of other bytes, as if it were new.</summary>
    internal void SetTo(ReadOnlySpan<byte> content)
    {
        Reserve(content.Length);
        Length = content.Length;
        content.CopyTo(_bytes);
    }

    /// <summary>Writes, over the end too: what is between is zero.</summary>
    internal void Write(int offset, ReadOnlySpan<byte> data)
    {
        if (offset + data.Length > Length)
        {
            SetLength(offset + data.Length);
        }

        Keep(offset, data.Length);
        data.CopyTo(_bytes.AsSpan(offset));
        foreach (byte[] older in _olderMaps)
        {
            int length = Math.Min(data.Length, Math.Max(0, older.Length - offset));
            data[..length].CopyTo(older.AsSpan(Math.Min(offset, older.Length)));
        }
    }

    /// <summary>Cuts the end off, or puts zeros behind it.</summary>
    internal void SetLength(int length)
    {
        if (length > Length)
        {
            Keep(Length, 0);
            Reserve(length);
            _bytes.AsSpan(Length, length - Length).Clear();
        }
        else
        {
            Keep(length, Length - length);
        }

        Length = length;
    }

    /// <summary>From here on <see cref="BackTo"/> brings back what is. Marks nest.</summary>
    internal int Mark()
    {
        _marks++;
        return _changes.Count;
    }

    /// <summary>Takes back what was done since a mark, and the mark.</summary>
    internal void BackTo(int mark)
    {
        for (int i = _changes.Count - 1; i >= mark; i--)
        {
            Change change = _changes[i];
            Length = change.Length;
            if (change.Before is { } before)
            {
                before.AsSpan(0, change.Count).CopyTo(_bytes.AsSpan(change.Offset));
                ArrayPool<byte>.Shared.Return(before);
            }
        }

        _changes.RemoveRange(mark, _changes.Count - mark);
        _marks--;
    }

    /// <summary>So many bytes from the start on, until <see cref="Unmap"/>; those behind the end are to come.</summary>
    internal unsafe MemoryMap Map(int length)
    {
        Reserve(length);
        if (!_isMapped)
        {
            // Only while it is mapped: arrays that are made pinned were what collections in the background were for.
            _pins.Add(GCHandle.Alloc(_bytes, GCHandleType.Pinned));
            _isMapped = true;
        }

        return new MemoryMap((byte*)_pins[^1].AddrOfPinnedObject(), length, () => { });
    }

    /// <summary>The map is no longer used.</summary>
    internal void Unmap()
    {
        _pins.ForEach(pin => pin.Free());
        _pins.Clear();
        _olderMaps.ForEach(Return);
        _olderMaps.Clear();
        _isMapped = false;
    }

    /// <summary>The bytes are no longer used.</summary>
    public void Dispose()
    {
        Unmap();
        Return(_bytes);
        _bytes = [];
        Length = 0;
    }

    private void Keep(int offset, int count)
    {
        if (_marks == 0)
        {
            return;
        }

        byte[]? before = null;
        if (count > 0)
        {
            before = ArrayPool<byte>.Shared.Rent(count);
            _bytes.AsSpan(offset, count).CopyTo(before);
        }

        _changes.Add(new Change(Length, offset, count, before));
    }

    private void Reserve(int capacity)
    {
        if (capacity <= _bytes.Length)
        {
            return;
        }

        byte[] larger = ArrayPool<byte>.Shared.Rent(capacity);
        Span.CopyTo(larger);
        if (_isMapped)
        {
            _olderMaps.Add(_bytes);
            _isMapped = false;
        }
        else
        {
            Return(_bytes);
        }

        _bytes = larger;
    }

    private static void Return(byte[] bytes)
    {
        if (bytes.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }
    }

    private readonly record struct Change(int Length, int Offset, int Count, byte[]? Before);
}
