using System.Security.Cryptography;
using System.Text;

namespace Raven.Security.Secrets;

//   SEAL-1  A sealed value opens at the place at which it was sealed and nowhere else: the place is associated data.
//   SEAL-2  Whether the key is another one is found out before the value is opened, and is another message than damage.
//   SEAL-3  A secret leaves the server as five asterisks.
//
//   KEYCHECK (8 bytes)  NONCE (24 bytes)  CIPHERTEXT  TAG (16 bytes), in base64
//
//   KEYCHECK is the beginning of HMAC-SHA256 of a constant under the key: XAES-256-GCM does not commit to its key.

/// <summary>Seals secrets that records hold: passwords, keys of other services. Safe for all threads.</summary>
public sealed class SecretSealer : IDisposable
{
    /// <summary>What stands in place of a secret in whatever leaves the server.</summary>
    public const string Mask = "*****";

    private const int CheckBytes = 8;
    private const int HeaderBytes = CheckBytes + XAes256Gcm.NonceBytes;

    private readonly byte[] _key;
    private readonly byte[] _check;

    /// <summary>Makes a sealer.</summary>
    public SecretSealer(MasterKey master)
    {
        ArgumentNullException.ThrowIfNull(master);
        _key = master.Derive("raven sealed fields");
        _check = HMACSHA256.HashData(_key, "raven key check"u8)[..CheckBytes];
    }

    /// <summary>Is another one for another key, and says nothing of it: kept beside what is sealed under it.</summary>
    public string KeyCheck => Convert.ToHexStringLower(_check);

    /// <summary>Which key has sealed a secret (<see cref="KeyCheck"/>); null if it is no sealed one.</summary>
    /// <param name="sealedText">What <see cref="Seal"/> gave.</param>
    public static string? KeyCheckOf(string sealedText)
    {
        ArgumentNullException.ThrowIfNull(sealedText);
        byte[] bytes = new byte[(sealedText.Length / 4 * 3) + 3];
        return Convert.TryFromBase64String(sealedText, bytes, out int length)
            && length >= HeaderBytes + XAes256Gcm.TagBytes
            ? Convert.ToHexStringLower(bytes.AsSpan(0, CheckBytes))
            : null;
    }

    /// <summary>Seals a secret.</summary>
    /// <param name="secret">The secret.</param>
    /// <param name="place">Where it is kept: the id of the database and the path in its record.</param>
    /// <returns>Base64.</returns>
    public string Seal(string secret, string place)
    {
        byte[] plain = Encoding.UTF8.GetBytes(secret);
        byte[] bytes = new byte[HeaderBytes + plain.Length + XAes256Gcm.TagBytes];
        _check.CopyTo(bytes, 0);
        Span<byte> nonce = bytes.AsSpan(CheckBytes, XAes256Gcm.NonceBytes);
        RandomNumberGenerator.Fill(nonce);
        XAes256Gcm.Seal(_key, nonce, plain, Encoding.UTF8.GetBytes(place), bytes.AsSpan(HeaderBytes));
        CryptographicOperations.ZeroMemory(plain);
        return Convert.ToBase64String(bytes);
    }

    /// <summary>Opens a secret.</summary>
    /// <param name="sealedText">What <see cref="Seal"/> gave.</param>
    /// <param name="place">The same place.</param>
    /// <exception cref="MasterKeyException">Another key or place sealed it, or it is damaged.</exception>
    public string Open(string sealedText, string place)
    {
        ArgumentNullException.ThrowIfNull(sealedText);
        byte[] bytes = new byte[(sealedText.Length / 4 * 3) + 3];
        if (!Convert.TryFromBase64String(sealedText, bytes, out int length)
            || length < HeaderBytes + XAes256Gcm.TagBytes)
        {
            throw new MasterKeyException($"The sealed secret at '{place}' is damaged.");
        }

        if (!CryptographicOperations.FixedTimeEquals(bytes.AsSpan(0, CheckBytes), _check))
        {
            throw new MasterKeyException(
                $"The secret at '{place}' was sealed under another master key. Set Security.MasterKey.Path to that "
                + "key, or give the secret anew.");
        }

        byte[] plain = new byte[length - HeaderBytes - XAes256Gcm.TagBytes];
        try
        {
            return XAes256Gcm.TryOpen(
                _key, bytes.AsSpan(CheckBytes, XAes256Gcm.NonceBytes), bytes.AsSpan(HeaderBytes, length - HeaderBytes),
                Encoding.UTF8.GetBytes(place), plain)
                ? Encoding.UTF8.GetString(plain)
                : throw new MasterKeyException(
                    $"The sealed secret at '{place}' was sealed at another place, or is damaged. Give it anew.");
        }
        finally
        {
            CryptographicOperations.ZeroMemory(plain);
        }
    }

    /// <summary>Clears the key from memory.</summary>
    public void Dispose() => CryptographicOperations.ZeroMemory(_key);
}
