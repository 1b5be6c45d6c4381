using Raven.Blittable.Memory;
using Raven.Documents.Ids;
using Raven.Documents.Rows;

namespace Raven.Documents.Smuggler;

/// <summary>An attachment of a revision in a dump.</summary>
/// <param name="Key">Its folded name.</param>
/// <param name="Content">What it links to.</param>
/// <param name="Source">Where the bytes are.</param>
internal sealed record DumpRevisionAttachment(NativeSlice Key, AttachmentContent Content, DumpAttachment Source)
{
    /// <summary>Whether it has a name, in any case.</summary>
    internal bool IsNamed(NativeSlice name)
    {
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        return DocumentId.TryFold(name.Span, folded, out int length, out _)
            && folded[..length].SequenceEqual(Key.Span);
    }
}
