using System.Buffers.Binary;
using Raven.Blittable.Memory;

namespace Raven.Documents.Rows;

//   A counter's row is that of a document (RowLayout), with RowKind.Counters and the id of its document; its body:
//   OFFSET  SIZE  FIELD
//        0     8  Value
//        8     .  Name         UTF-8, as it was first written

/// <summary>A counter as it lies in storage: valid as long as the transaction that it came from.</summary>
public readonly struct StoredCounter
{
    internal const int NameOffset = sizeof(long);

    private readonly NativeSlice _row;

    internal StoredCounter(NativeSlice row) => _row = row;

    /// <summary>The value of the counter.</summary>
    public long Value => BinaryPrimitives.ReadInt64LittleEndian(RowLayout.Body(_row).Span);

    /// <summary>The name of the counter, UTF-8, as it was first written.</summary>
    public NativeSlice Name => RowLayout.Body(_row).Slice(NameOffset);

    /// <summary>The id of its document, UTF-8.</summary>
    public NativeSlice DocumentId => RowLayout.Id(_row);

    /// <summary>The change vector of the counter, UTF-8.</summary>
    public NativeSlice ChangeVector => RowLayout.ChangeVector(_row);

    /// <summary>The change that wrote this value.</summary>
    internal long Etag => RowLayout.ReadHeader(_row.Span).Etag;

    /// <summary>The collection of its document when this value was written.</summary>
    internal int CollectionId => RowLayout.ReadHeader(_row.Span).CollectionId;
}
