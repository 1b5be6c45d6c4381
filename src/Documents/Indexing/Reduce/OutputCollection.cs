using System.Buffers;
using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Blittable.Writing;
using Raven.Documents.Commands;

namespace Raven.Documents.Indexing.Reduce;

/// <summary>
/// Writes the results of a reduce as documents of a collection (<c>OutputReduceToCollection</c>), beside giving them to
/// the index, with ids of <c>Collection/</c> and a hash of the group's key. They are written before the batch of the
/// index is committed: after a crash between the two, the same documents are written again.
/// </summary>
internal sealed class OutputCollection : ReduceOutput, IDisposable
{
    private const int BatchCount = 1000;

    private static readonly SearchValues<byte> HexDigits = SearchValues.Create("0123456789abcdef"u8);

    private readonly ReduceOutput _index;
    private readonly Database _database;
    private readonly string _collection;
    private readonly OperationContext _context = new();
    private readonly BatchCommand _batch = new(hashSeed: 0x5EED);

    /// <summary>Makes an output.</summary>
    /// <param name="index">Takes the results for the index.</param>
    /// <param name="database">Takes the documents.</param>
    /// <param name="collection">Their collection.</param>
    internal OutputCollection(ReduceOutput index, Database database, string collection)
    {
        _index = index;
        _database = database;
        _collection = collection;
        Drop();
    }

    internal override OperationContext Context => _index.Context;

    /// <summary>Forgets the documents of a batch that was dropped, as they will not be written.</summary>
    internal void Drop()
    {
        _context.Reset();
        _batch.Reset(_context);
    }

    /// <summary>Deletes the documents of an earlier definition of the index, or from before a rebuild.</summary>
    internal void DeleteAll()
    {
        bool isMore = _database.IsWriter;
        while (isMore)
        {
            using (DocumentSnapshot snapshot = _database.BeginRead("results of an index"))
            {
                DocumentCursor cursor = snapshot.DocumentsOfCollection(Encoding.UTF8.GetBytes(_collection), 0);
                isMore = false;
                while (cursor.MoveNext(out StoredDocument document) && !isMore)
                {
                    if (IsOurs(document.Id.Span))
                    {
                        Check(_batch.TryAddDelete(document.Id.Span, ExpectedVersion.Any));
                        isMore = _batch.Count >= BatchCount;
                    }
                }
            }

            Submit();
        }
    }

    internal override void Put(ReadOnlySpan<byte> groupKey, BlittableObject result)
    {
        BlittableWriter writer = _context.Writer;
        writer.Begin(BlittableMode.ToDisk);
        writer.StartObject();
        Span<int> order = new int[result.Count];
        result.GetOriginalOrder(order);
        foreach (int index in order)
        {
            BlittableProperty property = result.GetProperty(index);
            if (!property.Name.SequenceEqual("@metadata"u8))
            {
                writer.Name(property.Name);
                writer.Value(property.Value);
            }
        }

        writer.Name("@metadata"u8);
        writer.StartObject();
        writer.Name("@collection"u8);
        writer.String(_collection);
        writer.Name("@flags"u8);
        writer.String("Artificial, FromIndex");
        writer.EndObject();
        writer.EndObject();
        BlittableObject document = writer.Finish().AsObject();
        Check(_batch.TryAddPut(IdOf(groupKey), document, ExpectedVersion.Any, skipIfUnchanged: true));
        _index.Put(groupKey, result);
        SubmitIfLarge();
    }

    internal override void Delete(ReadOnlySpan<byte> groupKey)
    {
        Check(_batch.TryAddDelete(IdOf(groupKey), ExpectedVersion.Any));
        _index.Delete(groupKey);
        SubmitIfLarge();
    }

    internal override void Fail(ReadOnlySpan<byte> groupKey, Exception failure) => _index.Fail(groupKey, failure);

    /// <summary>Writes the documents, and waits until they are durable. On a node that does not write, the primary's
    /// index has written them; if this one becomes the primary, the index is made anew.</summary>
    internal void Submit()
    {
        if (_batch.Count > 0 && _database.IsWriter)
        {
            _database.SubmitAsync(_batch).AsTask().GetAwaiter().GetResult();
            Check(_batch.Failure.IsNone);
        }

        Drop();
    }

    public void Dispose() => _context.Dispose();

    private void SubmitIfLarge()
    {
        if (_batch.Count >= BatchCount)
        {
            Submit();
        }
    }

    private byte[] IdOf(ReadOnlySpan<byte> groupKey) =>
        Encoding.UTF8.GetBytes($"{_collection}/{Convert.ToHexStringLower(groupKey)}");

    /// <summary>Whether an id is the collection's name, a slash and the hex digits of a group.</summary>
    private bool IsOurs(ReadOnlySpan<byte> id)
    {
        int length = Encoding.UTF8.GetByteCount(_collection);
        ReadOnlySpan<byte> rest = id.Length > length ? id[length..] : default;
        return rest.Length == 1 + (2 * MapReduceStage.OutputKeySize) && rest[0] == (byte)'/'
            && !rest[1..].ContainsAnyExcept(HexDigits);
    }

    private void Check(bool isDone)
    {
        if (!isDone)
        {
            throw new InvalidOperationException(
                $"A result could not be written to '{_collection}': {_batch.Failure.Describe()}");
        }
    }
}
