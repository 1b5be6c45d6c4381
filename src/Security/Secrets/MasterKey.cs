using System.Buffers.Text;
using System.Security.Cryptography;
using System.Text;
using Raven.Security.Files;

namespace Raven.Security.Secrets;

//   MASTER-1  The key is not in the folder of the data: a copy of the data is no copy of the key.
//   MASTER-2  A file that others can read, that is theirs, or that is a link, is refused. It is not mended: it may have
//             been read.
//   MASTER-3  No part of the product uses the key itself; each use has a key of its own, derived by HKDF (RFC 5869).

/// <summary>The key under which the server seals its secrets: 32 bytes, in memory while the server runs.</summary>
public sealed class MasterKey : IDisposable
{
    /// <summary>The number of its bytes.</summary>
    public const int SizeBytes = 32;

    private const int FileBytesMax = 4096;

    private readonly byte[] _key;

    private MasterKey(byte[] key)
    {
        _key = key;
    }

    /// <summary>Takes a key from bytes: 32 of them, or their base64.</summary>
    /// <exception cref="MasterKeyException">They are neither, or all are zero.</exception>
    public static MasterKey Of(ReadOnlySpan<byte> bytes, string name)
    {
        byte[] key = new byte[SizeBytes];
        if (bytes.Length == SizeBytes)
        {
            bytes.CopyTo(key);
        }
        else if (!IsBase64(bytes, key))
        {
            throw new MasterKeyException(
                $"{name} has {bytes.Length} bytes: a master key is {SizeBytes} bytes, or their base64.");
        }

        return key.AsSpan().ContainsAnyExcept((byte)0)
            ? new MasterKey(key)
            : throw new MasterKeyException($"{name} is nothing but zeros: it is no key.");
    }

    /// <summary>Reads the key of a file.</summary>
    /// <exception cref="MasterKeyException">It cannot be used.</exception>
    public static MasterKey Read(string path)
    {
        var file = new FileInfo(path);
        if (file.LinkTarget != null)
        {
            throw new MasterKeyException($"The master key '{path}' is a link. Give the path of the file itself.");
        }

        if (!file.Exists)
        {
            throw new MasterKeyException($"There is no master key at '{path}'.");
        }

        if (!OperatingSystem.IsWindows() && (file.UnixFileMode & ~OwnerOnly.Mode) != 0)
        {
            throw new MasterKeyException(
                $"The master key '{path}' can be read by others (mode {Convert.ToString((int)file.UnixFileMode, 8)}). "
                + $"If it was not: chmod 600 '{path}'. If it may have been read, rotate it: raven keys rotate.");
        }

        try
        {
            if (FileOwner.OtherThanOwn(path) is { } owner)
            {
                throw new MasterKeyException(
                    $"The master key '{path}' belongs to another user ({owner}), who can read it. If it may have been "
                    + $"read, rotate it once it is the server's: chown {FileOwner.OwnUser()} '{path}'.");
            }

            return file.Length <= FileBytesMax
                ? Of(File.ReadAllBytes(path), $"The master key '{path}'")
                : throw new MasterKeyException($"The master key '{path}' has {file.Length:N0} bytes.");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new MasterKeyException($"The master key '{path}' cannot be read: {e.Message}", e);
        }
    }

    /// <summary>A new random key, which is in no file.</summary>
    public static MasterKey Make() => new(RandomNumberGenerator.GetBytes(SizeBytes));

    /// <summary>A key for one use, derived from this one.</summary>
    /// <param name="purpose">Names the use, such as <c>raven sealed fields</c>.</param>
    public byte[] Derive(string purpose) =>
        HKDF.DeriveKey(HashAlgorithmName.SHA256, _key, XAes256Gcm.KeyBytes, [], Encoding.UTF8.GetBytes(purpose));

    /// <summary>Clears it from memory.</summary>
    public void Dispose() => CryptographicOperations.ZeroMemory(_key);

    private static bool IsBase64(ReadOnlySpan<byte> bytes, byte[] key)
    {
        ReadOnlySpan<byte> text = bytes.TrimEnd("\r\n "u8);
        Span<byte> decoded = stackalloc byte[SizeBytes + 3];
        bool isKey = text.Length <= 44
            && Base64.DecodeFromUtf8(text, decoded, out int read, out int length)
                == System.Buffers.OperationStatus.Done
            && read == text.Length && length == SizeBytes;
        if (isKey)
        {
            decoded[..SizeBytes].CopyTo(key);
        }

        CryptographicOperations.ZeroMemory(decoded);
        return isKey;
    }

    /// <summary>Writes it to a file for its owner alone.</summary>
    internal void Write(Stream file) => file.Write(_key);
}
