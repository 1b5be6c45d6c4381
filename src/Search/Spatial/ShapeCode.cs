using System.Buffers.Binary;
using NetTopologySuite.Geometries;
using Raven.Search.Buffers;
using Raven.Search.Fields;
using Raven.Search.Segments;

namespace Raven.Search.Spatial;

//   7                     the kind of the term
//   SOUTH WEST NORTH EAST the box around it, single precision, rounded outwards (4, 4, 4, 4, little-endian)
//   GEOMETRY              KIND (1) and what follows it:
//     1 point             COORDINATE
//     2 line              COUNT COORDINATE ...
//     3 polygon           RINGS, each COUNT COORDINATE ..., the shell first; the last point of a ring is left out
//     4 collection        COUNT GEOMETRY ...
// Counts are variable-length integers; a coordinate is longitude and latitude in steps of 1e-6 degrees, as differences
// to the coordinate before, zigzag, of variable length.

/// <summary>Shapes that are no points, as terms.</summary>
internal sealed class ShapeCode
{
    internal const int BoxSize = 17;
    private const double StepsPerDegree = 1e6;

    private readonly ByteBuffer _bytes = new();
    private long _x;
    private long _y;

    /// <summary>The term of a shape.</summary>
    /// <exception cref="SearchIndexException">It is too long for a term.</exception>
    internal ReadOnlySpan<byte> Write(Geometry shape)
    {
        _bytes.Clear();
        (_x, _y) = (0, 0);
        Span<byte> box = _bytes.Extend(BoxSize);
        Envelope around = shape.EnvelopeInternal;
        box[0] = TermCode.Shape;
        BinaryPrimitives.WriteSingleLittleEndian(box[1..], MathF.BitDecrement((float)around.MinY));
        BinaryPrimitives.WriteSingleLittleEndian(box[5..], MathF.BitDecrement((float)around.MinX));
        BinaryPrimitives.WriteSingleLittleEndian(box[9..], MathF.BitIncrement((float)around.MaxY));
        BinaryPrimitives.WriteSingleLittleEndian(box[13..], MathF.BitIncrement((float)around.MaxX));
        WriteGeometry(shape);
        return _bytes.Length <= TermCode.SizeBytesMax
            ? _bytes.Span
            : throw new SearchIndexException($"A shape of {shape.NumPoints} points takes {_bytes.Length} bytes; "
                + $"{TermCode.SizeBytesMax} are the most. Simplify it.");
    }

    /// <summary>The box around the shape of a term.</summary>
    internal static Envelope ReadBox(ReadOnlySpan<byte> term) => new(
        BinaryPrimitives.ReadSingleLittleEndian(term[5..]), BinaryPrimitives.ReadSingleLittleEndian(term[13..]),
        BinaryPrimitives.ReadSingleLittleEndian(term[1..]), BinaryPrimitives.ReadSingleLittleEndian(term[9..]));

    /// <summary>The shape of a term.</summary>
    internal Geometry Read(ReadOnlySpan<byte> term)
    {
        (_x, _y) = (0, 0);
        int at = BoxSize;
        return ReadGeometry(term, ref at);
    }

    private void WriteGeometry(Geometry shape)
    {
        switch (shape)
        {
            case Point point:
                _bytes.AddByte(1);
                WriteCoordinate(point.Coordinate);
                break;
            case LineString line:
                _bytes.AddByte(2);
                WriteLine(line.Coordinates, line.NumPoints);
                break;
            case Polygon polygon:
                _bytes.AddByte(3);
                _bytes.AddVariable((uint)(1 + polygon.NumInteriorRings));
                WriteLine(polygon.ExteriorRing.Coordinates, polygon.ExteriorRing.NumPoints - 1);
                for (int i = 0; i < polygon.NumInteriorRings; i++)
                {
                    LineString ring = polygon.GetInteriorRingN(i);
                    WriteLine(ring.Coordinates, ring.NumPoints - 1);
                }

                break;
            default:
                _bytes.AddByte(4);
                _bytes.AddVariable((uint)shape.NumGeometries);
                for (int i = 0; i < shape.NumGeometries; i++)
                {
                    WriteGeometry(shape.GetGeometryN(i));
                }

                break;
        }
    }

    private void WriteLine(Coordinate[] coordinates, int count)
    {
        _bytes.AddVariable((uint)count);
        for (int i = 0; i < count; i++)
        {
            WriteCoordinate(coordinates[i]);
        }
    }

    private void WriteCoordinate(Coordinate coordinate)
    {
        long x = (long)Math.Round(coordinate.X * StepsPerDegree);
        long y = (long)Math.Round(coordinate.Y * StepsPerDegree);
        _bytes.AddVariable(ZigZag(x - _x));
        _bytes.AddVariable(ZigZag(y - _y));
        (_x, _y) = (x, y);
    }

    private Geometry ReadGeometry(ReadOnlySpan<byte> term, ref int at)
    {
        switch (term[at++])
        {
            case 1:
                return SpatialFilter.Factory.CreatePoint(ReadCoordinate(term, ref at));
            case 2:
                return SpatialFilter.Factory.CreateLineString(ReadLine(term, ref at, isRing: false));
            case 3:
                int rings = (int)ByteBuffer.ReadVariable(term, ref at);
                LinearRing shell = SpatialFilter.Factory.CreateLinearRing(ReadLine(term, ref at, isRing: true));
                LinearRing[] holes = new LinearRing[rings - 1];
                for (int i = 0; i < holes.Length; i++)
                {
                    holes[i] = SpatialFilter.Factory.CreateLinearRing(ReadLine(term, ref at, isRing: true));
                }

                return SpatialFilter.Factory.CreatePolygon(shell, holes);
            default:
                Geometry[] parts = new Geometry[(int)ByteBuffer.ReadVariable(term, ref at)];
                for (int i = 0; i < parts.Length; i++)
                {
                    parts[i] = ReadGeometry(term, ref at);
                }

                return SpatialFilter.Factory.BuildGeometry(parts);
        }
    }

    private Coordinate[] ReadLine(ReadOnlySpan<byte> term, ref int at, bool isRing)
    {
        int count = (int)ByteBuffer.ReadVariable(term, ref at);
        Coordinate[] line = new Coordinate[count + (isRing ? 1 : 0)];
        for (int i = 0; i < count; i++)
        {
            line[i] = ReadCoordinate(term, ref at);
        }

        if (isRing)
        {
            line[count] = line[0].Copy();
        }

        return line;
    }

    private Coordinate ReadCoordinate(ReadOnlySpan<byte> term, ref int at)
    {
        _x += UnZigZag(ByteBuffer.ReadVariable(term, ref at));
        _y += UnZigZag(ByteBuffer.ReadVariable(term, ref at));
        return new Coordinate(_x / StepsPerDegree, _y / StepsPerDegree);
    }

    private static uint ZigZag(long value) => (uint)((value << 1) ^ (value >> 63));

    private static long UnZigZag(uint value) => (long)(value >> 1) ^ -(long)(value & 1);
}
