using System.Buffers;
using System.Text;

namespace Raven.Search.Analysis;

/// <summary>Breaks a text into words and passes each through the filters.</summary>
internal sealed class WordAnalyzer(string name, WordBreaking breaking, WordFilters filters, string? storedName = null)
    : Analyzer
{
    public override string Name => name;

    internal override string StoredName => storedName ?? name;

    public override int Analyze(ReadOnlySpan<byte> text, TokenBuffer tokens, int position)
    {
        if (breaking is WordBreaking.Words or WordBreaking.OlderWords)
        {
            var breaker = new WordBreaker(text, breaking == WordBreaking.OlderWords);
            while (breaker.MoveNext())
            {
                AddWord(
                    text.Slice(breaker.Start, breaker.Length), breaker.Start, breaker.Length, tokens, position++);
            }

            return position;
        }

        if (breaking == WordBreaking.Classic)
        {
            return AnalyzeClassic(text, tokens, position);
        }

        int at = 0;
        while (TryFindRun(text, ref at, out int start))
        {
            for (int from = start; from < at; from += TokenBuffer.TermSizeBytesMax)
            {
                int length = Math.Min(at - from, TokenBuffer.TermSizeBytesMax);
                AddWord(text.Slice(from, length), from, length, tokens, position++);
            }
        }

        return position;
    }

    private int AnalyzeClassic(ReadOnlySpan<byte> text, TokenBuffer tokens, int position)
    {
        Span<byte> plain = stackalloc byte[TokenBuffer.TermSizeBytesMax];
        var words = new ClassicWords(text);
        while (words.MoveNext())
        {
            scoped ReadOnlySpan<byte> word = text.Slice(words.Start, words.Length);
            if (words.HasApostrophe && word[^2] == '\'' && word[^1] is (byte)'s' or (byte)'S')
            {
                word = word[..^2];
            }
            else if (words.IsAcronym)
            {
                int length = 0;
                foreach (byte one in word)
                {
                    plain[length] = one;
                    length += one == '.' ? 0 : 1;
                }

                word = plain[..length];
            }

            AddWord(word, words.Start, words.Length, tokens, position++);
        }

        return position;
    }

    private void AddWord(
        ReadOnlySpan<byte> word, int start, int textLength, TokenBuffer tokens, int position)
    {
        Span<byte> term = tokens.Reserve(LowerCase.LengthMax(word.Length));
        int length = word.Length;
        if ((filters & WordFilters.LowerCase) != 0)
        {
            length = LowerCase.Write(word, term);
        }
        else
        {
            word.CopyTo(term);
        }

        if ((filters & WordFilters.StopWords) != 0 && StopWords.Contains(term[..length]))
        {
            return;
        }

        if ((filters & WordFilters.EnglishStems) != 0)
        {
            length = EnglishStemmer.Stem(term[..length]);
        }
        else if ((filters & WordFilters.EnglishStemsOfAscii) != 0)
        {
            length = EnglishStemmer.StemAscii(term[..length]);
        }

        tokens.Commit(length, start, textLength, position);
    }

    /// <summary>The next run of characters that the kind of breaking keeps together.</summary>
    /// <param name="text">The text.</param>
    /// <param name="at">The offset to search from; then the end of the run.</param>
    /// <param name="start">The offset of the run.</param>
    private bool TryFindRun(ReadOnlySpan<byte> text, ref int at, out int start)
    {
        start = -1;
        while (at < text.Length)
        {
            OperationStatus status = Rune.DecodeFromUtf8(text[at..], out Rune rune, out int length);
            bool isKept = status == OperationStatus.Done
                && (breaking == WordBreaking.Letters ? Rune.IsLetter(rune) : !Rune.IsWhiteSpace(rune));
            if (!isKept && start >= 0)
            {
                return true;
            }

            start = isKept && start < 0 ? at : start;
            at += length;
        }

        return start >= 0;
    }
}
