using System.Runtime.CompilerServices;

namespace Raven.Search.Automata;

/// <summary>
/// The places of a word that are reached with at most as many changes as the row's number: a bit each.
/// </summary>
[InlineArray(FarAutomaton.ChangesMax + 1)]
internal struct FarState
{
    private ulong _row;
}
