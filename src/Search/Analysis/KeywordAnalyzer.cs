namespace Raven.Search.Analysis;

/// <summary>The whole value is one term.</summary>
internal sealed class KeywordAnalyzer(string name, bool isLowerCase) : Analyzer
{
    public override string Name => name;

    public override int Analyze(ReadOnlySpan<byte> text, TokenBuffer tokens, int position)
    {
        if (!isLowerCase)
        {
            tokens.Add(text, 0, text.Length, position);
            return position + 1;
        }

        Span<byte> term = tokens.Reserve(LowerCase.LengthMax(text.Length));
        tokens.Commit(LowerCase.Write(text, term), 0, text.Length, position);
        return position + 1;
    }
}
