using System.Runtime.CompilerServices;
using Raven.Blittable.Format;
using Raven.Blittable.Writing;

namespace Raven.Blittable.Json;

/// <summary>The three words of JSON: true, false and null.</summary>
internal static class JsonWords
{
    /// <summary>Takes the word that <paramref name="next"/> starts and appends its value.</summary>
    /// <param name="builder">Expects a value.</param>
    /// <param name="input">The first byte of the buffer.</param>
    /// <param name="position">The start of the word.</param>
    /// <param name="end">The end of the input.</param>
    /// <param name="next">The byte there.</param>
    /// <param name="wrongAt">The byte that makes it no word.</param>
    internal static int Take(
        DocumentBuilder builder, ref byte input, int position, int end, byte next, out int wrongAt)
    {
        const uint trueWord = 0x65757274;
        const uint nullWord = 0x6C6C756E;
        const uint falseWordEnd = 0x65736C61;
        wrongAt = position;
        uint start = Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref input, position));
        if ((start is trueWord or nullWord) && position + 4 <= end)
        {
            builder.PushWithoutBytes(start == trueWord ? BlittableToken.True : BlittableToken.Null);
            return position + 4;
        }

        if (next == 'f' && position + 5 <= end
            && Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref input, position + 1)) == falseWordEnd)
        {
            builder.PushWithoutBytes(BlittableToken.False);
            return position + 5;
        }

        ReadOnlySpan<byte> word = next switch
        {
            (byte)'t' => "true"u8,
            (byte)'f' => "false"u8,
            (byte)'n' => "null"u8,
            _ => default,
        };
        if (word.IsEmpty)
        {
            return JsonStringScanner.Failed;
        }

        for (int i = 1; i < word.Length; i++)
        {
            if (position + i >= end)
            {
                return JsonStringScanner.Suspended;
            }

            if (Unsafe.Add(ref input, position + i) != word[i])
            {
                wrongAt = position + i;
                return JsonStringScanner.Failed;
            }
        }

        builder.PushWithoutBytes(
            next == 't' ? BlittableToken.True : next == 'f' ? BlittableToken.False : BlittableToken.Null);
        return position + word.Length;
    }
}
