using System.Runtime.CompilerServices;

namespace Raven.Blittable.Json;

/// <summary>Writes the characters that JSON must escape: the short form if there is one, otherwise \u00xx.</summary>
internal static class EscapeText
{
    /// <summary>Writes the escape of a character; returns its length. The target has room for 8 bytes.</summary>
    internal static int Write(ref byte target, byte character)
    {
        target = (byte)'\\';
        byte letter = character switch
        {
            (byte)'"' => (byte)'"',
            (byte)'\\' => (byte)'\\',
            8 => (byte)'b',
            9 => (byte)'t',
            10 => (byte)'n',
            12 => (byte)'f',
            13 => (byte)'r',
            _ => 0,
        };
        if (letter != 0)
        {
            Unsafe.Add(ref target, 1) = letter;
            return 2;
        }

        Unsafe.Add(ref target, 1) = (byte)'u';
        Unsafe.Add(ref target, 2) = (byte)'0';
        Unsafe.Add(ref target, 3) = (byte)'0';
        Unsafe.Add(ref target, 4) = (byte)('0' + (character >> 4));
        Unsafe.Add(ref target, 5) = "0123456789abcdef"u8[character & 15];
        return 6;
    }
}
