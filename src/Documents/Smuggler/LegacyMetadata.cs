using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Blittable.Writing;

namespace Raven.Documents.Smuggler;

/// <summary>The metadata of documents in dumps of RavenDB 3.x, which has another name for the collection.</summary>
internal static class LegacyMetadata
{
    /// <summary>The name of the collection in such metadata.</summary>
    internal static ReadOnlySpan<byte> CollectionName => "Raven-Entity-Name"u8;

    /// <summary>The document with the collection under its name of today; others stay as they are.</summary>
    internal static BlittableObject Rewrite(
        OperationContext context, BlittableObject document, BlittableObject metadata)
    {
        if (!metadata.IsValid || metadata.IndexOf("@collection"u8) >= 0
            || !metadata.TryGet(CollectionName, out BlittableValue collection)
            || collection.Kind != ValueKind.String)
        {
            return document;
        }

        BlittableWriter writer = context.Writer;
        writer.Begin(BlittableMode.ToDisk);
        writer.StartObject();
        WriteMembers(writer, document, "@metadata"u8);
        writer.Name("@metadata"u8);
        writer.StartObject();
        writer.Name("@collection"u8);
        writer.Value(collection);
        WriteMembers(writer, metadata, CollectionName);
        writer.EndObject();
        writer.EndObject();
        return writer.Finish().AsObject();
    }

    private static void WriteMembers(BlittableWriter writer, BlittableObject source, ReadOnlySpan<byte> except)
    {
        int[] order = new int[source.Count];
        source.GetOriginalOrder(order);
        foreach (int index in order)
        {
            BlittableProperty property = source.GetProperty(index);
            if (!property.Name.SequenceEqual(except))
            {
                writer.Name(property.Name);
                writer.Value(property.Value);
            }
        }
    }
}
