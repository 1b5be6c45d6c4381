using Raven.Blittable.Json;
using Raven.Documents.Rows;

namespace Raven.Documents.Attachments;

/// <summary>What answers say of an attachment.</summary>
public static class AttachmentJson
{
    /// <summary>Writes <c>Name</c>, <c>Hash</c>, <c>ContentType</c> and <c>Size</c>, without the braces.</summary>
    public static void WriteDetails(
        ref JsonOutput json, ReadOnlySpan<byte> name, ReadOnlySpan<byte> hash, ReadOnlySpan<byte> contentType,
        long size)
    {
        json.Name("Name"u8);
        json.String(name);
        json.Name("Hash"u8);
        WriteHash(ref json, hash);
        json.Name("ContentType"u8);
        json.String(contentType);
        json.Name("Size"u8);
        json.Number(size);
    }

    /// <summary>Writes a hash as text.</summary>
    internal static void WriteHash(ref JsonOutput json, ReadOnlySpan<byte> hash)
    {
        Span<byte> text = stackalloc byte[AttachmentHash.TextSizeBytes];
        AttachmentHash.Format(hash, text);
        json.String(text);
    }
}
