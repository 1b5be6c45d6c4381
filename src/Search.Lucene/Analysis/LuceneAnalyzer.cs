using Lucene.Net.Analysis;
using Lucene.Net.Analysis.TokenAttributes;
using Raven.Search.Analysis;
using Analyzer = Raven.Search.Analysis.Analyzer;
using OfLucene = Lucene.Net.Analysis.Analyzer;

namespace Raven.Search.Lucene.Analysis;

/// <summary>An analyzer of Lucene.Net as one of ours: the same terms at the same places, with offsets in bytes. Each
/// thread has its own token stream, which Lucene keeps. May throw whatever the analyzer throws.</summary>
internal sealed class LuceneAnalyzer(string name, OfLucene inner) : Analyzer
{
    // Analyzers of Lucene that end give a few terms a character.
    private const int TokensMin = 1 << 22;
    private const int TokensOfCharacter = 64;

    [ThreadStatic]
    private static AnalyzedText? _spare;

    /// <inheritdoc/>
    public override string Name => name;

    /// <inheritdoc/>
    public override int Analyze(ReadOnlySpan<byte> text, TokenBuffer tokens, int position)
    {
        AnalyzedText chars = _spare ?? new AnalyzedText();
        _spare = null;
        chars.Begin(text);
        try
        {
            return Analyze(chars, tokens, position);
        }
        finally
        {
            _spare = chars.IsSmall ? chars : null;
        }
    }

    private int Analyze(AnalyzedText text, TokenBuffer tokens, int position)
    {
        using TokenStream stream = inner.GetTokenStream(string.Empty, text);
        ICharTermAttribute term = stream.AddAttribute<ICharTermAttribute>();
        IOffsetAttribute offset = stream.AddAttribute<IOffsetAttribute>();
        IPositionIncrementAttribute increment = stream.AddAttribute<IPositionIncrementAttribute>();
        long left = Math.Max(TokensMin, (long)text.Length * TokensOfCharacter);
        int last = position - 1;
        stream.Reset();
        while (stream.IncrementToken())
        {
            if (--left < 0)
            {
                throw new InvalidOperationException(
                    $"it gives more than {Math.Max(TokensMin, (long)text.Length * TokensOfCharacter)} terms of "
                    + $"{text.Length} characters");
            }

            // The first term is at the position that the caller gives, even if it claims to be at the one before.
            last = Math.Max(position, checked(last + increment.PositionIncrement));

            // An empty term is left out, unless it is the whole of an empty text.
            if (term.Length > 0 || text.Length == 0)
            {
                Add(text, tokens, term, offset, last);
            }
        }

        stream.End();
        return Math.Max(position, checked(last + 1 + increment.PositionIncrement));
    }

    private static void Add(
        AnalyzedText text, TokenBuffer tokens, ICharTermAttribute term, IOffsetAttribute offset, int position)
    {
        int start = offset.StartOffset;
        int end = offset.EndOffset;
        if (start < 0 || end < start || end > text.Length)
        {
            throw new InvalidOperationException(
                $"it gives a term of the characters {start} to {end} of {text.Length}");
        }

        start = text.OffsetOf(start);
        tokens.Add(
            text.ToUtf8(term.Buffer.AsSpan(0, term.Length)), start, text.OffsetOf(end) - start, position);
    }
}
