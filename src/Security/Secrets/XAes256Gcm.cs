using System.Security.Cryptography;

namespace Raven.Security.Secrets;

/// <summary>
/// XAES-256-GCM (https://c2sp.org/XAES-256-GCM): AES-256-GCM with a nonce of 24 bytes, which may be random. The key of
/// each message is derived from the key and the first 12 bytes of the nonce by CMAC in counter mode (NIST SP 800-108),
/// two AES blocks; the other 12 bytes are the nonce of AES-GCM. The primitives are .NET's.
/// </summary>
public static class XAes256Gcm
{
    /// <summary>The number of bytes of a key.</summary>
    public const int KeyBytes = 32;

    /// <summary>The number of bytes of a nonce.</summary>
    public const int NonceBytes = 24;

    /// <summary>The number of bytes of a tag, behind the ciphertext.</summary>
    public const int TagBytes = 16;

    private const int BlockBytes = 16;
    private const int GcmNonceBytes = 12;

    /// <summary>Encrypts.</summary>
    /// <param name="key">32 bytes.</param>
    /// <param name="nonce">24 bytes, random for each message.</param>
    /// <param name="plain">The message.</param>
    /// <param name="associated">What has to be the same when it is opened, and is not in the ciphertext.</param>
    /// <param name="cipher">Receives as many bytes as the message has, and the tag.</param>
    public static void Seal(
        ReadOnlySpan<byte> key, ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> plain, ReadOnlySpan<byte> associated,
        Span<byte> cipher)
    {
        Span<byte> derived = stackalloc byte[KeyBytes];
        try
        {
            Derive(key, nonce, derived);
            using var gcm = new AesGcm(derived, TagBytes);
            gcm.Encrypt(nonce[GcmNonceBytes..], plain, cipher[..plain.Length], cipher[plain.Length..], associated);
        }
        finally
        {
            CryptographicOperations.ZeroMemory(derived);
        }
    }

    /// <summary>Decrypts. What is not whole gives nothing.</summary>
    /// <param name="key">32 bytes.</param>
    /// <param name="nonce">24 bytes.</param>
    /// <param name="cipher">The ciphertext and the tag.</param>
    /// <param name="associated">As when it was sealed.</param>
    /// <param name="plain">Receives the message.</param>
    /// <returns>False if any of it is not as it was: then <paramref name="plain"/> is zeros.</returns>
    public static bool TryOpen(
        ReadOnlySpan<byte> key, ReadOnlySpan<byte> nonce, ReadOnlySpan<byte> cipher, ReadOnlySpan<byte> associated,
        Span<byte> plain)
    {
        if (cipher.Length < TagBytes)
        {
            return false;
        }

        Span<byte> derived = stackalloc byte[KeyBytes];
        try
        {
            Derive(key, nonce, derived);
            using var gcm = new AesGcm(derived, TagBytes);
            gcm.Decrypt(nonce[GcmNonceBytes..], cipher[..^TagBytes], cipher[^TagBytes..], plain, associated);
            return true;
        }
        catch (AuthenticationTagMismatchException)
        {
            plain.Clear();
            return false;
        }
        finally
        {
            CryptographicOperations.ZeroMemory(derived);
        }
    }

    private static void Derive(ReadOnlySpan<byte> key, ReadOnlySpan<byte> nonce, Span<byte> derived)
    {
        ArgumentOutOfRangeException.ThrowIfNotEqual(key.Length, KeyBytes);
        ArgumentOutOfRangeException.ThrowIfNotEqual(nonce.Length, NonceBytes);
        using Aes aes = Aes.Create();
        aes.SetKey(key);

        // The subkey of CMAC: the encrypted zero block, doubled in GF(2^128).
        Span<byte> subkey = stackalloc byte[BlockBytes];
        aes.EncryptEcb(subkey, subkey, PaddingMode.None);
        int carry = 0;
        for (int i = BlockBytes - 1; i >= 0; i--)
        {
            int doubled = (subkey[i] << 1) | carry;
            subkey[i] = (byte)doubled;
            carry = doubled >> 8;
        }

        subkey[^1] ^= (byte)(carry * 0b1000_0111);

        Span<byte> block = stackalloc byte[BlockBytes];
        for (int counter = 1; counter <= 2; counter++)
        {
            block[0] = 0;
            block[1] = (byte)counter;
            block[2] = (byte)'X';
            block[3] = 0;
            nonce[..GcmNonceBytes].CopyTo(block[4..]);
            for (int i = 0; i < BlockBytes; i++)
            {
                block[i] ^= subkey[i];
            }

            aes.EncryptEcb(block, derived.Slice((counter - 1) * BlockBytes, BlockBytes), PaddingMode.None);
        }

        CryptographicOperations.ZeroMemory(subkey);
    }
}
