using Raven.Search.Analysis;

namespace Raven.Documents.Indexing.Extensions;

/// <summary>An analyzer that a user wrote; its results are checked, as an index relies on them.</summary>
internal sealed class CustomAnalyzer(ExtensionSource source, Analyzer inner) : Analyzer
{
    /// <inheritdoc/>
    public override string Name { get; } = source.Version;

    /// <inheritdoc/>
    public override int Analyze(ReadOnlySpan<byte> text, TokenBuffer tokens, int position)
    {
        int before = tokens.Count;
        int next;
        try
        {
            next = inner.Analyze(text, tokens, position);
        }
        catch (Exception e)
        {
            throw new ExtensionException(
                ExtensionProblem.Failed, ExtensionKind.Analyzer,
                $"The analyzer '{source.Name}' failed: {e.Message}", e);
        }

        int last = position;
        foreach (ref readonly Token token in tokens.Tokens[Math.Min(before, tokens.Count)..])
        {
            if (token.Position < last || token.Start < 0 || token.Length < 0
                || token.Start + (long)token.Length > text.Length)
            {
                throw new ExtensionException(
                    ExtensionProblem.Failed, ExtensionKind.Analyzer,
                    $"The analyzer '{source.Name}' gives a term at position {token.Position} behind one at {last}, or "
                    + $"one of the bytes {token.Start} to {token.Start + (long)token.Length} of {text.Length}.");
            }

            last = token.Position;
        }

        return Math.Max(next, last);
    }
}
