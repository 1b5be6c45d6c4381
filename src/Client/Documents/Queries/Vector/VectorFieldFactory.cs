using System.Linq.Expressions;

namespace Raven.Client.Documents.Queries.Vector;

/// <summary>Selects the field of a search for vectors.</summary>
/// <typeparam name="T">The type of the results of the query.</typeparam>
public sealed class VectorFieldFactory<T>
{
    internal static readonly VectorFieldFactory<T> Instance = new();

    private VectorFieldFactory()
    {
    }

    /// <summary>A field of the documents that holds vectors: lists of numbers.</summary>
    /// <param name="field">The field.</param>
    /// <param name="storedEmbeddingQuantization">The form of the numbers.</param>
    public VectorField WithEmbedding(
        Expression<Func<T, object?>> field,
        VectorEmbeddingType storedEmbeddingQuantization = VectorEmbeddingType.Single) =>
        Of(field, storedEmbeddingQuantization);

    /// <summary>A field of the documents that holds vectors: lists of numbers.</summary>
    /// <param name="fieldName">The field.</param>
    /// <param name="storedEmbeddingQuantization">The form of the numbers.</param>
    public VectorField WithEmbedding(
        string fieldName, VectorEmbeddingType storedEmbeddingQuantization = VectorEmbeddingType.Single) =>
        Of(fieldName, storedEmbeddingQuantization);

    /// <summary>A field of the documents that holds the bytes of vectors in base64.</summary>
    /// <param name="field">The field.</param>
    /// <param name="storedEmbeddingQuantization">The form that the bytes have.</param>
    public VectorField WithBase64(
        Expression<Func<T, object?>> field,
        VectorEmbeddingType storedEmbeddingQuantization = VectorEmbeddingType.Single) =>
        Of(field, storedEmbeddingQuantization);

    /// <summary>A field of the documents that holds the bytes of vectors in base64.</summary>
    /// <param name="fieldName">The field.</param>
    /// <param name="storedEmbeddingQuantization">The form that the bytes have.</param>
    public VectorField WithBase64(
        string fieldName, VectorEmbeddingType storedEmbeddingQuantization = VectorEmbeddingType.Single) =>
        Of(fieldName, storedEmbeddingQuantization);

    /// <summary>A field of an index, whose definition has the form of its vectors.</summary>
    public VectorField WithField(Expression<Func<T, object?>> field) => Of(field, VectorEmbeddingType.Single);

    /// <summary>A field of an index, whose definition has the form of its vectors.</summary>
    public VectorField WithField(string fieldName) => Of(fieldName, VectorEmbeddingType.Single);

    private static VectorField Of(LambdaExpression field, VectorEmbeddingType source)
    {
        ArgumentNullException.ThrowIfNull(field);
        return new VectorField(null, field, source);
    }

    private static VectorField Of(string fieldName, VectorEmbeddingType source)
    {
        ArgumentException.ThrowIfNullOrEmpty(fieldName);
        return new VectorField(fieldName, null, source);
    }
}
