using Raven.Search.Fields;


namespace Raven.Documents.Indexing.Definitions;

/// <summary>The format of a field of vectors. Immutable; equal if all options are equal.</summary>
/// <param name="Source">The format in documents: numbers, bytes, or bytes of eight bits each.</param>
/// <param name="Destination">The format in the index: that of <see cref="Source"/>, or a smaller one
/// for numbers.</param>
internal sealed record VectorFieldOptions(VectorFormat Source, VectorFormat Destination)
{
    /// <summary>A field without options.</summary>
    internal static VectorFieldOptions Default { get; } = new(VectorFormat.Single, VectorFormat.Single);

    /// <summary>How many numbers each vector has; null if the first vector decides.</summary>
    internal int? Dimensions { get; init; }

    /// <summary>Edges of a graph; stored for clients.</summary>
    internal int? NumberOfEdges { get; init; }

    /// <summary>Candidates of a graph; stored for clients.</summary>
    internal int? NumberOfCandidatesForIndexing { get; init; }
}
