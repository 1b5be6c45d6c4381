namespace Raven.Search.Fields;

/// <summary>How the graphs over the vectors of a field are built.</summary>
public sealed record VectorGraphOptions
{
    /// <summary>The fewest and the most neighbours that a vector gets on each level of a graph.</summary>
    private const int EdgesMin = 4;
    private const int EdgesMax = 64;
    private const int CandidatesMax = 1024;

    /// <summary>What a field has that says nothing.</summary>
    public static VectorGraphOptions Default { get; } = new();

    /// <summary>How many neighbours a vector gets, from 4 to 64; fewer and more count as these.</summary>
    public int Edges { get; init; } = 16;

    /// <summary>
    /// Among how many of the nearest its neighbours are chosen, at least as many as neighbours and at most 1,024.
    /// </summary>
    public int Candidates { get; init; } = 100;

    internal int EdgesInUse => Math.Clamp(Edges, EdgesMin, EdgesMax);

    internal int CandidatesInUse => Math.Clamp(Candidates, EdgesInUse, CandidatesMax);
}
