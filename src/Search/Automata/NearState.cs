namespace Raven.Search.Automata;

/// <summary>
/// The places of a word that are reached without a change, with at most one and with at most two: a bit each.
/// </summary>
internal struct NearState
{
    internal ulong None;
    internal ulong One;
    internal ulong Two;
}
