using Raven.Blittable.Reading;

namespace Raven.Documents.Sweeps;

/// <summary>The <c>@archived</c> in the metadata of a document.</summary>
internal static class ArchivedMark
{
    internal static ReadOnlySpan<byte> Name => "@archived"u8;

    /// <summary>Whether a document is archived.</summary>
    internal static bool IsOf(BlittableObject document) =>
        document.TryGet("@metadata"u8, out BlittableValue metadata)
        && metadata.TryGetObject(out BlittableObject members)
        && members.TryGet(Name, out BlittableValue archived)
        && archived.TryGetBoolean(out bool isArchived) && isArchived;
}
