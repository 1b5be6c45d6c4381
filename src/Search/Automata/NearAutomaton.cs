namespace Raven.Search.Automata;

/// <summary>
/// Accepts the texts that at most two changes of a character make of a word: inserted, removed or replaced
/// (Levenshtein). All places of the word that the text may have come to are kept at once, as bits, and move together.
/// </summary>
/// <remarks>
/// The automaton is that of Schulz and Mihov, Fast string correction with Levenshtein automata, International Journal
/// on Document Analysis and Recognition 5 (2002); its states are not made in advance but held as sets, and moved as
/// Wu and Manber do, Fast text searching allowing errors, Communications of the ACM 35 (1992).
/// </remarks>
internal readonly struct NearAutomaton(EditWord word, int changes) : ITermAutomaton<NearState>
{
    internal const int ChangesMax = 2;

    /// <inheritdoc/>
    public static int RefusedBeforeSeek => 0;

    /// <inheritdoc/>
    public NearState Start => new()
    {
        None = 0b1,
        One = changes > 0 ? 0b11 & word.All : 0b1,
        Two = (changes > 1 ? 0b111 : changes > 0 ? 0b11ul : 0b1) & word.All,
    };

    /// <inheritdoc/>
    public int Epoch => 0;

    /// <inheritdoc/>
    public bool TryStep(in NearState state, int character, out NearState next)
    {
        // The same character moves on; with a change more, one that is put in stays, another one moves on, and
        // a character of the word that is left out moves on without any.
        ulong same = word.PlacesOf(character);
        ulong none = (state.None & same) << 1;
        ulong one = none;
        if (changes > 0)
        {
            one = (((state.One & same) | state.None | none) << 1) | state.None;
        }

        ulong two = one;
        if (changes > 1)
        {
            two = (((state.Two & same) | state.One | one) << 1) | state.One;
        }

        next.None = none;
        next.One = one & word.All;
        next.Two = two & word.All;
        return next.Two != 0;
    }

    /// <inheritdoc/>
    public bool Accepts(in NearState state) => (state.Two & word.End) != 0;

    /// <inheritdoc/>
    public bool AcceptsAll(in NearState state) => false;

    /// <inheritdoc/>
    public int NextCharacter(in NearState state, int after)
    {
        ulong withOneLeft = changes switch
        {
            0 => 0,
            1 => state.None,
            _ => state.One,
        };
        return withOneLeft != 0 ? CodePoints.After(after) : word.NextCharacter(state.Two, after);
    }
}
