using Raven.Blittable.Memory;
using Raven.Documents.Ids;
using Raven.Documents.Rows;
using Raven.Documents.Rules;
using Raven.Documents.Settings;
using Raven.Storage.Trees;

namespace Raven.Documents.Commands;

/// <summary>
/// One step of the work on a unique constraint, in one transaction: takes in documents from before it, or removes the
/// values of one that is gone. Short, so that writers do not wait for it.
/// </summary>
internal sealed class UniqueBuildCommand(int number) : DocumentCommand
{
    private const int DocumentsMax = 128;
    private const int KeysMax = 512;
    private const long BytesMax = 1024 * 1024;

    private readonly List<(long Etag, long RowId)> _documents = new(DocumentsMax);

    /// <summary>True if the work goes on.</summary>
    internal bool IsMore { get; private set; }

    private protected override void Execute(DocumentWriter writer)
    {
        IsMore = false;
        UniqueState? state = UniqueStates.Read(writer.Tables.Transaction, number);
        if (state?.Stage == UniqueStage.Dropping)
        {
            Drop(writer);
        }
        else if (state?.Stage == UniqueStage.Building && writer.Unique.TryUnsettled(number, out UniqueState? known)
            && writer.Settings.Unique is { } rules
            && Array.Find(rules.All, one => one.Number == number) is { } constraint)
        {
            Build(writer, constraint, known!);
        }
    }

    private void Build(DocumentWriter writer, UniqueConstraint constraint, UniqueState state)
    {
        state.IsChanged = true;
        if (state.StopEtag == 0)
        {
            state.StopEtag = Math.Max(1, writer.LastEtag);
        }

        Find(writer, constraint, state);
        long bytes = 0;
        Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
        foreach ((long etag, long rowId) in _documents)
        {
            NativeSlice row = writer.Tables.ReadDocument(rowId);
            DocumentId.TryFold(RowLayout.Id(row).Span, key, out int length, out _);
            bytes += row.Length;
            writer.Unique.AddExisting(constraint, key[..length], RowLayout.Body(row));
            state.BuiltEtag = etag;
            if (bytes > BytesMax)
            {
                IsMore = true;
                return;
            }
        }

        IsMore = _documents.Count == DocumentsMax;
        if (!IsMore)
        {
            state.Stage = state.Excess == 0 ? UniqueStage.Active : UniqueStage.Violated;
        }
    }

    /// <summary>Finds the next documents. Their rows stay where they are: only other structures change.</summary>
    private void Find(DocumentWriter writer, UniqueConstraint constraint, UniqueState state)
    {
        _documents.Clear();
        int collectionId = writer.Tables.FindCollection(constraint.CollectionKey);
        if (collectionId == 0 || writer.Tables.Transaction.TryOpenFixedTree(
            DocumentSchema.CollectionDocuments(collectionId)) is not { } tree)
        {
            return;
        }

        FixedTreeCursor cursor = tree.GetCursor();
        for (bool more = cursor.Seek(state.BuiltEtag + 1);
            more && cursor.Key <= state.StopEtag && _documents.Count < DocumentsMax;
            more = cursor.MoveNext())
        {
            _documents.Add((cursor.Key, cursor.Int64Value));
        }
    }

    private void Drop(DocumentWriter writer)
    {
        Tree tree = writer.Tables.Transaction.OpenOrCreateTree(UniqueValues.TreeName);
        Span<byte> prefix = stackalloc byte[sizeof(int)];
        System.Buffers.Binary.BinaryPrimitives.WriteInt32BigEndian(prefix, number);
        Span<byte> key = stackalloc byte[UniqueValues.KeySizeBytesMax];
        for (int i = 0; i < KeysMax; i++)
        {
            TreeCursor cursor = tree.GetCursor();
            if (!cursor.Seek(prefix) || !cursor.Key.StartsWith(prefix))
            {
                UniqueStates.Remove(writer.Tables.Transaction, number);
                return;
            }

            int length = cursor.Key.Length;
            cursor.Key.CopyTo(key);
            tree.Delete(key[..length]);
        }

        IsMore = true;
    }
}
