using Raven.Search.Fields;


namespace Raven.Server.Indexing.Definitions;

/// <summary>Where the vectors of documents stand, for a field of an index that was made by a query.</summary>
/// <param name="Path">The path of the vectors.</param>
/// <param name="Source">What they are.</param>
/// <param name="Destination">What the index keeps.</param>
internal sealed record AutoVector(string Path, VectorFormat Source, VectorFormat Destination)
{
    /// <summary>The field as queries write it: <c>Embedding</c>, <c>embedding.f32_i8(Embedding)</c>.</summary>
    internal string Expression => (Source, Destination) switch
    {
        (VectorFormat.Single, VectorFormat.Int8) => $"embedding.f32_i8({Path})",
        (VectorFormat.Single, VectorFormat.Binary) => $"embedding.f32_i1({Path})",
        (VectorFormat.Int8, _) => $"embedding.i8({Path})",
        (VectorFormat.Binary, _) => $"embedding.i1({Path})",
        _ => Path,
    };

    /// <summary>The name of the field.</summary>
    internal string Name => NameOf(Expression);

    /// <summary>What the field of vectors is called that stands beside a field.</summary>
    internal static string NameOf(string field) => $"vector.search({field})";
}
