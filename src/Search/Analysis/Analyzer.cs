namespace Raven.Search.Analysis;

/// <summary>
/// Turns the text of a field into terms. An analyzer has no state, so that all threads share one; a field is written
/// and searched with the same one, or its terms do not match.
/// </summary>
public abstract class Analyzer
{
    /// <summary>The name by which a field refers to it; kept in the index.</summary>
    public abstract string Name { get; }

    /// <summary>The name as an index keeps it: with a number if the terms of an analyzer have changed since indexes
    /// kept its plain name.</summary>
    internal virtual string StoredName => Name;

    /// <summary>
    /// Adds the terms of a value to <paramref name="tokens"/>. Must not allocate once the buffer has grown.
    /// </summary>
    /// <param name="text">UTF-8. Bytes that are no UTF-8 separate words.</param>
    /// <param name="tokens">Receives the terms; positions start at <paramref name="position"/>.</param>
    /// <param name="position">The position of the first word.</param>
    /// <returns>The position behind the last word.</returns>
    public abstract int Analyze(ReadOnlySpan<byte> text, TokenBuffer tokens, int position);
}
