using System.Runtime.InteropServices;
using Raven.Search.Fields;
using Raven.Search.Vectors;

namespace Raven.Search.Queries;

/// <summary>Converts the vectors of a query to the form of a field.</summary>
internal static class QueryVectors
{
    /// <summary>Writes a value as the field keeps its vectors.</summary>
    /// <exception cref="SearchIndexException">It does not have the field's dimensions, or not its form.</exception>
    internal static void Write(IndexField field, in QueryValue value, ReadOnlySpan<byte> bytes, Span<byte> record)
    {
        int dimensions = value.Kind switch
        {
            QueryValue.ValueKind.Singles => bytes.Length / sizeof(float),
            QueryValue.ValueKind.Bits => bytes.Length * 8,
            _ => bytes.Length,
        };
        field.CheckDimensions(dimensions);
        switch (value.Kind, field.VectorFormat)
        {
            case (QueryValue.ValueKind.Singles, _):
                VectorCode.Write(field.VectorFormat, MemoryMarshal.Cast<byte, float>(bytes), record);
                break;
            case (QueryValue.ValueKind.SignedBytes, VectorFormat.Int8):
                VectorCode.Write(MemoryMarshal.Cast<byte, sbyte>(bytes), record);
                break;
            case (QueryValue.ValueKind.Bits, VectorFormat.Binary):
                VectorCode.WriteBits(bytes, record);
                break;
            default:
                throw new SearchIndexException(
                    $"The field '{field.Name}' keeps vectors as {field.VectorFormat}; the query has another form.");
        }
    }
}
