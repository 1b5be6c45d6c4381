using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using Raven.Blittable.Writing;

namespace Raven.Blittable.Json;

/// <summary>Recognizes the names that followed the same names before, without hashing and without a search.</summary>
internal static class JsonNames
{
    private const int NotKnown = -1;

    /// <summary>
    /// Takes a name that followed here before, the last one first, up to its closing quote; negative where it is another.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int TakeKnown(DocumentBuilder builder, ref byte input, int position, int end, int countMax)
    {
        int shape = builder.Shape;
        if (shape < 0 || builder.ChildCount >= countMax)
        {
            return NotKnown;
        }

        int next = builder.Shapes.Predict(shape, out int name);
        if (next == 0)
        {
            return NotKnown;
        }

        ref byte text = ref Unsafe.Add(ref input, position + 1);
        int length = MatchLength(builder, ref text, name);
        if (length == 0)
        {
            next = FindAmongOthers(builder, ref text, shape);
            if (next == 0)
            {
                return NotKnown;
            }

            name = builder.Shapes.NameOf(next);
            length = builder.Names.PatternLengthOf(name);
        }

        int after = position + 1 + length;
        if (after > end)
        {
            return NotKnown;
        }

        builder.NamePredicted(next, name);
        return after;
    }

    /// <summary>The length of a name with its closing quote, if that is what the text starts with, or 0.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int MatchLength(DocumentBuilder builder, ref byte text, int name)
    {
        ref byte pattern = ref builder.Names.PatternOf(name);
        int length = builder.Names.PatternLengthOf(name);
        uint same = Vector256.Equals(Vector256.LoadUnsafe(ref text), Vector256.LoadUnsafe(ref pattern))
            .ExtractMostSignificantBits();
        return BitOperations.TrailingZeroCount(~(ulong)same) >= length ? length : 0;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int FindAmongOthers(DocumentBuilder builder, ref byte text, int shape)
    {
        const int looksMax = 8;
        ObjectShapes shapes = builder.Shapes;
        int child = shapes.FirstChildOf(shape);
        for (int looks = 0; child != 0 && looks < looksMax; looks++, child = shapes.NextSiblingOf(child))
        {
            if (MatchLength(builder, ref text, shapes.NameOf(child)) != 0)
            {
                shapes.ExpectNext(shape, child);
                return child;
            }
        }

        return 0;
    }
}
