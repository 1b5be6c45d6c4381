using System.Buffers.Binary;
using Raven.Search.Segments;

namespace Raven.Search.Spatial;

/// <summary>
/// Points as terms: latitude and longitude as 32-bit fractions of their ranges, interleaved bit by bit (Morton order),
/// so that near points are near in the dictionary. A step is 5 mm of latitude.
/// </summary>
internal static class PointCode
{
    private const double Steps = 4294967296.0;

    internal static int Write(Span<byte> target, double latitude, double longitude)
    {
        target[0] = TermCode.Point;
        ulong code = Interleave(Quantize(latitude, 90), Quantize(longitude, 180));
        BinaryPrimitives.WriteUInt64BigEndian(target[1..], code);
        return TermCode.PointSize;
    }

    internal static (double Latitude, double Longitude) Read(ReadOnlySpan<byte> term)
    {
        ulong code = BinaryPrimitives.ReadUInt64BigEndian(term[1..]);
        return (Degrees(Compact(code >> 1), 90), Degrees(Compact(code), 180));
    }

    /// <summary>The step of an angle.</summary>
    /// <param name="degrees">The angle.</param>
    /// <param name="most">Its greatest value; the least is as far below zero.</param>
    internal static uint Quantize(double degrees, double most) =>
        (uint)Math.Clamp((degrees + most) / (2 * most) * Steps, 0, uint.MaxValue);

    internal static ulong Interleave(uint latitude, uint longitude) => (Spread(latitude) << 1) | Spread(longitude);

    private static double Degrees(uint step, double most) => ((step + 0.5) / Steps * 2 * most) - most;

    private static ulong Spread(uint value)
    {
        ulong bits = value;
        bits = (bits | (bits << 16)) & 0x0000FFFF0000FFFF;
        bits = (bits | (bits << 8)) & 0x00FF00FF00FF00FF;
        bits = (bits | (bits << 4)) & 0x0F0F0F0F0F0F0F0F;
        bits = (bits | (bits << 2)) & 0x3333333333333333;
        return (bits | (bits << 1)) & 0x5555555555555555;
    }

    private static uint Compact(ulong bits)
    {
        bits &= 0x5555555555555555;
        bits = (bits | (bits >> 1)) & 0x3333333333333333;
        bits = (bits | (bits >> 2)) & 0x0F0F0F0F0F0F0F0F;
        bits = (bits | (bits >> 4)) & 0x00FF00FF00FF00FF;
        bits = (bits | (bits >> 8)) & 0x0000FFFF0000FFFF;
        return (uint)(bits | (bits >> 16));
    }
}
