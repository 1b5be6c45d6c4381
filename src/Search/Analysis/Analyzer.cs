namespace Raven.Search.Analysis;

/// <summary>
/// Turns the text of a field into terms. An analyzer has no state, so that all threads share one; writing and searching
/// a field use the same one, or terms will not meet.
/// </summary>
public abstract class Analyzer
{
    /// <summary>The name by which a field asks for it; kept in the index.</summary>
    public abstract string Name { get; }

    /// <summary>
    /// Adds the terms of a value to <paramref name="tokens"/>. Must not allocate once the buffer has grown.
    /// </summary>
    /// <param name="text">UTF-8. Bytes that are no UTF-8 separate words.</param>
    /// <param name="tokens">Takes the terms; positions start where <paramref name="position"/> says.</param>
    /// <param name="position">The position of the first word.</param>
    /// <returns>The position behind the last word.</returns>
    public abstract int Analyze(ReadOnlySpan<byte> text, TokenBuffer tokens, int position);
}
