using System.Buffers.Binary;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Blittable.Writing;
using Raven.Documents.Ids;
using Raven.Documents.Rows;
using Raven.Documents.Sweeps;
using Raven.Storage.Trees;

namespace Raven.Documents.Commands;

/// <summary>Deletes, refreshes or archives some of the documents that are due, in one transaction.</summary>
internal sealed class SweepCommand(SweepKind kind, OperationContext context) : DocumentCommand
{
    private const int DocumentsMax = 256;

    private readonly DocumentOperation[] _changed = new DocumentOperation[DocumentsMax];
    private int _changedCount;

    /// <summary>True if there may be more.</summary>
    internal bool IsMore { get; private set; }

    /// <summary>How many documents were changed.</summary>
    internal int Count => _changedCount;

    private protected override void Execute(DocumentWriter writer)
    {
        _changedCount = 0;
        IsMore = true;
        Tree tree = writer.Tables.Transaction.OpenOrCreateTree(DueTimes.TreeOf(kind));
        Span<byte> key = stackalloc byte[DueTimes.KeySizeBytesMax];
        for (int i = 0; i < DocumentsMax; i++)
        {
            TreeCursor cursor = tree.GetCursor();
            if (!cursor.SeekFirst() || BinaryPrimitives.ReadInt64BigEndian(cursor.Key) > writer.Now.Ticks)
            {
                IsMore = false;
                return;
            }

            int length = cursor.Key.Length;
            cursor.Key.CopyTo(key);
            tree.Delete(key[..length]);
            Sweep(writer, BinaryPrimitives.ReadInt64BigEndian(key), key[sizeof(long)..length]);
        }
    }

    private protected override void Committed(DocumentWriter writer) =>
        CommandNotices.Notify(writer, _changed.AsSpan(0, _changedCount));

    private void Sweep(DocumentWriter writer, long dueTicks, ReadOnlySpan<byte> documentKey)
    {
        if (kind == SweepKind.CompareExchange)
        {
            RemoveValue(writer, dueTicks, documentKey);
            return;
        }

        if (!writer.Tables.TryFind(documentKey, out _, out NativeSlice row))
        {
            return;
        }

        NativeSlice copy = Copy(row.Span);
        BlittableObject document = BlittableObject.Open(RowLayout.Body(copy));
        if (!document.TryGet(StoredMetadata.PropertyName, out BlittableValue value)
            || !value.TryGetObject(out BlittableObject metadata)
            || !DueTimes.TryRead(metadata, kind, out long ticks) || ticks != dueTicks)
        {
            // DUE-1: the document has another time by now.
            return;
        }

        ref DocumentOperation operation = ref _changed[_changedCount++];
        operation = new DocumentOperation
        {
            Kind = kind == SweepKind.Expiration ? DocumentOperationKind.Delete : DocumentOperationKind.Put,
            Id = RowLayout.Id(copy),
            Key = Copy(documentKey),
            ChangeVectorBuffer = context.Arena.Allocate(ChangeVector.LocalSizeBytesMax),
        };
        if (kind == SweepKind.Expiration)
        {
            writer.Delete(ref operation);
            return;
        }

        DueTimes.TryRead(metadata, SweepKind.Expiration, out operation.ExpiresTicks);
        operation.Document = WithoutMark(document);
        operation.Collection = Copy(writer.Tables.CollectionName(RowLayout.ReadHeader(copy.Span).CollectionId));
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        DocumentId.TryFold(operation.Collection.Span, folded, out int length, out _);
        operation.CollectionKey = Copy(folded[..length]);
        writer.Put(ref operation, named: null);
    }

    private static void RemoveValue(DocumentWriter writer, long dueTicks, ReadOnlySpan<byte> key)
    {
        if (writer.CompareExchange.TryFind(key, out CompareExchangeValue stored)
            && stored.Value.TryGet(StoredMetadata.PropertyName, out BlittableValue value)
            && value.TryGetObject(out BlittableObject metadata)
            && DueTimes.TryRead(metadata, SweepKind.CompareExchange, out long ticks) && ticks == dueTicks)
        {
            writer.CompareExchange.Remove(key, writer.Tables);
        }
    }

    private NativeSlice WithoutMark(BlittableObject document)
    {
        BlittableWriter writer = context.Writer;
        writer.Begin(BlittableMode.ToDisk);
        Write(writer, document, isMetadata: false);
        return writer.Finish().Memory;
    }

    private void Write(BlittableWriter writer, BlittableObject source, bool isMetadata)
    {
        int[] order = new int[source.Count];
        source.GetOriginalOrder(order);
        writer.StartObject();
        foreach (int index in order)
        {
            BlittableProperty property = source.GetProperty(index);
            if (isMetadata && (property.Name.SequenceEqual(DueTimes.MarkOf(kind))
                || (kind == SweepKind.Archival && property.Name.SequenceEqual(ArchivedMark.Name))))
            {
                continue;
            }

            writer.Name(property.Name);
            if (!isMetadata && property.Name.SequenceEqual(StoredMetadata.PropertyName))
            {
                Write(writer, property.Value.AsObject(), isMetadata: true);
            }
            else
            {
                writer.Value(property.Value);
            }
        }

        if (isMetadata && kind == SweepKind.Archival)
        {
            writer.Name(ArchivedMark.Name);
            writer.Boolean(true);
        }

        writer.EndObject();
    }

    private NativeSlice Copy(ReadOnlySpan<byte> bytes)
    {
        NativeSlice copy = context.Arena.Allocate(bytes.Length);
        bytes.CopyTo(copy.WritableSpan);
        return copy;
    }
}
