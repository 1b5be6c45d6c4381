using System.Numerics;

namespace Raven.Client.Documents.Queries.Vector;

/// <summary>Sets the value that vectors are compared with.</summary>
public sealed class VectorValueFactory
{
    internal static readonly VectorValueFactory Instance = new();

    private VectorValueFactory()
    {
    }

    /// <summary>A vector of numbers, or one that <see cref="VectorQuantizer"/> has made.</summary>
    public VectorValue ByEmbedding<T>(IEnumerable<T> embedding)
        where T : struct, INumber<T> => new(Numbers(embedding));

    /// <summary>Several vectors: results are those nearest to any of them.</summary>
    public VectorValue ByEmbeddings<T>(IEnumerable<IEnumerable<T>> embeddings)
        where T : struct, INumber<T>
    {
        ArgumentNullException.ThrowIfNull(embeddings);
        return new VectorValue(Filled(embeddings.Select(Numbers)));
    }

    /// <summary>The bytes of a vector in base64, little-endian.</summary>
    public VectorValue ByBase64(string base64Embedding)
    {
        ArgumentException.ThrowIfNullOrEmpty(base64Embedding);
        return new VectorValue(base64Embedding);
    }

    /// <summary>The vectors that a document has in the field.</summary>
    public VectorValue ForDocument(string documentId)
    {
        ArgumentException.ThrowIfNullOrEmpty(documentId);
        return new VectorValue(documentId, isDocument: true);
    }

    /// <summary>An array that is written as a list of numbers, unlike one of bytes.</summary>
    private static object Numbers<T>(IEnumerable<T> embedding)
        where T : struct, INumber<T>
    {
        ArgumentNullException.ThrowIfNull(embedding);
        return typeof(T) == typeof(byte) ? Filled(embedding.Select(int.CreateChecked)) : Filled(embedding);
    }

    private static T[] Filled<T>(IEnumerable<T> values)
    {
        T[] all = [.. values];
        return all.Length > 0 ? all : throw new ArgumentException("A vector has one number or more.", nameof(values));
    }
}
