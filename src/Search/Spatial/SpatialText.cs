using System.Globalization;
using Raven.Search.Segments;

namespace Raven.Search.Spatial;

/// <summary>Points and shapes of an index as readable text.</summary>
internal static class SpatialText
{
    /// <summary>The well-known text of a term.</summary>
    internal static string Of(ReadOnlySpan<byte> term)
    {
        if (term[0] == TermCode.Shape)
        {
            return new ShapeCode().Read(term).AsText();
        }

        (double latitude, double longitude) = PointCode.Read(term);
        return string.Create(CultureInfo.InvariantCulture, $"POINT ({longitude:0.#######} {latitude:0.#######})");
    }
}
