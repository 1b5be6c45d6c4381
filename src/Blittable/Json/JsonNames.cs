using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using Raven.Blittable.Writing;

namespace Raven.Blittable.Json;

/// <summary>Recognizes names that followed the same names before, without a hash and without a search.</summary>
internal static class JsonNames
{
    private const int NotKnown = -1;

    /// <summary>
    /// Takes a name that followed here before, the last one first, up to its closing quote; negative if it is another.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int TakeKnown(DocumentBuilder builder, ref byte input, int position, int end, int countMax)
    {
        int shape = builder.Shape;
        if (shape < 0 || builder.ChildCount >= countMax)
        {
            return NotKnown;
        }

        int next = builder.Shapes.Predict(builder.Place);
        if (next == 0)
        {
            return NotKnown;
        }

        Vector256<byte> text = Vector256.LoadUnsafe(ref input, (nuint)position + 1);
        ref ObjectShapes.KnownName known = ref builder.Shapes.NameOf(next);
        if (!IsName(text, ref known))
        {
            next = FindAmongOthers(builder, ref Unsafe.Add(ref input, position + 1), shape, end - position - 1);
            if (next == 0)
            {
                return NotKnown;
            }

            known = ref builder.Shapes.NameOf(next);
        }

        int after = position + 1 + (known.Length | known.LongLength);
        if (after > end)
        {
            return NotKnown;
        }

        builder.NamePredicted(next, known.Name);
        return after;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsName(Vector256<byte> text, ref ObjectShapes.KnownName known)
    {
        uint same = Vector256.Equals(text, known.Text).ExtractMostSignificantBits();
        return BitOperations.TrailingZeroCount(~(ulong)same) >= known.Length && known.Length != 0;
    }

    private static bool IsLongName(
        DocumentBuilder builder, ref byte input, ref ObjectShapes.KnownName known, int rest)
    {
        int length = known.LongLength;
        return length != 0 && length <= rest && Unsafe.Add(ref input, length - 1) == '"'
            && MemoryMarshal.CreateReadOnlySpan(ref input, length - 1).SequenceEqual(builder.Names.TextOf(known.Name));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int FindAmongOthers(DocumentBuilder builder, ref byte input, int shape, int rest)
    {
        const int looksMax = 8;
        Vector256<byte> text = Vector256.LoadUnsafe(ref input);
        ObjectShapes shapes = builder.Shapes;
        int child = shapes.FirstChildOf(shape);
        for (int looks = 0; child != 0 && looks < looksMax; looks++, child = shapes.NextSiblingOf(child))
        {
            ref ObjectShapes.KnownName known = ref shapes.NameOf(child);
            if (IsName(text, ref known) || IsLongName(builder, ref input, ref known, rest))
            {
                shapes.ExpectNext(builder.Place, child);
                return child;
            }
        }

        return 0;
    }
}
