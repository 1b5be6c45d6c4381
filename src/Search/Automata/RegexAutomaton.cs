namespace Raven.Search.Automata;

/// <summary>
/// Accepts the texts that a regular expression matches somewhere. As .NET does it reads UTF-16: a character behind
/// U+FFFF is two units.
/// </summary>
internal readonly struct RegexAutomaton(RegexProgram program) : ITermAutomaton<int>
{
    /// <inheritdoc/>
    /// <remarks>A step is two reads of tables; 32 were measured beside 4, 8, 16 and 64.</remarks>
    public static int RefusedBeforeSeek => 32;

    /// <inheritdoc/>
    public int Start => program.States.Start;

    /// <inheritdoc/>
    public int Epoch => program.States.Epoch;

    /// <inheritdoc/>
    public bool TryStep(in int state, int character, out int next)
    {
        RegexStates states = program.States;
        if (character <= char.MaxValue)
        {
            next = states.Step(state, character);
            return next != RegexStates.Dead;
        }

        int rest = character - 0x10000;
        next = states.Step(states.Step(state, 0xD800 + (rest >> 10)), 0xDC00 + (rest & 0x3FF));
        return next != RegexStates.Dead;
    }

    /// <inheritdoc/>
    public bool Accepts(in int state) => program.States.Accepts(state);

    /// <inheritdoc/>
    public bool AcceptsAll(in int state) => state == RegexStates.All;

    /// <inheritdoc/>
    public int NextCharacter(in int state, int after) => program.States.NextCharacter(state, after);
}
