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

    /// <summary>How many neighbours a vector gets in a graph; null for what an index has by itself.</summary>
    internal int? NumberOfEdges { get; init; }

    /// <summary>Among how many of the nearest its neighbours are chosen; null likewise.</summary>
    internal int? NumberOfCandidatesForIndexing { get; init; }

    /// <summary>How graphs over the field are built.</summary>
    internal VectorGraphOptions Graph => new()
    {
        Edges = NumberOfEdges ?? VectorGraphOptions.Default.Edges,
        Candidates = NumberOfCandidatesForIndexing ?? VectorGraphOptions.Default.Candidates,
    };
}
