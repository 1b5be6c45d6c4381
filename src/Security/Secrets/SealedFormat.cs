using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;

namespace Raven.Security.Secrets;

//   OFFSET  SIZE  FIELD
//        0     8  "RVENCR1" and a zero
//        8    32  KeyCheck: HMAC-SHA256 of a constant under the key, which tells another key from damage
//       40    32  Salt, random for each file: the key of the file is HKDF-SHA256 of the key and the salt
//       72     .  chunks: 65,536 bytes, the last one fewer or none, each sealed by XAES-256-GCM and 16 bytes longer
//
//   CHUNK-1  The nonce of a chunk is its number, which is used once under the key of a file; what goes with it is its
//            number and whether it is the last one. A chunk that was cut off, moved, repeated or added does not open.

/// <summary>The form of a sealed stream; see docs/formats/backup.md.</summary>
internal static class SealedFormat
{
    internal const int ChunkBytes = 64 << 10;
    internal const int SealedChunkBytes = ChunkBytes + XAes256Gcm.TagBytes;
    internal const int HeadBytes = 8 + CheckBytes + SaltBytes;
    internal const int SaltBytes = 32;

    private const int CheckBytes = 32;
    private const int AssociatedBytes = sizeof(long) + 1;

    internal static ReadOnlySpan<byte> Magic => "RVENCR1\0"u8;

    internal static byte[] CheckOf(ReadOnlySpan<byte> key) =>
        HMACSHA256.HashData(key, "Raven sealed stream 1"u8);

    internal static byte[] KeyOf(byte[] key, byte[] salt) => HKDF.DeriveKey(
        HashAlgorithmName.SHA256, key, XAes256Gcm.KeyBytes, salt, Encoding.ASCII.GetBytes("Raven sealed stream 1"));

    internal static void Seal(byte[] key, long number, bool isLast, ReadOnlySpan<byte> plain, Span<byte> cipher)
    {
        Span<byte> nonce = stackalloc byte[XAes256Gcm.NonceBytes];
        Span<byte> associated = stackalloc byte[AssociatedBytes];
        Write(nonce, associated, number, isLast);
        XAes256Gcm.Seal(key, nonce, plain, associated, cipher);
    }

    internal static bool TryOpen(byte[] key, long number, bool isLast, ReadOnlySpan<byte> cipher, Span<byte> plain)
    {
        Span<byte> nonce = stackalloc byte[XAes256Gcm.NonceBytes];
        Span<byte> associated = stackalloc byte[AssociatedBytes];
        Write(nonce, associated, number, isLast);
        return XAes256Gcm.TryOpen(key, nonce, cipher, associated, plain);
    }

    private static void Write(Span<byte> nonce, Span<byte> associated, long number, bool isLast)
    {
        nonce.Clear();
        BinaryPrimitives.WriteInt64BigEndian(nonce[^sizeof(long)..], number);
        BinaryPrimitives.WriteInt64BigEndian(associated, number);
        associated[^1] = isLast ? (byte)1 : (byte)0;
    }
}
