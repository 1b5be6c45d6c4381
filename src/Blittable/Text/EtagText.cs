using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Raven.Blittable.Text;

/// <summary>
/// Etags as keys and as text. An etag is one number or, with the count of restarts before it, two; most significant
/// first in both forms, so that bytes and text sort as the numbers do. The text has the shape of a GUID:
/// <c>01000000-0000-0001-0000-00000000002A</c>. Nothing here allocates.
/// </summary>
public static class EtagText
{
    /// <summary>The bytes of the text.</summary>
    public const int Length = 36;

    /// <summary>The bytes of one etag as a key.</summary>
    public const int KeyLength = sizeof(long);

    /// <summary>Writes an etag as a key: big-endian, so that keys sort as etags do.</summary>
    /// <param name="etag">Not negative.</param>
    /// <param name="key">At least <see cref="KeyLength"/> bytes.</param>
    /// <exception cref="ArgumentOutOfRangeException">The key is too short.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteKey(long etag, Span<byte> key) => BinaryPrimitives.WriteInt64BigEndian(key, etag);

    /// <summary>The etag of a key that <see cref="WriteKey"/> wrote.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The key is too short.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long ReadKey(ReadOnlySpan<byte> key) => BinaryPrimitives.ReadInt64BigEndian(key);

    /// <summary>Writes the text of an etag, in capitals.</summary>
    /// <param name="restarts">The number that counts first.</param>
    /// <param name="changes">The number that counts within it.</param>
    /// <param name="target">Receives the text.</param>
    /// <returns>False if the target has fewer than <see cref="Length"/> bytes; nothing is written then.</returns>
    public static bool TryFormat(ulong restarts, ulong changes, Span<byte> target)
    {
        if (target.Length < Length)
        {
            return false;
        }

        // 8-4-4-4-12 digits: the first vector's behind its 8th and 12th digit are moved to make room for the dashes.
        ref byte text = ref MemoryMarshal.GetReference(target);
        Vector128<byte> upper = ToDigits(restarts);
        Vector128<byte> lower = ToDigits(changes);
        Unsafe.WriteUnaligned(ref text, upper.AsUInt64().GetElement(0));
        Unsafe.Add(ref text, 8) = (byte)'-';
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref text, 9), upper.AsUInt32().GetElement(2));
        Unsafe.Add(ref text, 13) = (byte)'-';
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref text, 14), upper.AsUInt32().GetElement(3));
        Unsafe.Add(ref text, 18) = (byte)'-';
        lower.StoreUnsafe(ref text, 20);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref text, 19), lower.AsUInt32().GetElement(0));
        Unsafe.Add(ref text, 23) = (byte)'-';
        return true;
    }

    /// <summary>Reads the text of an etag, in capitals or not.</summary>
    /// <param name="text">The whole text.</param>
    /// <param name="restarts">The number that counts first; 0 if the result is false.</param>
    /// <param name="changes">The number that counts within it; 0 if the result is false.</param>
    /// <returns>False if the text has another length, other characters or dashes in other places.</returns>
    public static bool TryParse(ReadOnlySpan<byte> text, out ulong restarts, out ulong changes)
    {
        restarts = 0;
        changes = 0;
        if (text.Length != Length)
        {
            return false;
        }

        ref byte start = ref MemoryMarshal.GetReference(text);
        ulong middle = Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref start, 9))
            | ((ulong)Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref start, 14)) << 32);
        Vector128<byte> upper = Vector128.Create(Unsafe.ReadUnaligned<ulong>(ref start), middle).AsByte();
        Vector128<byte> lower = Vector128.LoadUnsafe(ref start, 20).AsUInt32()
            .WithElement(0, Unsafe.ReadUnaligned<uint>(ref Unsafe.Add(ref start, 19))).AsByte();
        int wrong = Unsafe.Add(ref start, 8) ^ '-';
        wrong |= Unsafe.Add(ref start, 13) ^ '-';
        wrong |= Unsafe.Add(ref start, 18) ^ '-';
        wrong |= Unsafe.Add(ref start, 23) ^ '-';
        if (wrong != 0 || !TryToNumber(upper, out restarts) || !TryToNumber(lower, out changes))
        {
            restarts = 0;
            return false;
        }

        return true;
    }

    /// <summary>The 16 digits of a number, the most significant first.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<byte> ToDigits(ulong number)
    {
        Vector128<ushort> bytes =
            Vector128.WidenLower(Vector128.CreateScalar(BinaryPrimitives.ReverseEndianness(number)).AsByte());
        Vector128<byte> halves = ((bytes >>> 4) | ((bytes & Vector128.Create((ushort)0x0F)) << 8)).AsByte();
        return Vector128.Shuffle(Vector128.Create("0123456789ABCDEF"u8), halves);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryToNumber(Vector128<byte> digits, out ulong number)
    {
        Vector128<byte> decimals = digits - Vector128.Create((byte)'0');
        Vector128<byte> letters = (digits | Vector128.Create((byte)0x20)) - Vector128.Create((byte)'a');
        Vector128<byte> isDecimal = Vector128.LessThan(decimals, Vector128.Create((byte)10));
        Vector128<byte> isLetter = Vector128.LessThan(letters, Vector128.Create((byte)6));
        Vector128<byte> halves = Vector128.ConditionalSelect(isDecimal, decimals, letters + Vector128.Create((byte)10));
        Vector128<ushort> pairs = halves.AsUInt16();
        Vector128<ushort> bytes = ((pairs << 4) | (pairs >>> 8)) & Vector128.Create((ushort)0xFF);
        number = BinaryPrimitives.ReverseEndianness(Vector128.Narrow(bytes, bytes).AsUInt64().GetElement(0));
        return (isDecimal | isLetter) == Vector128<byte>.AllBitsSet;
    }
}
