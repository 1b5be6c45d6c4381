using Raven.Blittable.Reading;

namespace Raven.Server.Indexing.Maps;

/// <summary>A vector as maps give it: a stored value, which may be several, or numbers, or base64.</summary>
internal readonly ref struct GivenVector
{
    /// <summary>A stored value: numbers, base64, an object whose <c>@vector</c> is that, a list of these.</summary>
    internal GivenVector(BlittableValue stored) => Stored = stored;

    /// <summary>One vector of numbers.</summary>
    internal GivenVector(ReadOnlySpan<double> numbers) => Numbers = numbers;

    /// <summary>One vector as base64, UTF-8.</summary>
    internal GivenVector(ReadOnlySpan<byte> base64)
    {
        Base64 = base64;
        IsBase64 = true;
    }

    internal BlittableValue? Stored { get; }

    internal ReadOnlySpan<double> Numbers { get; }

    internal ReadOnlySpan<byte> Base64 { get; }

    internal bool IsBase64 { get; }
}
