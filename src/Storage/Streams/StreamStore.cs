using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Trees;

namespace Raven.Storage.Streams;

//   tree of names   name -> StreamInfo: number of the stream (8), length (8), chunks (8)
//   tree of chunks  number of the stream, big-endian (8), offset in the stream, big-endian (8) -> bytes
//
// STREAM-1  the chunks of a stream follow each other without a gap, from 0 to its length
// STREAM-2  no chunk is empty

/// <summary>
/// Values of any size by name, written at their end chunk by chunk, over as many transactions as it takes, and read
/// at any offset. Each append is a chunk (or several): appends of 64 KB to 1 MB are best. It belongs to one
/// transaction and one thread, and allocates nothing.
/// </summary>
public sealed class StreamStore : Structure
{
    /// <summary>The longest chunk: with its page header a whole megabyte.</summary>
    public const int ChunkSizeBytesMax = (1 << 20) - Paging.PageHeader.SizeInBytes;

    private const int ChunkKeySize = 2 * sizeof(long);
    private const int InfoSize = 3 * sizeof(long);

    private readonly Tree _names;
    private readonly Tree _chunks;

    internal StreamStore()
        : this(new Tree(), new Tree())
    {
    }

    private StreamStore(Tree names, Tree chunks)
        : base(names, chunks)
    {
        _names = names;
        _chunks = chunks;
    }

    /// <inheritdoc/>
    public override StructureKind Kind => StructureKind.Streams;

    /// <summary>How many streams there are.</summary>
    public long Count => _names.Count;

    /// <summary>Bytes of all streams.</summary>
    public long PayloadBytes => Root.PayloadBytes;

    /// <summary>Gives the length of a stream.</summary>
    /// <returns>False if there is no stream of this name.</returns>
    public bool TryGetLength(ReadOnlySpan<byte> name, out long length)
    {
        bool found = TryGetInfo(name, out StreamInfo info);
        length = info.Length;
        return found;
    }

    /// <summary>Makes an empty stream.</summary>
    /// <returns>False if there is one of this name.</returns>
    /// <exception cref="InvalidOperationException">The transaction only reads.</exception>
    public bool Create(ReadOnlySpan<byte> name)
    {
        if (TryGetInfo(name, out _))
        {
            return false;
        }

        Root.ActivePage++;
        PutInfo(name, new StreamInfo { Number = Root.ActivePage });
        return true;
    }

    /// <summary>Adds bytes to the end of a stream, which is made if there is none.</summary>
    /// <exception cref="InvalidOperationException">The transaction only reads.</exception>
    public void Append(ReadOnlySpan<byte> name, ReadOnlySpan<byte> bytes)
    {
        Create(name);
        while (!bytes.IsEmpty)
        {
            int length = Math.Min(bytes.Length, ChunkSizeBytesMax);
            bytes[..length].CopyTo(Reserve(name, length).WritableSpan);
            bytes = bytes[length..];
        }
    }

    /// <summary>
    /// Adds <paramref name="length"/> bytes to the end of a stream, which is made if there is none; the caller writes
    /// them in place before it touches the streams again.
    /// </summary>
    /// <param name="name">The stream.</param>
    /// <param name="length">1 to <see cref="ChunkSizeBytesMax"/>.</param>
    /// <returns>Their memory, with undefined content.</returns>
    /// <exception cref="InvalidOperationException">The transaction only reads.</exception>
    public NativeSlice Reserve(ReadOnlySpan<byte> name, int length)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(length, ChunkSizeBytesMax);
        Create(name);
        TryGetInfo(name, out StreamInfo info);
        Span<byte> key = stackalloc byte[ChunkKeySize];
        WriteKey(key, info.Number, info.Length);
        info.Length += length;
        info.Chunks++;
        PutInfo(name, info);
        Root.PayloadBytes += length;
        return _chunks.Reserve(key, length);
    }

    /// <summary>Gives the bytes of a stream from an offset to the end of its chunk, in their pages.</summary>
    /// <returns>False if there is no stream of this name, or the offset is not before its end.</returns>
    /// <exception cref="StorageCorruptedException">A chunk is missing.</exception>
    public bool TryGetChunk(ReadOnlySpan<byte> name, long offset, out NativeSlice bytes)
    {
        bytes = default;
        if (!TryGetInfo(name, out StreamInfo info) || offset < 0 || offset >= info.Length)
        {
            return false;
        }

        bytes = GetChunk(info, offset);
        return true;
    }

    /// <summary>Copies bytes of a stream.</summary>
    /// <returns>How many: less than asked for at the end of the stream, 0 behind it or if there is none.</returns>
    /// <exception cref="StorageCorruptedException">A chunk is missing.</exception>
    public int Read(ReadOnlySpan<byte> name, long offset, Span<byte> target)
    {
        if (!TryGetInfo(name, out StreamInfo info) || offset < 0 || offset >= info.Length)
        {
            return 0;
        }

        int wanted = (int)Math.Min(target.Length, info.Length - offset);
        int read = 0;
        while (read < wanted)
        {
            ReadOnlySpan<byte> chunk = GetChunk(info, offset + read).Span;
            chunk = chunk[..Math.Min(chunk.Length, wanted - read)];
            chunk.CopyTo(target[read..]);
            read += chunk.Length;
        }

        return read;
    }

    /// <summary>Removes a stream.</summary>
    /// <returns>False if there is none of this name.</returns>
    /// <exception cref="InvalidOperationException">The transaction only reads.</exception>
    public bool Delete(ReadOnlySpan<byte> name)
    {
        if (!TryGetInfo(name, out StreamInfo info))
        {
            return false;
        }

        Span<byte> from = stackalloc byte[ChunkKeySize];
        Span<byte> to = stackalloc byte[ChunkKeySize];
        WriteKey(from, info.Number, 0);
        WriteKey(to, info.Number + 1, 0);
        _chunks.DeleteRange(from, to);
        Root.PayloadBytes -= info.Length;
        return _names.Delete(name);
    }

    /// <summary>Gives a stream another name; its bytes stay where they are.</summary>
    /// <returns>False if there is no such stream, or one of the new name.</returns>
    /// <exception cref="InvalidOperationException">The transaction only reads.</exception>
    public bool Rename(ReadOnlySpan<byte> name, ReadOnlySpan<byte> newName)
    {
        if (!TryGetInfo(name, out StreamInfo info) || TryGetInfo(newName, out _))
        {
            return false;
        }

        _names.Delete(name);
        PutInfo(newName, info);
        return true;
    }

    /// <summary>A cursor over the names of all streams, in order; its values are internal.</summary>
    public TreeCursor GetNames() => _names.GetCursor();

    /// <summary>Reads an entry of the tree of names.</summary>
    internal static StreamInfo ReadInfo(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length != InfoSize)
        {
            ThrowDamaged(0, "says nothing");
        }

        return MemoryMarshal.Read<StreamInfo>(bytes);
    }

    private bool TryGetInfo(ReadOnlySpan<byte> name, out StreamInfo info)
    {
        bool found = _names.TryGet(name, out NativeSlice bytes);
        info = found ? ReadInfo(bytes.Span) : default;
        return found;
    }

    private void PutInfo(ReadOnlySpan<byte> name, in StreamInfo info) =>
        MemoryMarshal.Write(_names.Reserve(name, InfoSize).WritableSpan, in info);

    private NativeSlice GetChunk(in StreamInfo info, long offset)
    {
        Span<byte> key = stackalloc byte[ChunkKeySize];
        WriteKey(key, info.Number, offset);
        TreeCursor cursor = _chunks.GetCursor();
        if (cursor.SeekAtMost(key) && cursor.Key.Length == ChunkKeySize
            && BinaryPrimitives.ReadInt64BigEndian(cursor.Key) == info.Number)
        {
            long skipped = offset - BinaryPrimitives.ReadInt64BigEndian(cursor.Key[sizeof(long)..]);
            NativeSlice chunk = cursor.Value;
            if (skipped >= 0 && skipped < chunk.Length)
            {
                return chunk.Slice((int)skipped);
            }
        }

        ThrowDamaged(info.Number, $"has no byte {offset}");
        return default;
    }

    private static void WriteKey(Span<byte> key, long number, long offset)
    {
        BinaryPrimitives.WriteInt64BigEndian(key, number);
        BinaryPrimitives.WriteInt64BigEndian(key[sizeof(long)..], offset);
    }

    [DoesNotReturn]
    private static void ThrowDamaged(long number, string what) =>
        throw Damage.Of($"stream {number} {what}");
}
