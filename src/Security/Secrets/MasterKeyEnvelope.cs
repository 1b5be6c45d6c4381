using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;

namespace Raven.Security.Secrets;

//   OFFSET  SIZE  FIELD
//        0     8  "RVMKEY1" and a zero
//        8     4  Iterations of PBKDF2 with HMAC-SHA512, int32, little-endian
//       12    32  Salt
//       44    24  Nonce
//       68    48  the key, sealed by XAES-256-GCM under what PBKDF2 makes of the passphrase, with the 68 bytes before

/// <summary>A master key in a file that its passphrase alone opens: to keep it apart from the machine.</summary>
public static class MasterKeyEnvelope
{
    /// <summary>The fewest characters of a passphrase.</summary>
    public const int PassphraseLengthMin = 12;

    private const int DefaultIterations = 1_000_000;
    private const int IterationsMin = 100_000;
    private const int IterationsMax = 50_000_000;
    private const int SaltBytes = 32;
    private const int IterationsAt = 8;
    private const int SaltAt = IterationsAt + sizeof(int);
    private const int NonceAt = SaltAt + SaltBytes;
    private const int HeadBytes = NonceAt + XAes256Gcm.NonceBytes;
    private const int Bytes = HeadBytes + MasterKey.SizeBytes + XAes256Gcm.TagBytes;

    private static ReadOnlySpan<byte> Magic => "RVMKEY1\0"u8;

    /// <summary>Seals a key.</summary>
    /// <exception cref="MasterKeyException">The passphrase is too short.</exception>
    public static byte[] Seal(MasterKey key, string passphrase) => Seal(key, passphrase, DefaultIterations);

    /// <summary>Opens a key.</summary>
    /// <exception cref="MasterKeyException">It is no sealed key, or not one of this passphrase.</exception>
    public static MasterKey Open(ReadOnlySpan<byte> file, string passphrase)
    {
        ArgumentNullException.ThrowIfNull(passphrase);
        if (file.Length != Bytes || !file.StartsWith(Magic))
        {
            throw new MasterKeyException("It is no master key that was exported.");
        }

        int iterations = BinaryPrimitives.ReadInt32LittleEndian(file[IterationsAt..]);
        if (iterations is < IterationsMin or > IterationsMax)
        {
            throw new MasterKeyException("It is damaged.");
        }

        byte[] wrapping = KeyOf(passphrase, file.Slice(SaltAt, SaltBytes), iterations);
        Span<byte> plain = stackalloc byte[MasterKey.SizeBytes];
        try
        {
            return XAes256Gcm.TryOpen(
                wrapping, file[NonceAt..HeadBytes], file[HeadBytes..], file[..HeadBytes], plain)
                ? MasterKey.Of(plain, "What was exported")
                : throw new MasterKeyException("The passphrase is another one, or the file is damaged.");
        }
        finally
        {
            CryptographicOperations.ZeroMemory(plain);
            CryptographicOperations.ZeroMemory(wrapping);
        }
    }

    internal static byte[] Seal(MasterKey key, string passphrase, int iterations)
    {
        ArgumentNullException.ThrowIfNull(key);
        ArgumentNullException.ThrowIfNull(passphrase);
        if (passphrase.Length < PassphraseLengthMin)
        {
            throw new MasterKeyException($"The passphrase must have {PassphraseLengthMin} characters at least.");
        }

        byte[] file = new byte[Bytes];
        Magic.CopyTo(file);
        BinaryPrimitives.WriteInt32LittleEndian(file.AsSpan(IterationsAt), iterations);
        RandomNumberGenerator.Fill(file.AsSpan(SaltAt, SaltBytes + XAes256Gcm.NonceBytes));
        byte[] wrapping = KeyOf(passphrase, file.AsSpan(SaltAt, SaltBytes), iterations);
        using var plain = new MemoryStream(new byte[MasterKey.SizeBytes]);
        key.Write(plain);
        XAes256Gcm.Seal(
            wrapping, file.AsSpan(NonceAt, XAes256Gcm.NonceBytes), plain.ToArray(), file.AsSpan(0, HeadBytes),
            file.AsSpan(HeadBytes));
        CryptographicOperations.ZeroMemory(wrapping);
        return file;
    }

    private static byte[] KeyOf(string passphrase, ReadOnlySpan<byte> salt, int iterations) =>
        Rfc2898DeriveBytes.Pbkdf2(
            Encoding.UTF8.GetBytes(passphrase), salt, iterations, HashAlgorithmName.SHA512, XAes256Gcm.KeyBytes);
}
