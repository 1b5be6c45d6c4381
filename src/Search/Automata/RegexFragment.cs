namespace Raven.Search.Automata;

/// <summary>A part of a graph: its first node, and its last one, which has no successor yet.</summary>
internal readonly record struct RegexFragment(int Start, int End)
{
    /// <summary>What stands for a part that no automaton is made of.</summary>
    internal static RegexFragment None => new(-1, -1);

    internal bool IsNone => Start < 0;
}
