using Raven.Search.Fields;


namespace Raven.Documents.Indexing.Definitions;

/// <summary>The path and format of vectors in documents, for a field of an automatic index.</summary>
/// <param name="Path">The path of the vectors.</param>
/// <param name="Source">The format in the documents.</param>
/// <param name="Destination">The format in the index.</param>
internal sealed record AutoVector(string Path, VectorFormat Source, VectorFormat Destination)
{
    private const string Before = "vector.search(";

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

    /// <summary>The name of the field of vectors that belongs to a field.</summary>
    internal static string NameOf(string field) => $"{Before}{field})";

    /// <summary>The field that a field of vectors belongs to.</summary>
    internal static string FieldOf(string name) =>
        name.StartsWith(Before, StringComparison.Ordinal) ? name[Before.Length..^1] : name;
}
