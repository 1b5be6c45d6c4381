using Raven.Search.Buffers;
using Raven.Search.Fields;
using Raven.Search.Vectors;

namespace Raven.Search.Segments;

/// <summary>
/// Makes one segment of several, without the deleted entries, a field at a time. It reads its sources again for each
/// field, so that they may come from different snapshots; which entries are live is fixed when it begins.
/// </summary>
/// <param name="partBytesMax">From how many bytes on the records of a field's vectors are in parts.</param>
internal sealed class SegmentMerger(long partBytesMax)
{
    private readonly List<MergeSource> _sources = [];
    private readonly FieldWriter _writer = new();
    private readonly VectorWriter _vectors = new(partBytesMax);
    private readonly ByteBuffer _stored = new();
    private byte[] _term = new byte[TermCode.SizeBytesMax];
    private byte[] _norms = [];
    private bool _isOfVectors;
    private int _count;
    private int _partSource;
    private int _partVector;

    /// <summary>Entries of the new segment.</summary>
    internal int LiveCount { get; private set; }

    /// <summary>How many segments are merged.</summary>
    internal int SourceCount => _count;

    /// <summary>The field that was merged last, in its disk format.</summary>
    internal ReadOnlySpan<byte> FieldBlob => _isOfVectors ? _vectors.Blob : _writer.Blob;

    /// <summary>The size of that field, as it counts when segments are chosen to be merged.</summary>
    internal long FieldSize => _isOfVectors ? _vectors.SizeForMerges : _writer.Blob.Length;

    /// <summary>How many parts that field has besides (<see cref="MergePart"/>).</summary>
    internal int PartCount => _isOfVectors ? _vectors.PartCount : 0;

    /// <summary>The stored bytes of all entries, in their disk format.</summary>
    internal ReadOnlySpan<byte> StoredBlob => _stored.Span;

    /// <summary>Begins: gives the live entries their new numbers.</summary>
    internal void Begin(IReadOnlyList<SegmentReader> chosen)
    {
        LiveCount = 0;
        _count = chosen.Count;
        for (int i = 0; i < _count; i++)
        {
            if (i == _sources.Count)
            {
                _sources.Add(new MergeSource());
            }

            LiveCount = _sources[i].Open(chosen[i], LiveCount);
        }
    }

    /// <summary>One of the segments that are merged.</summary>
    internal MergeSource Source(int index) => _sources[index];

    /// <summary>Merges the chosen segments in one transaction.</summary>
    internal void Run(SegmentStore store, int fieldCount)
    {
        if (LiveCount > 0)
        {
            int segment = store.TakeSegmentId();
            var header = new SegmentHeader { EntryCount = LiveCount };
            for (int field = 0; field < fieldCount; field++)
            {
                if (MergeField(field))
                {
                    header.LargestFieldBytes = Math.Max(header.LargestFieldBytes, FieldSize);
                    store.PutContent(segment, field, FieldBlob);
                    for (int part = 0; part < PartCount; part++)
                    {
                        MergePart(field);
                        store.PutPart(segment, field, IndexNames.FirstRecordsPart + part, FieldBlob);
                    }
                }
            }

            if (MergeStored())
            {
                header.LargestFieldBytes = Math.Max(header.LargestFieldBytes, _stored.Length);
                store.PutContent(segment, IndexNames.StoredBytes, _stored.Span);
            }

            store.PutHeader(segment, header);
        }

        for (int i = 0; i < _count; i++)
        {
            store.RemoveSegment(_sources[i].SegmentId);
        }
    }

    /// <summary>Merges a field into <see cref="FieldBlob"/>; false if no entry has it.</summary>
    internal bool MergeField(int field)
    {
        _isOfVectors = MergeVectors(field);
        if (_isOfVectors)
        {
            return true;
        }

        long words = 0;
        FieldParts parts = FieldParts.None;
        for (int i = 0; i < _count; i++)
        {
            _sources[i].OpenField(field);
            if (_sources[i].Field is { } reader)
            {
                parts = reader.HasWords ? FieldParts.Words : FieldParts.Column;
                words += reader.WordCount * _sources[i].LiveCount / Math.Max(1, _sources[i].Segment.EntryCount);
            }
        }

        if (parts == FieldParts.None)
        {
            return false;
        }

        if (parts == FieldParts.Words)
        {
            MergeNorms();
        }

        _writer.Begin(LiveCount, parts, _norms, words);
        while (FindLeastTerm() is { } least)
        {
            ReadOnlySpan<byte> term = TermCode.Copy(least.Term, ref _term);
            _writer.BeginTerm(term);
            for (int i = 0; i < _count; i++)
            {
                if (_sources[i].HasTerm && _sources[i].Term.SequenceEqual(term))
                {
                    _sources[i].CopyTerm(_writer);
                    _sources[i].NextTerm();
                }
            }

            _writer.EndTerm();
        }

        _writer.Finish();
        return !_writer.IsEmpty;
    }

    /// <summary>Frees the memory of a large field.</summary>
    internal void Trim()
    {
        _vectors.Trim();
        _writer.Trim();
        TermCode.Trim(ref _term);
    }

    /// <summary>Merges the vectors of a field; false if no entry has any.</summary>
    private bool MergeVectors(int field)
    {
        int count = 0;
        VectorReader? any = null;
        for (int i = 0; i < _count; i++)
        {
            if (_sources[i].Segment.TryGetVectors(field) is { } vectors)
            {
                int before = count;
                ReadOnlySpan<int> numbers = _sources[i].Numbers;
                foreach (int entry in vectors.Entries)
                {
                    count += numbers[entry] >= 0 ? 1 : 0;
                }

                // If no entry is live they may have other dimensions.
                any = count > before ? vectors : any;
            }
        }

        if (count == 0)
        {
            return false;
        }

        _vectors.Begin(any!.Format, any.Dimensions, count, mayHaveParts: true);
        for (int i = 0; i < _count; i++)
        {
            if (_sources[i].Segment.TryGetVectors(field) is { } vectors)
            {
                CopyVectors(vectors, _sources[i].Numbers);
            }
        }

        _vectors.Finish();
        _partSource = 0;
        _partVector = 0;
        return true;
    }

    /// <summary>Merges the next part of the field that was merged last, into <see cref="FieldBlob"/>.</summary>
    internal void MergePart(int field)
    {
        _vectors.BeginPart();
        int left = _vectors.RecordsPerPart;
        for (; _partSource < _count; _partSource++, _partVector = 0)
        {
            if (_sources[_partSource].Segment.TryGetVectors(field) is not { } vectors)
            {
                continue;
            }

            ReadOnlySpan<int> entries = vectors.Entries;
            ReadOnlySpan<int> numbers = _sources[_partSource].Numbers;
            for (; _partVector < entries.Length; _partVector++)
            {
                if (numbers[entries[_partVector]] < 0)
                {
                    continue;
                }

                if (left-- == 0)
                {
                    return;
                }

                _vectors.AddToPart(vectors.Record(_partVector));
            }
        }
    }

    private void CopyVectors(VectorReader vectors, ReadOnlySpan<int> numbers)
    {
        ReadOnlySpan<int> entries = vectors.Entries;
        bool areInParts = _vectors.PartCount > 0;
        for (int i = 0; i < entries.Length; i++)
        {
            if (numbers[entries[i]] < 0)
            {
                continue;
            }

            if (areInParts)
            {
                _vectors.Add(numbers[entries[i]]);
            }
            else
            {
                _vectors.Add(numbers[entries[i]], vectors.Record(i));
            }
        }
    }

    private MergeSource? FindLeastTerm()
    {
        MergeSource? least = null;
        for (int i = 0; i < _count; i++)
        {
            MergeSource source = _sources[i];
            if (source.HasTerm && (least is null || source.Term.SequenceCompareTo(least.Term) < 0))
            {
                least = source;
            }
        }

        return least;
    }

    private void MergeNorms()
    {
        if (_norms.Length < LiveCount)
        {
            _norms = new byte[LiveCount];
        }

        Array.Clear(_norms);
        for (int i = 0; i < _count; i++)
        {
            if (_sources[i].Field is { } field)
            {
                ReadOnlySpan<int> numbers = _sources[i].Numbers;
                ReadOnlySpan<byte> norms = field.Norms;
                for (int entry = 0; entry < numbers.Length; entry++)
                {
                    if (numbers[entry] >= 0)
                    {
                        _norms[numbers[entry]] = norms[entry];
                    }
                }
            }
        }
    }

    /// <summary>Merges the stored bytes into <see cref="StoredBlob"/>; false if there are none.</summary>
    internal bool MergeStored()
    {
        _stored.Clear();
        int at = 0;
        _stored.AddUInt32(0);
        for (int i = 0; i < _count; i++)
        {
            ReadOnlySpan<int> numbers = _sources[i].Numbers;
            for (int entry = 0; entry < numbers.Length; entry++)
            {
                if (numbers[entry] >= 0)
                {
                    at = checked(at + _sources[i].Segment.StoredBytes(entry).Length);
                    _stored.AddUInt32((uint)at);
                }
            }
        }

        for (int i = 0; i < _count && at > 0; i++)
        {
            ReadOnlySpan<int> numbers = _sources[i].Numbers;
            for (int entry = 0; entry < numbers.Length; entry++)
            {
                if (numbers[entry] >= 0)
                {
                    _stored.Add(_sources[i].Segment.StoredBytes(entry).Span);
                }
            }
        }

        return at > 0;
    }
}
