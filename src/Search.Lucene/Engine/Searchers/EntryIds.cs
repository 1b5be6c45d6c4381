using Lucene.Net.Index;
using Lucene.Net.Util;
using Raven.Search.Lucene.Engine.Fields;

namespace Raven.Search.Lucene.Engine.Searchers;

/// <summary>The ids of the documents of a segment's entries, as they are read for an answer.</summary>
internal sealed class EntryIds(AtomicReader segment)
{
    private readonly BinaryDocValues? _ids = segment.GetBinaryDocValues(LuceneNames.IdBytes);
    private readonly BytesRef _bytes = new();
    private SortedDocValues? _terms;

    /// <summary>The id of an entry; valid until the next call.</summary>
    internal ReadOnlySpan<byte> IdOf(int entry)
    {
        _bytes.Length = 0;
        _ids?.Get(entry, _bytes);
        if (_bytes.Length == 0)
        {
            // Written before ids were kept as bytes; perhaps merged with entries that have them.
            _terms ??= segment.GetSortedDocValues(LuceneNames.Id);
            _terms.Get(entry, _bytes);
        }

        return _bytes.AsSpan()[1..];
    }
}
