using Raven.Client.Documents.Queries.Vector;

namespace Raven.Client.Documents.Indexes;

/// <summary>How a field of vectors is given and kept.</summary>
public sealed class VectorOptions
{
    /// <summary>What the maps give.</summary>
    public VectorEmbeddingType SourceEmbeddingType { get; set; }

    /// <summary>What the index keeps: the same, or less of <see cref="VectorEmbeddingType.Single"/>.</summary>
    public VectorEmbeddingType DestinationEmbeddingType { get; set; }

    /// <summary>How many numbers each vector has; null if the first one decides.</summary>
    public int? Dimensions { get; set; }

    /// <summary>Edges of a graph, for servers that make one.</summary>
    public int? NumberOfEdges { get; set; }

    /// <summary>Candidates of a graph, for servers that make one.</summary>
    public int? NumberOfCandidatesForIndexing { get; set; }
}
