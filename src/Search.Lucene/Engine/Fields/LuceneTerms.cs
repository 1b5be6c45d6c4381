using Lucene.Net.Index;
using Lucene.Net.Util;
using Raven.Search.Automata;
using Raven.Search.Segments;

namespace Raven.Search.Lucene.Engine.Fields;

/// <summary>The terms of a field of Lucene, as a walk goes over them.</summary>
internal struct LuceneTerms : ITermCursor
{
    /// <summary>So many terms are gone over before a seek, which takes as long.</summary>
    private const int ScannedMax = 16;

    private readonly TermsEnum _terms;
    private readonly BytesRef _target = new(64);
    private byte[] _term = new byte[64];
    private int _length;

    /// <param name="terms">The cursor of Lucene, which stays on the term on which this is.</param>
    internal LuceneTerms(TermsEnum terms) => _terms = terms;

    /// <inheritdoc/>
    public readonly ReadOnlySpan<byte> Term => _term.AsSpan(0, _length);

    /// <inheritdoc/>
    public int Shared { get; private set; }

    /// <inheritdoc/>
    public bool MoveNext()
    {
        if (!_terms.MoveNext())
        {
            return false;
        }

        // Lucene has one buffer for all terms: what it was before is known by the copy.
        ReadOnlySpan<byte> term = _terms.Term.AsSpan();
        Shared = Term.CommonPrefixLength(term);
        Keep(term);
        return true;
    }

    /// <inheritdoc/>
    public bool SeekForward(ReadOnlySpan<byte> target)
    {
        for (int i = 0; i < ScannedMax; i++)
        {
            if (!_terms.MoveNext())
            {
                return false;
            }

            ReadOnlySpan<byte> term = _terms.Term.AsSpan();
            if (term.SequenceCompareTo(target) >= 0)
            {
                Keep(term);
                return true;
            }
        }

        return SeekFirst(target);
    }

    /// <summary>Goes to the first term that is not before a target, wherever it is.</summary>
    /// <returns>False if all terms are before the target.</returns>
    internal bool SeekFirst(ReadOnlySpan<byte> target)
    {
        TermCode.Grow(ref _term, target.Length);
        target.CopyTo(_term);
        _target.Bytes = _term;
        _target.Length = target.Length;
        if (_terms.SeekCeil(_target) == TermsEnum.SeekStatus.END)
        {
            return false;
        }

        Keep(_terms.Term.AsSpan());
        return true;
    }

    private void Keep(ReadOnlySpan<byte> term)
    {
        TermCode.Grow(ref _term, term.Length);
        term.CopyTo(_term);
        _length = term.Length;
    }
}
