namespace Raven.Search.Automata;

/// <summary>
/// Accepts the texts that a pattern with * and ? describes: all places of the pattern that a text may have come to, a
/// bit each, move together.
/// </summary>
/// <remarks>
/// The extended Shift-And of Navarro and Raffinot, Flexible Pattern Matching in Strings, Cambridge 2002, chapter 4.
/// </remarks>
internal readonly struct WildcardAutomaton(WildcardPattern pattern) : ITermAutomaton<ulong>
{
    /// <inheritdoc/>
    public static int RefusedBeforeSeek => 0;

    /// <inheritdoc/>
    public ulong Start => 1;

    /// <inheritdoc/>
    public int Epoch => 0;

    /// <inheritdoc/>
    public bool TryStep(in ulong state, int character, out ulong next)
    {
        next = ((state & pattern.PlacesOf(character)) << 1) | (state & pattern.Kept);
        return next != 0;
    }

    /// <inheritdoc/>
    public bool Accepts(in ulong state) => (state & pattern.End) != 0;

    /// <inheritdoc/>
    public bool AcceptsAll(in ulong state) => (state & pattern.End & pattern.Kept) != 0;

    /// <inheritdoc/>
    public int NextCharacter(in ulong state, int after) => pattern.NextCharacter(state, after);
}
