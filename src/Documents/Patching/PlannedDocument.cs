using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Commands;
using Raven.Documents.Rows;

namespace Raven.Documents.Patching;

/// <summary>
/// A document that a script reads: stored, or written by an earlier command of its batch and then without a version.
/// </summary>
public readonly struct PlannedDocument
{
    /// <summary>True if it exists.</summary>
    public bool Exists { get; init; }

    /// <summary>The id of the document, UTF-8, as it was last written.</summary>
    public NativeSlice Id { get; init; }

    /// <summary>The bytes of the document.</summary>
    public NativeSlice Data { get; init; }

    /// <summary>Its version, UTF-8; empty if the batch wrote it.</summary>
    public NativeSlice ChangeVector { get; init; }

    /// <summary>When it was written; 0 if the batch wrote it.</summary>
    public long LastModifiedTicks { get; init; }

    /// <summary>Which kinds of data belong to it.</summary>
    public DocumentFlags Flags { get; init; }

    /// <summary>The collection that its metadata names.</summary>
    /// <param name="arena">The memory of the text.</param>
    internal NativeSlice CollectionIn(Arena arena)
    {
        if (BlittableObject.Open(Data).TryGet(StoredMetadata.PropertyName, out BlittableValue metadata)
            && metadata.TryGetObject(out BlittableObject facts)
            && facts.TryGet("@collection"u8, out BlittableValue collection) && collection.Kind == ValueKind.String)
        {
            return collection.GetUtf8(arena);
        }

        NativeSlice none = arena.Allocate(StoredMetadata.EmptyCollection.Length);
        StoredMetadata.EmptyCollection.CopyTo(none.WritableSpan);
        return none;
    }
}
