using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Blittable.Writing;
using Raven.Documents.Sweeps;

namespace Raven.Documents.Commands;

/// <summary>
/// A document prepared for its row: its collection is known, and what only the server writes is removed from its
/// <c>@metadata</c>, so that it cannot contradict the row that the next read adds to it.
/// </summary>
internal readonly struct StoredMetadata
{
    /// <summary>The property that holds what is not the document's own content.</summary>
    internal static ReadOnlySpan<byte> PropertyName => "@metadata"u8;

    /// <summary>The document as it is to be stored.</summary>
    internal required NativeSlice Document { get; init; }

    /// <summary>Its collection, UTF-8; <c>@empty</c> if it names none.</summary>
    internal required NativeSlice Collection { get; init; }

    /// <summary>When the document expires, UTC ticks; 0 if it does not.</summary>
    internal long ExpiresTicks { get; init; }

    /// <summary>When the document is refreshed, UTC ticks; 0 if it is not.</summary>
    internal long RefreshTicks { get; init; }

    /// <summary>When the document is archived, UTC ticks; 0 if it is not.</summary>
    internal long ArchiveTicks { get; init; }

    /// <summary>The collection of documents that name none.</summary>
    internal static ReadOnlySpan<byte> EmptyCollection => "@empty"u8;

    /// <summary>Reads a document, and rewrites it if it has something to remove. Otherwise it is not copied.</summary>
    /// <param name="context">The memory of a rewritten document.</param>
    /// <param name="document">The document, or an object inside a larger one.</param>
    /// <param name="prepared">What to store.</param>
    /// <returns>False if <c>@metadata</c> is not an object, <c>@collection</c> not a text, or <c>@expires</c> or
    /// <c>@refresh</c> not a time.</returns>
    internal static bool TryPrepare(OperationContext context, BlittableObject document, out StoredMetadata prepared)
    {
        prepared = default;
        BlittableObject metadata = default;
        bool hasMetadata = document.TryGet(PropertyName, out BlittableValue value);
        if (hasMetadata && !value.TryGetObject(out metadata))
        {
            return false;
        }

        if (!TryReadCollection(context.Arena, metadata, out NativeSlice collection))
        {
            return false;
        }

        if (!DueTimes.TryRead(metadata, SweepKind.Expiration, out long expires)
            || !DueTimes.TryRead(metadata, SweepKind.Refresh, out long refresh)
            || !DueTimes.TryRead(metadata, SweepKind.Archival, out long archive))
        {
            return false;
        }

        bool isReady = document.IsRoot && !NamesServerOwned(metadata);
        prepared = new StoredMetadata
        {
            Collection = collection,
            ExpiresTicks = expires,
            RefreshTicks = refresh,
            ArchiveTicks = archive,
            Document = isReady ? document.Memory : Rewrite(context.Writer, document),
        };
        return true;
    }

    private static bool TryReadCollection(Arena arena, BlittableObject metadata, out NativeSlice collection)
    {
        collection = default;
        if (metadata.TryGet("@collection"u8, out BlittableValue value) && !value.IsNull)
        {
            if (value.Kind != ValueKind.String)
            {
                return false;
            }

            collection = value.GetUtf8(arena);
        }

        if (collection.IsEmpty)
        {
            collection = arena.Allocate(EmptyCollection.Length);
            EmptyCollection.CopyTo(collection.WritableSpan);
        }

        return true;
    }

    private static bool NamesServerOwned(BlittableObject metadata)
    {
        for (int i = 0; i < metadata.Count; i++)
        {
            if (ServerMetadata.Owns(metadata.GetProperty(i).Name))
            {
                return true;
            }
        }

        return false;
    }

    private static NativeSlice Rewrite(BlittableWriter writer, BlittableObject document)
    {
        writer.Begin(BlittableMode.ToDisk);
        WriteObject(writer, document, isMetadata: false);
        return writer.Finish().Memory;
    }

    private static void WriteObject(BlittableWriter writer, BlittableObject source, bool isMetadata)
    {
        const int onStack = 64;
        Span<int> order = source.Count <= onStack ? stackalloc int[onStack] : new int[source.Count];
        order = order[..source.Count];
        source.GetOriginalOrder(order);
        writer.StartObject();
        foreach (int index in order)
        {
            BlittableProperty property = source.GetProperty(index);
            if (isMetadata && ServerMetadata.Owns(property.Name))
            {
                continue;
            }

            writer.Name(property.Name);
            if (!isMetadata && property.Name.SequenceEqual(PropertyName))
            {
                WriteObject(writer, property.Value.AsObject(), isMetadata: true);
            }
            else
            {
                writer.Value(property.Value);
            }
        }

        writer.EndObject();
    }
}
