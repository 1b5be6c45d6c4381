using System.Numerics;

namespace Raven.Search.Segments;

/// <summary>
/// Makes one segment of several, without the deleted entries. Segments are of the same tier when their live entries
/// have the same power of eight; eight of a tier are merged, so that an entry is written again once a tier.
/// </summary>
internal sealed class SegmentMerger
{
    private const int SegmentsPerMerge = 8;
    private const int SmallestTierEntriesMax = 64;

    /// <summary>A blob is one run of pages, of at most 534 MB; larger segments are left as they are.</summary>
    private const long FieldBytesMax = 256L << 20;

    private readonly List<MergeSource> _sources = [];
    private readonly List<SegmentReader> _chosen = [];
    private readonly FieldWriter _writer = new();
    private readonly ByteBuffer _stored = new();
    private readonly byte[] _term = new byte[TermCode.SizeBytesMax];
    private byte[] _norms = [];

    /// <summary>Chooses what to merge.</summary>
    /// <returns>False where nothing is worth it.</returns>
    internal bool Choose(SegmentList segments)
    {
        for (int tier = 0; tier < 12; tier++)
        {
            _chosen.Clear();
            long bytes = 0;
            for (int i = 0; i < segments.Count && _chosen.Count < SegmentsPerMerge; i++)
            {
                SegmentReader segment = segments[i];
                if (TierOf(segment) == tier && bytes + segment.LargestFieldBytes <= FieldBytesMax)
                {
                    _chosen.Add(segment);
                    bytes += segment.LargestFieldBytes;
                }
            }

            if (_chosen.Count == SegmentsPerMerge)
            {
                return true;
            }
        }

        return ChooseHollow(segments);
    }

    /// <summary>Chooses all segments.</summary>
    internal bool ChooseAll(SegmentList segments)
    {
        _chosen.Clear();
        long bytes = 0;
        for (int i = 0; i < segments.Count; i++)
        {
            bytes += segments[i].LargestFieldBytes;
            if (bytes <= FieldBytesMax)
            {
                _chosen.Add(segments[i]);
            }
        }

        return _chosen.Count > 1 || (_chosen.Count == 1 && _chosen[0].DeletedCount > 0);
    }

    /// <summary>Merges what was chosen.</summary>
    internal void Run(SegmentStore store, int fieldCount)
    {
        int live = 0;
        for (int i = 0; i < _chosen.Count; i++)
        {
            if (i == _sources.Count)
            {
                _sources.Add(new MergeSource());
            }

            live = _sources[i].Open(_chosen[i], live);
        }

        if (live > 0)
        {
            int segment = store.TakeSegmentId();
            var header = new SegmentHeader { EntryCount = live };
            for (int field = 0; field < fieldCount; field++)
            {
                if (MergeField(field, live))
                {
                    header.LargestFieldBytes = Math.Max(header.LargestFieldBytes, _writer.Blob.Length);
                    store.PutContent(segment, field, _writer.Blob);
                }
            }

            if (MergeStored())
            {
                header.LargestFieldBytes = Math.Max(header.LargestFieldBytes, _stored.Length);
                store.PutContent(segment, IndexNames.StoredBytes, _stored.Span);
            }

            store.PutHeader(segment, header);
        }

        foreach (SegmentReader segment in _chosen)
        {
            store.RemoveSegment(segment.Id);
        }

        _chosen.Clear();
    }

    private static int TierOf(SegmentReader segment) =>
        BitOperations.Log2((uint)Math.Max(segment.LiveCount / SmallestTierEntriesMax, 1)) / 3;

    /// <summary>A segment that is mostly deleted is written again alone.</summary>
    private bool ChooseHollow(SegmentList segments)
    {
        _chosen.Clear();
        for (int i = 0; i < segments.Count; i++)
        {
            if (segments[i].DeletedCount * 2L > segments[i].EntryCount)
            {
                _chosen.Add(segments[i]);
                return true;
            }
        }

        return false;
    }

    private bool MergeField(int field, int live)
    {
        long words = 0;
        FieldParts parts = FieldParts.None;
        for (int i = 0; i < _chosen.Count; i++)
        {
            _sources[i].OpenField(field);
            if (_sources[i].Field is { } reader)
            {
                parts = reader.HasWords ? FieldParts.Words : FieldParts.Column;
                words += reader.WordCount * _chosen[i].LiveCount / _chosen[i].EntryCount;
            }
        }

        if (parts == FieldParts.None)
        {
            return false;
        }

        if (parts == FieldParts.Words)
        {
            MergeNorms(live);
        }

        _writer.Begin(live, parts, _norms, words);
        while (FindLeastTerm() is { } least)
        {
            int length = least.Term.Length;
            least.Term.CopyTo(_term);
            ReadOnlySpan<byte> term = _term.AsSpan(0, length);
            _writer.BeginTerm(term);
            for (int i = 0; i < _chosen.Count; i++)
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

    private MergeSource? FindLeastTerm()
    {
        MergeSource? least = null;
        for (int i = 0; i < _chosen.Count; i++)
        {
            MergeSource source = _sources[i];
            if (source.HasTerm && (least is null || source.Term.SequenceCompareTo(least.Term) < 0))
            {
                least = source;
            }
        }

        return least;
    }

    private void MergeNorms(int live)
    {
        if (_norms.Length < live)
        {
            _norms = new byte[live];
        }

        Array.Clear(_norms);
        for (int i = 0; i < _chosen.Count; i++)
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

    private bool MergeStored()
    {
        _stored.Clear();
        int at = 0;
        _stored.AddUInt32(0);
        for (int i = 0; i < _chosen.Count; i++)
        {
            ReadOnlySpan<int> numbers = _sources[i].Numbers;
            for (int entry = 0; entry < numbers.Length; entry++)
            {
                if (numbers[entry] >= 0)
                {
                    at = checked(at + _chosen[i].StoredBytes(entry).Length);
                    _stored.AddUInt32((uint)at);
                }
            }
        }

        for (int i = 0; i < _chosen.Count && at > 0; i++)
        {
            ReadOnlySpan<int> numbers = _sources[i].Numbers;
            for (int entry = 0; entry < numbers.Length; entry++)
            {
                if (numbers[entry] >= 0)
                {
                    _stored.Add(_chosen[i].StoredBytes(entry).Span);
                }
            }
        }

        return at > 0;
    }
}
