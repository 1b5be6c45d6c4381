using System.Buffers.Text;
using System.IO.Hashing;
using System.Security.Cryptography;
using System.Text;

namespace Raven.Security.Keys;

//   rvk_  ID  _  SECRET  _  CHECK
//
//   ID      12 characters of base32 (RFC 4648, small letters): 60 random bits; the key is found by it
//   SECRET  43 characters of base64url without padding: 256 random bits
//   CHECK   6 characters of base32: the first 30 bits of CRC-32 over all before it, most significant bit first
//
// The fixed beginning and the check are for programs that look for secrets in sources and logs: they find a key and
// know that it is one without asking the server.

/// <summary>An API key in its parts. The secret is shown once, when it is made, and kept as its hash.</summary>
public static class ApiKey
{
    /// <summary>What every key begins with.</summary>
    public const string Prefix = "rvk_";

    /// <summary>The number of characters of an id.</summary>
    public const int IdLength = 12;

    /// <summary>The number of characters of a key.</summary>
    public const int Length = 4 + IdLength + 1 + SecretLength + 1 + CheckLength;

    private const int SecretBytes = 32;
    private const int SecretLength = 43;
    private const int CheckLength = 6;
    private const int SecretAt = 4 + IdLength + 1;
    private const int CheckAt = SecretAt + SecretLength + 1;
    private const string Base32 = "abcdefghijklmnopqrstuvwxyz234567";

    /// <summary>Makes a new key for an id.</summary>
    public static string Make(string id)
    {
        ArgumentNullException.ThrowIfNull(id);
        Span<byte> secret = stackalloc byte[SecretBytes];
        RandomNumberGenerator.Fill(secret);
        string body = $"{Prefix}{id}_{Base64Url.EncodeToString(secret)}_";
        CryptographicOperations.ZeroMemory(secret);
        return body + CheckOf(body);
    }

    /// <summary>Makes a new id.</summary>
    public static string MakeId() => RandomNumberGenerator.GetString(Base32, IdLength);

    /// <summary>What is kept of a key: SHA-256. No slow hash is needed, as 256 random bits cannot be guessed.</summary>
    public static byte[] HashOf(string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        byte[] hash = new byte[SHA256.HashSizeInBytes];
        Hash(key, hash);
        return hash;
    }

    /// <summary>The same without an allocation.</summary>
    /// <param name="key">A key of <see cref="Length"/> ASCII characters.</param>
    /// <param name="hash">Receives 32 bytes.</param>
    public static void Hash(ReadOnlySpan<char> key, Span<byte> hash)
    {
        Span<byte> bytes = stackalloc byte[Length];
        int length = Encoding.ASCII.GetBytes(key, bytes);
        SHA256.HashData(bytes[..length], hash);
        CryptographicOperations.ZeroMemory(bytes);
    }

    /// <summary>The id in a text that has the form of a key. Another text is refused before any look-up.</summary>
    public static bool TryGetId(ReadOnlySpan<char> key, out ReadOnlySpan<char> id)
    {
        id = default;
        if (key.Length != Length || !key.StartsWith(Prefix, StringComparison.Ordinal)
            || key[SecretAt - 1] != '_' || key[CheckAt - 1] != '_' || !Ascii.IsValid(key))
        {
            return false;
        }

        Span<char> check = stackalloc char[CheckLength];
        WriteCheck(key[..CheckAt], check);
        if (!key[CheckAt..].SequenceEqual(check))
        {
            return false;
        }

        id = key.Slice(Prefix.Length, IdLength);
        return true;
    }

    private static string CheckOf(string body) =>
        string.Create(CheckLength, body, static (check, text) => WriteCheck(text, check));

    private static void WriteCheck(ReadOnlySpan<char> body, Span<char> check)
    {
        Span<byte> bytes = stackalloc byte[Length];
        int length = Encoding.ASCII.GetBytes(body, bytes);
        uint crc = Crc32.HashToUInt32(bytes[..length]);
        for (int i = 0; i < check.Length; i++)
        {
            check[i] = Base32[(int)((crc >> (27 - (5 * i))) & 31)];
        }
    }
}
