using System.Linq.Expressions;

namespace Raven.Client.Documents.Queries.Vector;

/// <summary>The field of a search for vectors; made by <see cref="VectorFieldFactory{T}"/>.</summary>
public sealed class VectorField
{
    private readonly string? _name;
    private readonly LambdaExpression? _path;
    private readonly VectorEmbeddingType _source;
    private VectorEmbeddingType _target;

    internal VectorField(string? name, LambdaExpression? path, VectorEmbeddingType source)
    {
        _name = name;
        _path = path;
        _source = source;
        _target = source;
    }

    /// <summary>
    /// Sets the form in which the index stores the vectors: bytes or bits take less memory than numbers.
    /// </summary>
    /// <exception cref="InvalidOperationException">
    /// The documents have bytes or bits, which cannot be converted.
    /// </exception>
    public VectorField TargetQuantization(VectorEmbeddingType targetEmbeddingQuantization)
    {
        if (targetEmbeddingQuantization != _source
            && (_source != VectorEmbeddingType.Single || targetEmbeddingQuantization == VectorEmbeddingType.Text))
        {
            throw new InvalidOperationException(
                $"Vectors of {_source} cannot be kept as {targetEmbeddingQuantization}.");
        }

        _target = targetEmbeddingQuantization;
        return this;
    }

    internal string ToRql(Func<LambdaExpression, string> pathOf)
    {
        string field = _path is null ? RqlBuilder.Field(_name!) : pathOf(_path);
        return (_source, _target) switch
        {
            (VectorEmbeddingType.Single, VectorEmbeddingType.Int8) => $"embedding.f32_i8({field})",
            (VectorEmbeddingType.Single, VectorEmbeddingType.Binary) => $"embedding.f32_i1({field})",
            (VectorEmbeddingType.Int8, _) => $"embedding.i8({field})",
            (VectorEmbeddingType.Text, _) => $"embedding.text({field})",
            (VectorEmbeddingType.Binary, _) => $"embedding.i1({field})",
            _ => field,
        };
    }
}
