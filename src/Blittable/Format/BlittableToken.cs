using System.Runtime.CompilerServices;

namespace Raven.Blittable.Format;

//   BIT   7 6 5 4 3 2 1 0
//         | | | | +-+-+-+-- kind, 1..13
//         | | | |            strings:  bit 4     escape positions follow the text
//         | | |              9 and 13: bit 5     by version 2 of the dictionary, pairs, instead of version 1, pieces
//         | | +-+----------- objects, arrays: size of an offset: 0 = 1, 1 = 2, 2 = 4 bytes, 3 = empty, no bytes at all
//         +-+--------------- objects:  size of a property id: 0 = 1, 1 = 2, 2 = 4 bytes
//           +--------------- arrays:   bit 6     all elements have the token that is stored once
//
//   All other bits are zero.

/// <summary>The byte that says how a value is stored.</summary>
internal static class BlittableToken
{
    internal const byte Null = 1;
    internal const byte False = 2;
    internal const byte True = 3;
    internal const byte Integer = 4;
    internal const byte Decimal = 5;
    internal const byte NumberText = 6;
    internal const byte EmptyString = 7;
    internal const byte String = 8;
    internal const byte ShortString = 9;
    internal const byte Lz4String = 10;
    internal const byte Object = 11;
    internal const byte Array = 12;
    internal const byte LongDictionaryString = 13;

    internal const byte KindMask = 0x0F;
    internal const byte HasEscapes = 0x10;
    internal const byte ByPairs = 0x20;
    internal const byte UniformElements = 0x40;
    internal const int SizeCodeEmpty = 3;

    internal const byte EmptyObject = Object | (SizeCodeEmpty << 4);
    internal const byte EmptyArray = Array | (SizeCodeEmpty << 4);

    /// <summary>Code of the smallest of 1, 2 or 4 bytes that holds <paramref name="value"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int SizeCodeFor(int value) => (value > 0xFF ? 1 : 0) + (value > 0xFFFF ? 1 : 0);

    /// <summary>Code of the size of an offset, from an object's or array's token.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int OffsetSizeCode(int token) => (token >> 4) & 3;

    /// <summary>Code of the size of a property id, from an object's token.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int IdSizeCode(int token) => token >> 6;

    /// <summary>True for the kinds that take no bytes beside their entry.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool HasNoBytes(int token)
    {
        const uint kinds = (1u << Null) | (1u << False) | (1u << True) | (1u << EmptyString);
        int kind = token & KindMask;
        return ((kinds >> kind) & 1) != 0
            || ((uint)(kind - Object) <= Array - Object && OffsetSizeCode(token) == SizeCodeEmpty);
    }

    /// <summary>The kind of the value for readers.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ValueKind ToKind(int token) => (ValueKind)Kinds[token & KindMask];

    private static ReadOnlySpan<byte> Kinds =>
    [
        (byte)ValueKind.None, (byte)ValueKind.Null, (byte)ValueKind.False, (byte)ValueKind.True,
        (byte)ValueKind.Integer, (byte)ValueKind.Number, (byte)ValueKind.Number, (byte)ValueKind.String,
        (byte)ValueKind.String, (byte)ValueKind.String, (byte)ValueKind.String, (byte)ValueKind.Object,
        (byte)ValueKind.Array, (byte)ValueKind.String, (byte)ValueKind.None, (byte)ValueKind.None,
    ];
}
