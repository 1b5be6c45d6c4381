using System.Runtime.CompilerServices;
using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Search.Similarities;
using Lucene.Net.Util;
using Raven.Search.Queries;
using OfLucene = Lucene.Net.Index.IndexReader;

namespace Raven.Search.Lucene.Engine.Queries;

/// <summary>
/// BM25 by the formula of our own engine, of what Lucene counts: the frequency of a term in an entry, the entries that
/// have it, and the lengths of texts. A phrase is scored like a term with the frequency of its rarest word.
/// </summary>
internal sealed class TextSimilarity : Similarity
{
    private static readonly ConditionalWeakTable<object, Dictionary<string, TextLengths>> Known = [];

    private readonly OfLucene _reader;

    internal TextSimilarity(OfLucene reader) => _reader = reader;

    /// <inheritdoc/>
    public override long ComputeNorm(FieldInvertState state) =>
        throw new NotSupportedException("The lengths of texts are values of their own.");

    /// <inheritdoc/>
    public override SimWeight ComputeWeight(
        float queryBoost, CollectionStatistics collectionStats, params TermStatistics[] termStats)
    {
        long rarest = long.MaxValue;
        foreach (TermStatistics term in termStats)
        {
            rarest = Math.Min(rarest, term.DocFreq);
        }

        // The name of a field of Lucene begins with two characters of ours.
        string lengths = "l " + collectionStats.Field[2..];
        return new Weight(queryBoost, collectionStats.MaxDoc, rarest, AverageOf(lengths), lengths);
    }

    /// <inheritdoc/>
    public override SimScorer GetSimScorer(SimWeight weight, AtomicReaderContext context) =>
        new Scorer(((Weight)weight).Scorer, LengthsOf(context.AtomicReader, ((Weight)weight).Lengths).Codes);

    private double AverageOf(string lengths)
    {
        long words = 0;
        long entries = 0;
        foreach (AtomicReaderContext leaf in _reader.Leaves)
        {
            TextLengths one = LengthsOf(leaf.AtomicReader, lengths);
            words += one.Words;
            entries += one.Entries;
        }

        return entries == 0 ? 0 : (double)words / entries;
    }

    /// <summary>The lengths of a segment's texts, which never change: read once, as long as it is open.</summary>
    private static TextLengths LengthsOf(AtomicReader segment, string lengths)
    {
        Dictionary<string, TextLengths> known = Known.GetOrCreateValue(segment.CoreCacheKey);
        lock (known)
        {
            if (!known.TryGetValue(lengths, out TextLengths? read))
            {
                known[lengths] = read = TextLengths.Read(segment, lengths);
            }

            return read;
        }
    }

    private sealed class Weight : SimWeight
    {
        private readonly float _boost;
        private readonly long _entries;
        private readonly long _rarest;
        private readonly double _average;

        internal Weight(float boost, long entries, long rarest, double average, string lengths)
        {
            _boost = boost;
            _entries = entries;
            _rarest = rarest;
            _average = average;
            Lengths = lengths;
        }

        internal string Lengths { get; }

        internal TermScorer Scorer { get; } = new();

        /// <inheritdoc/>
        public override float GetValueForNormalization() => 1;

        /// <inheritdoc/>
        public override void Normalize(float queryNorm, float topLevelBoost) =>
            Scorer.Open(_boost * topLevelBoost, _entries, _rarest, _average);
    }

    private sealed class Scorer(TermScorer scorer, byte[] codes) : SimScorer
    {
        /// <inheritdoc/>
        public override float Score(int doc, float freq) =>
            scorer.Score(freq, doc < codes.Length ? codes[doc] : (byte)0);

        /// <summary>Each place of a phrase counts as one, however far its words are apart.</summary>
        public override float ComputeSlopFactor(int distance) => 1;

        /// <inheritdoc/>
        public override float ComputePayloadFactor(int doc, int start, int end, BytesRef payload) => 1;
    }
}
