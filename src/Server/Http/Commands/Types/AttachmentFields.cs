using Raven.Blittable.Memory;
using Raven.Documents.Ids;
using Raven.Documents.Rows;

namespace Raven.Server.Http.Commands.Types;

/// <summary>What the commands on attachments have in common.</summary>
internal static class AttachmentFields
{
    /// <summary>The longest content type.</summary>
    internal const int ContentTypeSizeBytesMax = 512;

    /// <summary>The key of the attachment that two texts name.</summary>
    /// <exception cref="BadRequestException">One of them is not valid.</exception>
    internal static NativeSlice Key(Arena arena, ReadOnlySpan<byte> id, ReadOnlySpan<byte> name)
    {
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        if (!DocumentId.TryFold(id, folded, out int length, out DocumentIdError error))
        {
            throw new BadRequestException(400, ErrorType.Argument, $"Bad id: {error.Describe()}");
        }

        return AttachmentKey.TryMake(arena, folded[..length], name, out NativeSlice key, out error)
            ? key
            : throw new BadRequestException(400, ErrorType.Argument, $"Bad name of an attachment: {error.Describe()}");
    }

    /// <summary>Refuses a text that cannot be a header's value.</summary>
    internal static void CheckContentType(ReadOnlySpan<byte> contentType)
    {
        if (contentType.Length > ContentTypeSizeBytesMax
            || contentType.ContainsAnyExceptInRange((byte)0x20, (byte)0x7E))
        {
            throw new BadRequestException(
                400, ErrorType.Argument,
                $"A content type has at most {ContentTypeSizeBytesMax} characters, all of them printable ASCII.");
        }
    }
}
