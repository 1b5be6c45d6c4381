using System.Globalization;
using System.Text.RegularExpressions;
using NetTopologySuite.Geometries;

namespace Raven.Search.Spatial;

/// <summary>
/// Older texts of shapes, other than well-known text, that clients still send: <c>CIRCLE(x y d=r)</c>, <c>x y</c>,
/// <c>minX minY maxX maxY</c>, and <c>ENVELOPE(minX, maxX, maxY, minY)</c> of some dialects. With a comma between its
/// two numbers a point has the latitude first.
/// </summary>
internal static partial class LegacyShapeText
{
    private const string Number = @"[-+.\de]+";
    private const string Between = @"(\s*(?<comma>,)\s*|\s+)";
    private const RegexOptions Options = RegexOptions.IgnoreCase | RegexOptions.CultureInvariant;

    /// <summary>Reads <c>CIRCLE(longitude latitude d=radius)</c>.</summary>
    internal static bool TryReadCircle(
        string text, out double latitude, out double longitude, out double radius)
    {
        Match match = Circle().Match(text);
        radius = 0;
        return ReadPoint(match, out latitude, out longitude)
            && double.TryParse(match.Groups["r"].ValueSpan, CultureInfo.InvariantCulture, out radius);
    }

    /// <summary>Reads a point or a box.</summary>
    /// <exception cref="FormatException">It is no valid place.</exception>
    internal static bool TryReadShape(string text, out Geometry? shape)
    {
        shape = null;
        Match match = Point().Match(text);
        if (ReadPoint(match, out double latitude, out double longitude))
        {
            shape = SpatialFilter.Factory.CreatePoint(new Coordinate(longitude, latitude));
            return true;
        }

        match = Box().Match(text);
        match = match.Success ? match : Envelope().Match(text);
        if (match.Success && Read(match, "w", out double west) && Read(match, "e", out double east)
            && Read(match, "s", out double south) && Read(match, "n", out double north) && west <= east
            && south <= north)
        {
            shape = SpatialFilter.Factory.ToGeometry(new Envelope(west, east, south, north));
            return true;
        }

        return false;
    }

    private static bool ReadPoint(Match match, out double latitude, out double longitude)
    {
        latitude = 0;
        longitude = 0;
        if (!match.Success || !Read(match, "x", out double first) || !Read(match, "y", out double second))
        {
            return false;
        }

        bool isLatitudeFirst = match.Groups["comma"].Success;
        (latitude, longitude) = isLatitudeFirst ? (first, second) : (second, first);
        return true;
    }

    private static bool Read(Match match, string group, out double number) =>
        double.TryParse(match.Groups[group].ValueSpan, CultureInfo.InvariantCulture, out number);

    [GeneratedRegex(
        "^\\s*circle\\s*\\(\\s*(?<x>" + Number + ")" + Between + "(?<y>" + Number + ")\\s+d\\s*=\\s*(?<r>" + Number
        + ")\\s*\\)\\s*$", Options)]
    private static partial Regex Circle();

    [GeneratedRegex("^\\s*(?<x>" + Number + ")" + Between + "(?<y>" + Number + ")\\s*$", Options)]
    private static partial Regex Point();

    [GeneratedRegex(
        "^\\s*(?<w>" + Number + ")\\s+(?<s>" + Number + ")\\s+(?<e>" + Number + ")\\s+(?<n>" + Number + ")\\s*$",
        Options)]
    private static partial Regex Box();

    [GeneratedRegex(
        "^\\s*envelope\\s*\\(\\s*(?<w>" + Number + ")\\s*,\\s*(?<e>" + Number + ")\\s*,\\s*(?<n>" + Number
        + ")\\s*,\\s*(?<s>" + Number + ")\\s*\\)\\s*$", Options)]
    private static partial Regex Envelope();
}
