using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;
using Raven.Search.Lucene.Engine.Fields;

namespace Raven.Search.Lucene.Engine.Queries;

/// <summary>The entries that have any value of a field: those for which Lucene has values of it.</summary>
internal sealed class ExistsFilter(string values, SearchCounts counts, CancellationToken cancellation) : Filter
{
    /// <inheritdoc/>
    public override DocIdSet? GetDocIdSet(AtomicReaderContext context, IBits acceptDocs)
    {
        cancellation.ThrowIfCancellationRequested();
        AtomicReader segment = context.AtomicReader;
        if (segment.FieldInfos.FieldInfo(values) is null || segment.GetDocsWithField(values) is not { } has)
        {
            return null;
        }

        FixedBitSet found = new(segment.MaxDoc);
        for (int entry = 0; entry < segment.MaxDoc; entry++)
        {
            if (has.Get(entry) && acceptDocs?.Get(entry) != false)
            {
                found.Set(entry);
                counts.Entries++;
            }
        }

        return found;
    }
}

/// <summary>
/// The entries that meet the first of some conditions, of documents that have an entry for each of the others. All
/// entries of a document are neighbours in one segment (DOC-1).
/// </summary>
internal sealed class IntersectionFilter(List<Query> conditions, CancellationToken cancellation) : Filter
{
    /// <inheritdoc/>
    public override DocIdSet? GetDocIdSet(AtomicReaderContext context, IBits acceptDocs)
    {
        AtomicReader segment = context.AtomicReader;
        SortedDocValues ids = segment.GetSortedDocValues(LuceneNames.Id);
        FixedBitSet? found = null;
        FixedBitSet? documents = null;
        foreach (Query condition in conditions)
        {
            cancellation.ThrowIfCancellationRequested();
            if (new QueryWrapperFilter(condition).GetDocIdSet(context, acceptDocs)?.GetIterator() is not { } entries)
            {
                return null;
            }

            FixedBitSet narrowed = new(ids.ValueCount);
            FixedBitSet met = new(segment.MaxDoc);
            for (int entry = entries.NextDoc(); entry != DocIdSetIterator.NO_MORE_DOCS; entry = entries.NextDoc())
            {
                met.Set(entry);
                int document = ids.GetOrd(entry);
                if (documents?.Get(document) != false)
                {
                    narrowed.Set(document);
                }
            }

            found ??= met;
            documents = narrowed;
        }

        for (int entry = found!.NextSetBit(0); entry >= 0;
            entry = entry + 1 < segment.MaxDoc ? found.NextSetBit(entry + 1) : -1)
        {
            if (!documents!.Get(ids.GetOrd(entry)))
            {
                found.Clear(entry);
            }
        }

        return found;
    }
}
