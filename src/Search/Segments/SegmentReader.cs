using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Search.Fields;
using Raven.Search.Vectors;
using Raven.Storage.Errors;
using Raven.Storage.Trees;

namespace Raven.Search.Segments;

/// <summary>
/// One segment in one snapshot: its fields, found on first use, and which of its entries are deleted. Reused by the
/// next reader.
/// </summary>
internal sealed class SegmentReader
{
    private FieldReader?[] _fields = [];
    private VectorReader?[] _vectors = [];
    private GraphReader?[] _graphs = [];
    private FieldState[] _graphStates = [];
    private FieldState[] _states = [];
    private Tree _content = null!;
    private FixedTree? _deleted;
    private NativeSlice _stored;
    private bool _isStoredKnown;

    private enum FieldState : byte
    {
        Unknown,
        Absent,
        Present,
        Vectors,
    }

    internal int Id { get; private set; }

    internal int EntryCount { get; private set; }

    internal int DeletedCount { get; private set; }

    internal long LargestFieldBytes { get; private set; }

    internal int LiveCount => EntryCount - DeletedCount;

    /// <summary>The offset that makes an entry's number one of the whole index.</summary>
    internal int FirstEntry { get; private set; }

    internal void Open(Tree content, FixedTree? deleted, int id, in SegmentHeader header, int firstEntry)
    {
        _content = content;
        _deleted = deleted;
        Id = id;
        EntryCount = header.EntryCount;
        DeletedCount = header.DeletedCount;
        LargestFieldBytes = header.LargestFieldBytes;
        FirstEntry = firstEntry;
        Array.Clear(_states);
        Array.Clear(_graphStates);
        _isStoredKnown = false;
    }

    /// <summary>A field of the segment, or null if no entry has it.</summary>
    internal FieldReader? TryGetField(int number) =>
        StateOf(number) == FieldState.Present ? _fields[number] : null;

    /// <summary>The vectors of a field of the segment, or null if no entry has any.</summary>
    internal VectorReader? TryGetVectors(int number) =>
        StateOf(number) == FieldState.Vectors ? _vectors[number] : null;

    /// <summary>The graph over the vectors of a field, or null if it has none.</summary>
    internal GraphReader? TryGetGraph(int number)
    {
        if (TryGetVectors(number) is not { } vectors)
        {
            return null;
        }

        if (number >= _graphs.Length)
        {
            Array.Resize(ref _graphs, number + 8);
            Array.Resize(ref _graphStates, number + 8);
        }

        if (_graphStates[number] == FieldState.Unknown)
        {
            _graphStates[number] = FieldState.Absent;
            if (TryGetPart(number, IndexNames.GraphPart, out NativeSlice blob))
            {
                (_graphs[number] ??= new GraphReader()).Attach(blob, vectors);
                _graphStates[number] = FieldState.Present;
            }
        }

        return _graphStates[number] == FieldState.Present ? _graphs[number] : null;
    }

    private FieldState StateOf(int number)
    {
        if (number >= _fields.Length)
        {
            Array.Resize(ref _fields, number + 8);
            Array.Resize(ref _vectors, number + 8);
            Array.Resize(ref _states, number + 8);
        }

        if (_states[number] == FieldState.Unknown)
        {
            Open(number);
        }

        return _states[number];
    }

    /// <summary>The bytes that were stored with an entry; empty if none were.</summary>
    internal NativeSlice StoredBytes(int entry)
    {
        if (!_isStoredKnown)
        {
            Span<byte> key = stackalloc byte[IndexNames.ContentKeySize];
            IndexNames.WriteContentKey(key, Id, IndexNames.StoredBytes);
            _stored = _content.TryGet(key, out NativeSlice blob) ? blob : default;
            _isStoredKnown = true;
        }

        if (_stored.IsEmpty)
        {
            return default;
        }

        int from = BitConverter.ToInt32(_stored.Span[(entry * 4)..]);
        int to = BitConverter.ToInt32(_stored.Span[((entry + 1) * 4)..]);
        return _stored.Slice(((EntryCount + 1) * 4) + from, to - from);
    }

    /// <summary>Which of a chunk's entries are deleted, one bit each; empty if none is.</summary>
    /// <param name="entry">The first entry of the chunk, a multiple of
    /// <see cref="IndexNames.DeletedChunkEntries"/>.</param>
    internal ReadOnlySpan<byte> DeletedChunk(int entry) =>
        DeletedCount > 0 && _deleted is not null
            && _deleted.TryGet(IndexNames.DeletedKey(Id, entry), out NativeSlice chunk)
            ? chunk.Span
            : default;

    internal bool IsDeleted(int entry)
    {
        ReadOnlySpan<byte> chunk = DeletedChunk(entry);
        int bit = entry % IndexNames.DeletedChunkEntries;
        return !chunk.IsEmpty && (chunk[bit >> 3] & (1 << (bit & 7))) != 0;
    }

    /// <summary>Clears the bits of deleted entries.</summary>
    /// <param name="start">The entry of the first bit, at the start of a chunk.</param>
    /// <param name="bits">One bit an entry; whole chunks.</param>
    internal void RemoveDeleted(int start, Span<ulong> bits)
    {
        const int ChunkWords = IndexNames.DeletedChunkEntries / 64;
        for (int word = 0; word < bits.Length && DeletedCount > 0; word += ChunkWords)
        {
            ReadOnlySpan<ulong> deleted = MemoryMarshal.Cast<byte, ulong>(DeletedChunk(start + (word * 64)));
            for (int i = 0; i < deleted.Length; i++)
            {
                bits[word + i] &= ~deleted[i];
            }
        }
    }

    private void Open(int number)
    {
        Span<byte> key = stackalloc byte[IndexNames.ContentKeySize];
        IndexNames.WriteContentKey(key, Id, number);
        if (_content.TryGet(key, out NativeSlice blob) && IsOfVectors(blob))
        {
            OpenVectors(number, blob);
            _states[number] = FieldState.Vectors;
        }
        else if (!blob.IsEmpty)
        {
            (_fields[number] ??= new FieldReader()).Attach(blob, EntryCount);
            _states[number] = FieldState.Present;
        }
        else
        {
            _states[number] = FieldState.Absent;
        }
    }

    private void OpenVectors(int number, NativeSlice blob)
    {
        VectorReader vectors = _vectors[number] ??= new VectorReader();
        vectors.Attach(blob);
        for (int part = 0; part < vectors.PartCount; part++)
        {
            if (!TryGetPart(number, IndexNames.FirstRecordsPart + part, out NativeSlice records))
            {
                throw new StorageCorruptedException("index", 0, $"part {part} of a field of vectors is not there");
            }

            vectors.AttachPart(part, records);
        }
    }

    private bool TryGetPart(int number, int part, out NativeSlice blob)
    {
        Span<byte> key = stackalloc byte[IndexNames.PartKeySize];
        IndexNames.WritePartKey(key, Id, number, part);
        return _content.TryGet(key, out blob);
    }

    private static bool IsOfVectors(NativeSlice blob) =>
        (MemoryMarshal.Read<FieldHeader>(blob.Span).Parts & FieldParts.Vectors) != 0;
}
