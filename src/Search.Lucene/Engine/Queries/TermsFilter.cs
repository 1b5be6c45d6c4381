using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;
using Raven.Search.Automata;
using Raven.Search.Lucene.Engine.Fields;
using Raven.Search.Segments;

namespace Raven.Search.Lucene.Engine.Queries;

/// <summary>The entries that have some terms of a field: those that a derived class walks to.</summary>
internal abstract class TermsFilter : Filter
{
    private readonly string _field;
    private readonly SearchCounts _counts;

    private protected TermsFilter(string field, SearchCounts counts, CancellationToken cancellation)
    {
        _field = field;
        _counts = counts;
        Cancellation = cancellation;
    }

    private protected CancellationToken Cancellation { get; }

    /// <inheritdoc/>
    public override DocIdSet? GetDocIdSet(AtomicReaderContext context, IBits acceptDocs)
    {
        if (context.AtomicReader.GetTerms(_field) is not { } terms)
        {
            return null;
        }

        Found found = new(context.AtomicReader.MaxDoc, acceptDocs, _counts, Cancellation);
        Walk(terms.GetEnumerator(), found);
        return found.Bits;
    }

    /// <summary>Moves to each term in turn, and adds it.</summary>
    private protected abstract void Walk(TermsEnum terms, Found found);

    /// <summary>Collects the entries of terms.</summary>
    private protected sealed class Found(
        int entryCount, IBits acceptDocs, SearchCounts counts, CancellationToken cancellation)
    {
        private DocsEnum? _docs;
        private int _steps;

        /// <summary>The entries; null if there are none.</summary>
        internal FixedBitSet? Bits { get; private set; }

        /// <summary>Called for each term that is looked at.</summary>
        internal void Step() => TermCancellation.Step(_steps++, cancellation);

        /// <summary>Adds the entries of the term that a cursor is at.</summary>
        internal void Add(TermsEnum terms)
        {
            Bits ??= new FixedBitSet(entryCount);
            counts.Terms++;
            counts.Entries += terms.DocFreq;
            _docs = terms.Docs(acceptDocs, _docs, DocsFlags.NONE);
            for (int doc = _docs.NextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = _docs.NextDoc())
            {
                Bits.Set(doc);
            }
        }
    }
}

/// <summary>The entries that have one of some given terms.</summary>
internal sealed class GivenTermsFilter(
    string field, List<BytesRef> given, SearchCounts counts, CancellationToken cancellation)
    : TermsFilter(field, counts, cancellation)
{
    private protected override void Walk(TermsEnum terms, Found found)
    {
        foreach (BytesRef term in given)
        {
            found.Step();
            if (terms.SeekExact(term))
            {
                found.Add(terms);
            }
        }
    }
}

/// <summary>Whether a term is one of those that are looked for.</summary>
internal delegate bool TermCheck(ReadOnlySpan<byte> term);

/// <summary>The entries that have a term with a beginning, of which a check accepts the whole.</summary>
internal sealed class CheckedTermsFilter(
    string field, byte[] prefix, TermCheck check, SearchCounts counts, CancellationToken cancellation)
    : TermsFilter(field, counts, cancellation)
{
    /// <summary>The first term that is looked at, if it is behind the beginning.</summary>
    internal byte[]? From { get; init; }

    private protected override void Walk(TermsEnum terms, Found found)
    {
        bool isAny = terms.SeekCeil(new BytesRef(From ?? prefix)) != TermsEnum.SeekStatus.END;
        for (; isAny; isAny = terms.MoveNext())
        {
            found.Step();
            ReadOnlySpan<byte> term = terms.Term.Bytes.AsSpan(terms.Term.Offset, terms.Term.Length);
            if (!term.StartsWith(prefix))
            {
                return;
            }

            if (check(term))
            {
                found.Add(terms);
            }
        }
    }
}

/// <summary>
/// The entries that have a term which an automaton accepts: a walk passes by the terms that it cannot.
/// </summary>
internal sealed class WalkedTermsFilter<TAutomaton, TState>(
    string field, byte[] from, TAutomaton automaton, SearchCounts counts, CancellationToken cancellation)
    : TermsFilter(field, counts, cancellation)
    where TAutomaton : struct, ITermAutomaton<TState>
    where TState : unmanaged
{
    /// <summary>Looks at what the automaton accepts once more; null if there is no need to.</summary>
    internal TermCheck? Check { get; init; }

    private protected override void Walk(TermsEnum terms, Found found)
    {
        LuceneTerms cursor = new(terms);
        bool isAny = cursor.SeekFirst(from);
        AutomatonWalk<TAutomaton, TState, LuceneTerms> walk = new();
        walk.Open(cursor, isAny, automaton, isWhole: true, Cancellation);
        while (walk.MoveNext())
        {
            if (Check is null || Check(walk.Term))
            {
                found.Add(terms);
            }
        }
    }
}

/// <summary>The entries that have a term between two bounds.</summary>
internal sealed class RangeFilter(
    string field, byte[] lower, bool includesLower, byte[] upper, bool includesUpper, SearchCounts counts,
    CancellationToken cancellation) : TermsFilter(field, counts, cancellation)
{
    private protected override void Walk(TermsEnum terms, Found found)
    {
        bool isAny = terms.SeekCeil(new BytesRef(lower)) != TermsEnum.SeekStatus.END;
        for (; isAny; isAny = terms.MoveNext())
        {
            found.Step();

            // A length of time has the place of the number of its ticks.
            ReadOnlySpan<byte> term = terms.Term.Bytes.AsSpan(terms.Term.Offset, terms.Term.Length);
            term = DurationCode.IsOne(term) ? term[..TermCode.NumberSize] : term;
            int toUpper = term.SequenceCompareTo(upper);
            if (toUpper > 0 || (toUpper == 0 && !includesUpper))
            {
                return;
            }

            if (includesLower || !term.SequenceEqual(lower))
            {
                found.Add(terms);
            }
        }
    }
}
