using System.Diagnostics;
using Raven.Blittable.Memory;

namespace Raven.Server.Http;

//     file            full segments      current
//     [.............] [64 KB][64 KB]...  [....  ]
//     sent first                         written to
//
//   OUT-1  Bytes are sent in the order in which they were written: those in the file, the full segments, the
//          current one.
//   OUT-2  The segments of an answer beyond its first two are counted in the memory of all answers; if that is used up,
//          its full segments are moved to the file.

/// <summary>The bytes of one answer that were written and not sent yet. Reused; not thread-safe.</summary>
internal sealed class ResponseBuffer(ResponseMemory memory)
{
    internal const int SegmentSizeBytes = 64 * 1024;
    private const int FirstSegmentSizeBytes = 16 * 1024;

    private readonly List<(byte[] Bytes, int Length)> _full = [];
    private byte[] _current = [];
    private int _used;
    private long _earlierBytes;
    private long _takenBytes;
    private int _nextFull;
    private SpillFile? _file;
    private long _fileOffset;
    private bool _isFileRefused;

    /// <summary>The bytes that were written and not taken out yet.</summary>
    internal long Length => _earlierBytes + _used;

    /// <summary>True if there is more than the current segment.</summary>
    internal bool HasEarlier => _earlierBytes > 0;

    /// <summary>The current segment, which is sent last.</summary>
    internal ReadOnlyMemory<byte> Current => _current.AsMemory(0, _used);

    /// <summary>The room behind what was written.</summary>
    internal Span<byte> FreeSpan => _current.AsSpan(_used);

    /// <summary>The same, as memory.</summary>
    internal Memory<byte> FreeMemory => _current.AsMemory(_used);

    /// <summary>Whether there is room for so many bytes.</summary>
    internal bool HasRoom(int sizeHint)
    {
        int room = _current.Length - _used;
        return room > 0 && room >= sizeHint;
    }

    internal void Advance(int count)
    {
        Debug.Assert(count >= 0 && _used + count <= _current.Length);
        _used += count;
    }

    /// <summary>
    /// Takes out the bytes that are sent first and are not in the current segment; false if there are no more. The
    /// caller gives the array to <see cref="Return"/>.
    /// </summary>
    internal bool TryTakeEarlier(out byte[] bytes, out int length)
    {
        if (_file is not null && _fileOffset < _file.Length)
        {
            bytes = ScratchArrays.Rent(SegmentSizeBytes);
            length = _file.Read(_fileOffset, bytes.AsSpan(0, SegmentSizeBytes));
            _fileOffset += length;
        }
        else if (_nextFull < _full.Count)
        {
            (bytes, length) = _full[_nextFull];
            _full[_nextFull++] = default;
        }
        else
        {
            (bytes, length) = ([], 0);
            return false;
        }

        _earlierBytes -= length;
        return true;
    }

    /// <summary>Takes an array back.</summary>
    internal static void Return(byte[] bytes) => ScratchArrays.Return(bytes);

    /// <summary>Drops all bytes; the current segment is kept for the next ones.</summary>
    internal void Clear()
    {
        for (int i = _nextFull; i < _full.Count; i++)
        {
            ScratchArrays.Return(_full[i].Bytes);
        }

        _full.Clear();
        _nextFull = 0;
        _earlierBytes = 0;
        _used = 0;
        _isFileRefused = false;
        GiveTaken();
        DropFile();
    }

    /// <summary>Drops all bytes and all memory.</summary>
    internal void Release()
    {
        Clear();
        if (_current.Length > 0)
        {
            ScratchArrays.Return(_current);
            _current = [];
        }
    }

    /// <summary>Makes room for so many bytes, in a segment of their own.</summary>
    internal void Grow(int sizeHint)
    {
        if (_used > 0)
        {
            _full.Add((_current, _used));
            _earlierBytes += _used;
        }
        else if (_current.Length > 0)
        {
            ScratchArrays.Return(_current);
        }

        _current = [];
        _used = 0;
        int size = Math.Max(sizeHint, _earlierBytes == 0 ? FirstSegmentSizeBytes : SegmentSizeBytes);
        if (_full.Count > 1 || size > SegmentSizeBytes)
        {
            if (memory.TryTake(size))
            {
                _takenBytes += size;
            }
            else if (!TrySpill())
            {
                memory.Take(size);
                _takenBytes += size;
            }
        }

        _current = ScratchArrays.Rent(size);
    }

    /// <summary>Moves the full segments to the file; false if it takes none, or not all of them.</summary>
    private bool TrySpill()
    {
        Debug.Assert(_nextFull == 0);
        SpillFile? file = _isFileRefused ? null : _file ??= memory.TryCreateFile();
        if (file is null)
        {
            _isFileRefused = true;
            return false;
        }

        int moved = 0;
        foreach ((byte[] bytes, int length) in _full)
        {
            if (!file.TryAppend(bytes.AsSpan(0, length)))
            {
                break;
            }

            memory.CountSpilled(length);
            ScratchArrays.Return(bytes);
            moved++;
        }

        _full.RemoveRange(0, moved);
        if (_full.Count > 0)
        {
            // Later bytes must not be sent before these.
            _isFileRefused = true;
            return false;
        }

        GiveTaken();
        return true;
    }

    private void GiveTaken()
    {
        if (_takenBytes > 0)
        {
            memory.Give(_takenBytes);
            _takenBytes = 0;
        }
    }

    private void DropFile()
    {
        if (_file is not null)
        {
            memory.CountSpilled(-_file.Length);
            _file.Dispose();
            _file = null;
            _fileOffset = 0;
        }
    }
}
