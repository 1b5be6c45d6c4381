using Raven.Search.Fields;


namespace Raven.Server.Indexing.Definitions;

/// <summary>How a field of vectors is given and kept. Immutable; equal where all is equal.</summary>
/// <param name="Source">What documents have: numbers, bytes, or bytes of eight bits each.</param>
/// <param name="Destination">What the index keeps; that of <see cref="Source"/>, or less of numbers.</param>
internal sealed record VectorFieldOptions(VectorFormat Source, VectorFormat Destination)
{
    /// <summary>A field of which nothing is said.</summary>
    internal static VectorFieldOptions Default { get; } = new(VectorFormat.Single, VectorFormat.Single);

    /// <summary>How many numbers each vector has; null where the first one says so.</summary>
    internal int? Dimensions { get; init; }

    /// <summary>Edges of a graph; kept for clients.</summary>
    internal int? NumberOfEdges { get; init; }

    /// <summary>Candidates of a graph; kept for clients.</summary>
    internal int? NumberOfCandidatesForIndexing { get; init; }
}
