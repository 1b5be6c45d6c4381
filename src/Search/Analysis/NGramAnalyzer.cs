namespace Raven.Search.Analysis;

/// <summary>Every run of so many characters of each word, in lower case; all at the word's position.</summary>
internal sealed class NGramAnalyzer : Analyzer
{
    private readonly int _lengthMin;
    private readonly int _lengthMax;

    internal NGramAnalyzer(string name, int lengthMin, int lengthMax)
    {
        Name = name;
        _lengthMin = lengthMin;
        _lengthMax = lengthMax;
    }

    public override string Name { get; }

    public override int Analyze(ReadOnlySpan<byte> text, TokenBuffer tokens, int position)
    {
        Span<byte> word = stackalloc byte[LowerCase.LengthMax(TokenBuffer.TermSizeBytesMax)];
        var breaker = new WordBreaker(text, isOlder: true);
        while (breaker.MoveNext())
        {
            int length = LowerCase.Write(text.Slice(breaker.Start, breaker.Length), word);
            AddGrams(word[..length], tokens, breaker, position++);
        }

        return position;
    }

    private void AddGrams(ReadOnlySpan<byte> word, TokenBuffer tokens, in WordBreaker breaker, int position)
    {
        for (int start = 0; start < word.Length; start = Next(word, start))
        {
            int end = start;
            for (int characters = 1; characters <= _lengthMax && end < word.Length; characters++)
            {
                end = Next(word, end);
                if (characters >= _lengthMin)
                {
                    tokens.Add(word[start..end], breaker.Start, breaker.Length, position);
                }
            }
        }
    }

    /// <summary>Behind the character: bytes that continue one have their two high bits 10.</summary>
    private static int Next(ReadOnlySpan<byte> word, int at)
    {
        do
        {
            at++;
        }
        while (at < word.Length && (word[at] & 0xC0) == 0x80);
        return at;
    }
}
