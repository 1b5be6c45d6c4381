namespace Raven.Client.Documents.Queries.Vector;

/// <summary>The form of the numbers of vectors.</summary>
public enum VectorEmbeddingType
{
    /// <summary>32-bit floating point numbers.</summary>
    Single,

    /// <summary>
    /// Bytes with a sign; vectors of documents are followed by the scale that they were made with
    /// (<see cref="VectorQuantizer.ToInt8"/>).
    /// </summary>
    Int8,

    /// <summary>Bits, eight a byte (<see cref="VectorQuantizer.ToInt1"/>).</summary>
    Binary,

    /// <summary>Texts that a language model turns into vectors: a server without a model refuses them.</summary>
    Text,
}
