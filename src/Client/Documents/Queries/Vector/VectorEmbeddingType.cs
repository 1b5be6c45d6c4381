namespace Raven.Client.Documents.Queries.Vector;

/// <summary>What the numbers of vectors are.</summary>
public enum VectorEmbeddingType
{
    /// <summary>32-bit floating point numbers.</summary>
    Single,

    /// <summary>Bytes with a sign; vectors of documents have the scale behind them that they were made with
    /// (<see cref="VectorQuantizer.ToInt8"/>).</summary>
    Int8,

    /// <summary>Bits, eight a byte (<see cref="VectorQuantizer.ToInt1"/>).</summary>
    Binary,

    /// <summary>Texts, of which a language model makes vectors: a server without one refuses it.</summary>
    Text,
}
