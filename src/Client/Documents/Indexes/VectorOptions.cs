using Raven.Client.Documents.Queries.Vector;

namespace Raven.Client.Documents.Indexes;

/// <summary>The form of the vectors of a field, in documents and in the index.</summary>
public sealed class VectorOptions
{
    /// <summary>The form of the vectors that the maps emit.</summary>
    public VectorEmbeddingType SourceEmbeddingType { get; set; }

    /// <summary>
    /// The form that the index stores: the same, or a smaller one made of <see cref="VectorEmbeddingType.Single"/>.
    /// </summary>
    public VectorEmbeddingType DestinationEmbeddingType { get; set; }

    /// <summary>How many numbers each vector has; null takes as many as the first one has.</summary>
    public int? Dimensions { get; set; }

    /// <summary>Edges of the graph, for servers whose index of vectors is a graph.</summary>
    public int? NumberOfEdges { get; set; }

    /// <summary>Candidates of the graph, for servers whose index of vectors is a graph.</summary>
    public int? NumberOfCandidatesForIndexing { get; set; }
}
