using Raven.Search.Analysis;

namespace Raven.Documents.Indexing.Extensions;

/// <summary>An analyzer that is not the engine's own, but a user's or Lucene's: what it throws is an error of the text,
/// and its results are checked and bounded, as an index relies on them.</summary>
/// <param name="title">Its name in errors.</param>
/// <param name="name">The name by which an index keeps it.</param>
/// <param name="inner">The analyzer.</param>
/// <param name="steps">Ends its code if it takes too many steps; null if it is not a user's.</param>
internal sealed class GuardedAnalyzer(string title, string name, Analyzer inner, StepLimit? steps) : Analyzer
{
    // The terms of one text may take this, or some times the text if that is more.
    private const long SizeBytesMin = 64 << 20;
    private const int SizeBytesOfTextByte = 64;

    // Positions go on from value to value of a field.
    private const int PositionMax = 1 << 30;

    /// <inheritdoc/>
    public override string Name { get; } = name;

    /// <inheritdoc/>
    public override int Analyze(ReadOnlySpan<byte> text, TokenBuffer tokens, int position)
    {
        int before = tokens.Count;
        int next;
        tokens.SizeBytesMax = Math.Max(SizeBytesMin, (long)text.Length * SizeBytesOfTextByte);
        steps?.Begin(text.Length);
        try
        {
            next = inner.Analyze(text, tokens, position);
        }
        catch (Exception e)
        {
            throw Failed($"failed: {e.Message}", e);
        }
        finally
        {
            steps?.End();
            tokens.SizeBytesMax = long.MaxValue;
        }

        int last = position;
        foreach (ref readonly Token token in tokens.Tokens[Math.Min(before, tokens.Count)..])
        {
            if (token.Position < last || token.Start < 0 || token.Length < 0
                || token.Start + (long)token.Length > text.Length)
            {
                throw Failed(
                    $"gives a term at position {token.Position} behind one at {last}, or "
                    + $"one of the bytes {token.Start} to {token.Start + (long)token.Length} of {text.Length}.",
                    null);
            }

            last = token.Position;
        }

        next = Math.Max(next, last);
        return next <= PositionMax ? next : throw Failed($"gives the position {next}, beyond {PositionMax}.", null);
    }

    private ExtensionException Failed(string what, Exception? cause)
    {
        string message = $"The analyzer '{title}' {what}";
        return cause is null
            ? new ExtensionException(ExtensionProblem.Failed, ExtensionKind.Analyzer, message)
            : new ExtensionException(ExtensionProblem.Failed, ExtensionKind.Analyzer, message, cause);
    }
}
