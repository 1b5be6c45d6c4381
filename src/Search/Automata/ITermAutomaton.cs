namespace Raven.Search.Automata;

/// <summary>
/// Which texts a condition accepts, character by character (Unicode code points; bytes that are no UTF-8 are U+FFFD
/// each time that a decoder replaces them). An implementation is a struct, so that a walk over a dictionary is
/// compiled for it alone.
/// </summary>
/// <typeparam name="TState">What is known of the characters read so far.</typeparam>
internal interface ITermAutomaton<TState>
    where TState : unmanaged
{
    /// <summary>
    /// How many terms in a row are refused before the walk seeks: those that share the refused beginning cost one step
    /// each, which may be less than a seek.
    /// </summary>
    static abstract int RefusedBeforeSeek { get; }

    /// <summary>Before the first character.</summary>
    TState Start { get; }

    /// <summary>
    /// Changes if an automaton forgets its states to save memory: those of before mean nothing from then on but for the
    /// one that the step returned.
    /// </summary>
    int Epoch { get; }

    /// <summary>Reads a character.</summary>
    /// <returns>False if no text is accepted that begins so.</returns>
    bool TryStep(in TState state, int character, out TState next);

    /// <summary>Whether a text is accepted that ends here.</summary>
    bool Accepts(in TState state);

    /// <summary>Whether each text is accepted that begins so.</summary>
    bool AcceptsAll(in TState state);

    /// <summary>
    /// A bound for seeking: no character after <paramref name="after"/> and before the returned one can be next.
    /// </summary>
    /// <param name="state">What is known so far.</param>
    /// <param name="after">The character before those that are asked for, or -1.</param>
    /// <returns>The character, or -1 if none after the given one can be next.</returns>
    int NextCharacter(in TState state, int after);
}
