using System.Buffers.Text;
using System.Security.Cryptography;

namespace Raven.Documents.Rows;

/// <summary>What attachments are known by: the SHA-256 of their bytes, on the wire as base64.</summary>
public static class AttachmentHash
{
    public const int SizeBytes = SHA256.HashSizeInBytes;

    public const int TextSizeBytes = 44;

    /// <summary>Writes the text of a hash, <see cref="TextSizeBytes"/> characters.</summary>
    public static void Format(ReadOnlySpan<byte> hash, Span<byte> text) =>
        Base64.EncodeToUtf8(hash, text, out _, out _);

    /// <summary>Reads the text of a hash.</summary>
    internal static bool TryParse(ReadOnlySpan<byte> text, Span<byte> hash) =>
        text.Length == TextSizeBytes
        && Base64.DecodeFromUtf8(text, hash, out _, out int length) == System.Buffers.OperationStatus.Done
        && length == SizeBytes;
}
