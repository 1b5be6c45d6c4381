using Raven.Search.Analysis;
using Raven.Search.Buffers;
using Raven.Search.Fields;
using Raven.Search.Vectors;

namespace Raven.Search.Segments;

/// <summary>Collects the entries of a batch in memory, and writes them as a segment. The next batch reuses the memory.
/// An entry is live unless a later change of the same batch deleted it.</summary>
/// <param name="partBytesMax">From how many bytes on a merge writes the records of vectors in parts.</param>
internal sealed class BatchBuilder(long partBytesMax)
{
    private readonly TokenBuffer _tokens = new();
    private readonly TermSorter _sorter = new();
    private readonly FieldWriter _writer = new();
    private readonly ByteBuffer _stored = new();
    private readonly ByteBuffer _storedBlob = new();
    private readonly VectorWriter _vectorWriter = new(partBytesMax);
    private byte[] _term = new byte[TermCode.SizeBytesMax];
    private FieldBuilder?[] _fields = [];
    private VectorBuilder?[] _vectors = [];
    private int[] _nextPositions = [];
    private int[] _lengths = [];
    private int[] _touched = [];
    private int _touchedCount;
    private int[] _storedStarts = new int[64];

    // The number of an entry in the segment: -1 if it is dead, otherwise 0 until the segment is written.
    private int[] _numbers = new int[64];

    // The entries of a document are a list: from the number of its id to the newest entry, from there to earlier ones.
    private int[] _newestOfId = new int[64];
    private int[] _previousOfId = new int[64];
    private int _idCount;
    private int _dead;

    internal int EntryCount { get; private set; }

    internal int LiveCount => EntryCount - _dead;

    internal long SizeInBytes
    {
        get
        {
            long size = _stored.Length + (EntryCount * 12L);
            foreach (FieldBuilder? builder in _fields)
            {
                size += builder?.SizeInBytes ?? 0;
            }

            foreach (VectorBuilder? builder in _vectors)
            {
                size += builder?.SizeInBytes ?? 0;
            }

            return size;
        }
    }

    internal void Clear()
    {
        foreach (FieldBuilder? field in _fields)
        {
            field?.Clear();
        }

        foreach (VectorBuilder? field in _vectors)
        {
            field?.Clear();
        }

        _vectorWriter.Trim();
        _writer.Trim();
        TermCode.Trim(ref _term);

        // An entry that was begun and not ended has left counts, which are reset.
        for (int i = 0; i < _touchedCount; i++)
        {
            _nextPositions[_touched[i]] = 0;
            _lengths[_touched[i]] = 0;
        }

        EntryCount = 0;
        _dead = 0;
        _idCount = 0;
        _touchedCount = 0;
        _stored.Clear();
        _stored.Trim(16 << 20);
    }

    internal void BeginEntry(IndexField idField, ReadOnlySpan<byte> id)
    {
        if (EntryCount == _numbers.Length)
        {
            Array.Resize(ref _numbers, EntryCount * 2);
            Array.Resize(ref _previousOfId, EntryCount * 2);
            Array.Resize(ref _storedStarts, EntryCount * 2);
        }

        _storedStarts[EntryCount] = _stored.Length;
        _numbers[EntryCount] = 0;
        int length = TermCode.WriteText(_term, id);
        int number = BuilderOf(idField).Add(EntryCount, _term.AsSpan(0, length), 0);
        if (number == _newestOfId.Length)
        {
            Array.Resize(ref _newestOfId, number * 2);
        }

        _previousOfId[EntryCount] = number == _idCount ? -1 : _newestOfId[number];
        _idCount = Math.Max(_idCount, number + 1);
        _newestOfId[number] = EntryCount;
    }

    internal void EndEntry()
    {
        for (int i = 0; i < _touchedCount; i++)
        {
            int field = _touched[i];
            _fields[field]!.SetLength(EntryCount, _lengths[field]);
            _nextPositions[field] = 0;
            _lengths[field] = 0;
        }

        _touchedCount = 0;
        EntryCount++;
    }

    /// <summary>Adds a text, in the way that the field defines.</summary>
    internal void AddText(IndexField field, ReadOnlySpan<byte> text)
    {
        FieldBuilder builder = BuilderOf(field);
        int number = field.Number;
        _tokens.Clear();
        if (field.Kind == FieldKind.Exact)
        {
            field.Analyzer.Analyze(text, _tokens, 0);
            foreach (ref readonly Token token in _tokens.Tokens)
            {
                builder.Add(
                    EntryCount, TermCode.WriteText(ref _term, _tokens.Term(token), field.KeepsWholeTexts), 0);
            }

            return;
        }

        if (_lengths[number] == 0 && _nextPositions[number] == 0)
        {
            _touched[_touchedCount++] = number;
        }

        // A gap between two values of a field: a phrase does not match across them.
        const int Gap = 100;
        int start = _nextPositions[number] == 0 ? 0 : _nextPositions[number] + Gap;
        _nextPositions[number] = field.Analyzer.Analyze(text, _tokens, start);
        _nextPositions[number] = Math.Max(_nextPositions[number], 1);
        _lengths[number] += _tokens.Count;
        if (_tokens.Count == 0)
        {
            // A text without words is a value of the field too. Only an empty text equals the empty text, so that the
            // others get a term that no query text has.
            builder.Add(EntryCount, [text.IsEmpty ? TermCode.Text : TermCode.Wordless], start);
        }

        foreach (ref readonly Token token in _tokens.Tokens)
        {
            builder.Add(
                EntryCount,
                TermCode.WriteText(ref _term, _tokens.Term(token), field.KeepsWholeTexts),
                token.Position);
        }
    }

    /// <summary>Adds a value that is no text.</summary>
    internal void AddTerm(IndexField field, ReadOnlySpan<byte> term) => BuilderOf(field).Add(EntryCount, term, 0);

    /// <summary>Adds a vector to the entry, and returns the memory to write it to.</summary>
    internal Span<byte> AddVector(IndexField field, int dimensions)
    {
        if (field.Number >= _vectors.Length)
        {
            Array.Resize(ref _vectors, field.Number + 8);
        }

        return (_vectors[field.Number] ??= new VectorBuilder()).Add(EntryCount, field.VectorFormat, dimensions);
    }

    /// <summary>Whether a live entry, or the entry that was begun and not ended, has a vector.</summary>
    internal bool HasLiveVectors(IndexField field) =>
        field.Number < _vectors.Length && _vectors[field.Number] is { } builder
        && builder.HasLive(_numbers.AsSpan(0, Math.Min(_numbers.Length, EntryCount + 1)));

    /// <summary>Drops the vectors of a field. All of them must belong to dead entries.</summary>
    internal void ClearVectors(IndexField field)
    {
        if (field.Number < _vectors.Length)
        {
            _vectors[field.Number]?.Clear();
        }
    }

    internal void SetStored(ReadOnlySpan<byte> bytes) => _stored.Add(bytes);

    /// <summary>Marks the entries of a document as dead, if the batch has any.</summary>
    internal void Delete(ReadOnlySpan<byte> id)
    {
        if (EntryCount == 0)
        {
            return;
        }

        int length = TermCode.WriteText(_term, id);
        int number = _fields[IndexNames.IdField]!.Terms.Find(_term.AsSpan(0, length));
        for (int entry = number < 0 ? -1 : _newestOfId[number]; entry >= 0 && _numbers[entry] == 0;)
        {
            _numbers[entry] = -1;
            _dead++;
            entry = _previousOfId[entry];
        }
    }

    /// <summary>Whether the last entry belongs to a document, and is live.</summary>
    internal bool IsLastOf(ReadOnlySpan<byte> id)
    {
        if (EntryCount == 0 || _numbers[EntryCount - 1] != 0)
        {
            return false;
        }

        int length = TermCode.WriteText(_term, id);
        int number = _fields[IndexNames.IdField]!.Terms.Find(_term.AsSpan(0, length));
        return number >= 0 && _newestOfId[number] == EntryCount - 1;
    }

    /// <summary>Writes the live entries as a segment; no segment if there are none.</summary>
    internal void Write(SegmentStore store)
    {
        int live = 0;
        for (int entry = 0; entry < EntryCount; entry++)
        {
            _numbers[entry] = _numbers[entry] < 0 ? -1 : live++;
        }

        if (live == 0)
        {
            return;
        }

        int segment = store.TakeSegmentId();
        var header = new SegmentHeader { EntryCount = live };
        ReadOnlySpan<int> numbers = _numbers.AsSpan(0, EntryCount);
        for (int field = 0; field < _fields.Length; field++)
        {
            if (_fields[field] is { IsEmpty: false } builder)
            {
                builder.Write(EntryCount, numbers, live, _sorter, _writer);
                if (!_writer.IsEmpty)
                {
                    header.LargestFieldBytes = Math.Max(header.LargestFieldBytes, _writer.Blob.Length);
                    store.PutContent(segment, field, _writer.Blob);
                }
            }
        }

        for (int field = 0; field < _vectors.Length; field++)
        {
            if (_vectors[field] is { IsEmpty: false } builder && builder.Write(numbers, _vectorWriter))
            {
                header.LargestFieldBytes = Math.Max(header.LargestFieldBytes, _vectorWriter.SizeForMerges);
                store.PutContent(segment, field, _vectorWriter.Blob);
            }
        }

        if (_stored.Length > 0)
        {
            WriteStored(numbers);
            header.LargestFieldBytes = Math.Max(header.LargestFieldBytes, _storedBlob.Length);
            store.PutContent(segment, IndexNames.StoredBytes, _storedBlob.Span);
        }

        store.PutHeader(segment, header);
    }

    private void WriteStored(ReadOnlySpan<int> numbers)
    {
        _storedBlob.Clear();
        int at = 0;
        _storedBlob.AddUInt32(0);
        for (int entry = 0; entry < EntryCount; entry++)
        {
            if (numbers[entry] >= 0)
            {
                at += EndOfStored(entry) - _storedStarts[entry];
                _storedBlob.AddUInt32((uint)at);
            }
        }

        for (int entry = 0; entry < EntryCount; entry++)
        {
            if (numbers[entry] >= 0)
            {
                _storedBlob.Add(_stored.Span[_storedStarts[entry]..EndOfStored(entry)]);
            }
        }
    }

    private int EndOfStored(int entry) => entry + 1 < EntryCount ? _storedStarts[entry + 1] : _stored.Length;

    private FieldBuilder BuilderOf(IndexField field)
    {
        int number = field.Number;
        if (number >= _fields.Length)
        {
            Array.Resize(ref _fields, number + 8);
            Array.Resize(ref _nextPositions, number + 8);
            Array.Resize(ref _lengths, number + 8);
            Array.Resize(ref _touched, number + 8);
        }

        return _fields[number] ??= new FieldBuilder(field.Kind == FieldKind.FullText);
    }
}
