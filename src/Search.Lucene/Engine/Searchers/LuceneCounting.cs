using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;
using Raven.Search.Lucene.Engine.Files;
using Raven.Search.Lucene.Engine.Queries;
using Raven.Search.Queries;
using Raven.Search.Searchers;
using Raven.Search.Segments;
using OfLucene = Lucene.Net.Search.IndexSearcher;

namespace Raven.Search.Lucene.Engine.Searchers;

/// <summary>Counts values over an index of Lucene. See <see cref="FacetSearcher"/>.</summary>
internal sealed class LuceneCounting : EntryCounting
{
    /// <inheritdoc/>
    internal override IReadOnlyList<IReadOnlyList<FacetValue>> Run(
        IndexReader snapshot, SearchQuery query, int root, IReadOnlyList<FacetField> fields,
        CancellationToken cancellation)
    {
        var lucene = (ILuceneSnapshot)snapshot;
        try
        {
            using (lucene.Enter())
            {
                LuceneFacet[] facets =
                [
                    .. fields.Select(field => new LuceneFacet(
                        lucene.FindField(field.Field), field.Field.Length == 0,
                        lucene.FindField(field.AggregatedField), field.AggregatedField.Length > 0)),
                ];
                LuceneCompiler compiler = new(
                    query, lucene.Reader, lucene.FindField, lucene.HasLengthsOfTime, cancellation);
                Counts counts = new(facets, cancellation);
                new OfLucene(lucene.Reader).Search(compiler.Compile(root), counts);
                counts.EndSegment();
                return [.. facets.Select(facet => facet.ToList())];
            }
        }
        catch (Exception failure) when (LuceneDamage.IsIt(failure))
        {
            throw LuceneDamage.Of(failure);
        }
    }

    /// <summary>The entries of a segment that a query finds; counted behind its last one.</summary>
    private sealed class Counts(LuceneFacet[] facets, CancellationToken cancellation) : ICollector
    {
        private AtomicReader? _segment;
        private FixedBitSet? _found;
        private int _steps;

        /// <inheritdoc/>
        public bool AcceptsDocsOutOfOrder => true;

        /// <inheritdoc/>
        public void SetScorer(Scorer scorer)
        {
        }

        /// <inheritdoc/>
        public void SetNextReader(AtomicReaderContext context)
        {
            EndSegment();
            _segment = context.AtomicReader;
            _found = new FixedBitSet(_segment.MaxDoc);
        }

        /// <inheritdoc/>
        public void Collect(int doc)
        {
            TermCancellation.Step(_steps++, cancellation);
            _found!.Set(doc);
        }

        internal void EndSegment()
        {
            if (_segment is not null)
            {
                foreach (LuceneFacet facet in facets)
                {
                    facet.Add(_segment, _found!, cancellation);
                }
            }

            _segment = null;
        }
    }
}
