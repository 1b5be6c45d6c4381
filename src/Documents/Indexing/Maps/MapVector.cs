using Raven.Blittable.Reading;

namespace Raven.Documents.Indexing.Maps;

/// <summary>A vector of a map: a stored value, which may be several vectors, or numbers, or base64.</summary>
internal readonly ref struct MapVector
{
    /// <summary>A stored value: numbers, base64, an object with one of these as <c>@vector</c>, or a list
    /// of these.</summary>
    internal MapVector(BlittableValue stored) => Stored = stored;

    internal MapVector(ReadOnlySpan<double> numbers) => Numbers = numbers;

    /// <summary>One vector as base64, UTF-8.</summary>
    internal MapVector(ReadOnlySpan<byte> base64)
    {
        Base64 = base64;
        IsBase64 = true;
    }

    internal BlittableValue? Stored { get; }

    internal ReadOnlySpan<double> Numbers { get; }

    internal ReadOnlySpan<byte> Base64 { get; }

    internal bool IsBase64 { get; }
}
