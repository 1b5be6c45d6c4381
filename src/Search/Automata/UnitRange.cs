namespace Raven.Search.Automata;

/// <summary>UTF-16 code units from one to another, both included.</summary>
internal readonly record struct UnitRange(int First, int Last);
