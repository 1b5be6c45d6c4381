namespace Raven.Search.Automata;

/// <summary>
/// Accepts the texts that so many changes of a character make of a word: <see cref="NearAutomaton"/> for more of them.
/// </summary>
internal readonly struct FarAutomaton(EditWord word, int changes) : ITermAutomaton<FarState>
{
    internal const int ChangesMax = 7;

    /// <inheritdoc/>
    public static int RefusedBeforeSeek => 0;

    /// <inheritdoc/>
    public FarState Start
    {
        get
        {
            FarState start = default;
            for (int row = 0; row <= changes; row++)
            {
                start[row] = ((2ul << row) - 1) & word.All;
            }

            return start;
        }
    }

    /// <inheritdoc/>
    public int Epoch => 0;

    /// <inheritdoc/>
    public bool TryStep(in FarState state, int character, out FarState next)
    {
        next = default;
        ulong same = word.PlacesOf(character);
        ulong fewerBefore = 0;
        ulong fewer = 0;
        for (int row = 0; row <= changes; row++)
        {
            ulong before = state[row];
            fewer = ((((before & same) | fewerBefore | fewer) << 1) | fewerBefore) & word.All;
            fewerBefore = before;
            next[row] = fewer;
        }

        return fewer != 0;
    }

    /// <inheritdoc/>
    public bool Accepts(in FarState state) => (state[changes] & word.End) != 0;

    /// <inheritdoc/>
    public bool AcceptsAll(in FarState state) => false;

    /// <inheritdoc/>
    public int NextCharacter(in FarState state, int after) =>
        changes > 0 && state[changes - 1] != 0 ? CodePoints.After(after) : word.NextCharacter(state[changes], after);

    /// <summary>The fewest changes that make an accepted text of the word.</summary>
    internal int ChangesOf(in FarState state)
    {
        int row = 0;
        while ((state[row] & word.End) == 0)
        {
            row++;
        }

        return row;
    }
}
