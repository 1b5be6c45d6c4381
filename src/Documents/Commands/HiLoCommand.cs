using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Blittable.Writing;
using Raven.Documents.Ids;
using Raven.Documents.Rows;

namespace Raven.Documents.Commands;

/// <summary>
/// What the two HiLo commands share: the document <c>Raven/Hilo/users</c> in collection <c>@hilo</c>, whose
/// <c>Max</c> is the last number of "users" that was reserved for any client.
/// </summary>
public abstract class HiLoCommand : DocumentCommand
{
    private DocumentOperation _operation;
    private OperationContext? _context;

    private protected HiLoCommand()
    {
    }

    private static ReadOnlySpan<byte> IdPrefix => "Raven/Hilo/"u8;

    private static ReadOnlySpan<byte> CollectionName => "@hilo"u8;

    /// <summary>Prepares the document's operation.</summary>
    private protected bool TryReset(OperationContext context, ReadOnlySpan<byte> tag)
    {
        _context = context;
        _operation = default;
        Failure = default;
        Arena arena = context.Arena;
        NativeSlice id = arena.Allocate(IdPrefix.Length + tag.Length);
        IdPrefix.CopyTo(id.WritableSpan);
        tag.CopyTo(id.WritableSpan[IdPrefix.Length..]);
        NativeSlice key = arena.Allocate(DocumentId.SizeBytesMax);
        DocumentIdError error = new(DocumentIdProblem.Empty, 0);
        if (tag.IsEmpty || !DocumentId.TryFold(id.Span, key.WritableSpan, out int length, out error))
        {
            Failure = new CommandFailure { Kind = CommandFailureKind.BadId, Id = id, IdError = error };
            return false;
        }

        _operation.Id = id;
        _operation.Key = key.Slice(0, length);
        _operation.Collection = arena.Allocate(CollectionName.Length);
        CollectionName.CopyTo(_operation.Collection.WritableSpan);
        _operation.CollectionKey = _operation.Collection;
        _operation.ChangeVectorBuffer = arena.Allocate(ChangeVector.LocalSizeBytesMax);
        return true;
    }

    /// <summary>The last number that was reserved, or 0.</summary>
    private protected long ReadMax(DocumentWriter writer) =>
        writer.TryRead(_operation.Key.Span, out NativeSlice body)
        && BlittableObject.Open(body).TryGet("Max"u8, out BlittableValue value)
        && value.TryGetInt64(out long max)
            ? Math.Max(max, 0)
            : 0;

    /// <summary>Stores the last number that was reserved.</summary>
    private protected void WriteMax(DocumentWriter writer, long max)
    {
        BlittableWriter blittable = _context!.Writer;
        blittable.Begin(BlittableMode.ToDisk);
        blittable.StartObject();
        blittable.Name("Max"u8);
        blittable.Number(max);
        blittable.Name(StoredMetadata.PropertyName);
        blittable.StartObject();
        blittable.Name("@collection"u8);
        blittable.String(CollectionName);
        blittable.EndObject();
        blittable.EndObject();
        _operation.Document = blittable.Finish().Memory;
        writer.Put(ref _operation, named: null);
    }

    /// <summary>Refuses a number.</summary>
    private protected void FailOutOfRange() =>
        Failure = new CommandFailure { Kind = CommandFailureKind.OutOfRange, Id = _operation.Id };

    private protected override void Committed(DocumentWriter writer) =>
        CommandNotices.Notify(writer, new ReadOnlySpan<DocumentOperation>(in _operation));
}
