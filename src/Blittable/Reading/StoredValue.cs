using System.Runtime.CompilerServices;
using Raven.Blittable.Format;

namespace Raven.Blittable.Reading;

/// <summary>Measures the stored form of scalars, so that they can be copied without being decoded.</summary>
internal static class StoredValue
{
    /// <summary>The bytes of a scalar, including its escape positions.</summary>
    internal static int LengthOf(ref byte start, byte token)
    {
        int length = 0;
        int size;
        switch (token & BlittableToken.KindMask)
        {
            case BlittableToken.Integer:
                return VariableLengthInteger.Read(ref start, out _);
            case BlittableToken.Decimal:
                return 1 + VariableLengthInteger.Read(ref Unsafe.Add(ref start, 1), out _);
            case BlittableToken.NumberText or BlittableToken.String or BlittableToken.ShortString:
                length = VariableLengthInteger.ReadInt32(ref start, out size);
                length += size;
                break;
            case BlittableToken.Lz4String or BlittableToken.LongDictionaryString:
                length = VariableLengthInteger.ReadInt32(ref start, out _);
                length += VariableLengthInteger.ReadInt32(ref Unsafe.Add(ref start, length), out size);
                length += size;
                break;
        }

        bool isText = (token & BlittableToken.KindMask) >= BlittableToken.String;
        if (isText && (token & BlittableToken.HasEscapes) != 0)
        {
            length += VariableLengthInteger.ReadInt32(ref Unsafe.Add(ref start, length), out int count);
            for (int i = 0; i < count; i++)
            {
                length += VariableLengthInteger.Read(ref Unsafe.Add(ref start, length), out _);
            }
        }

        return length;
    }
}
