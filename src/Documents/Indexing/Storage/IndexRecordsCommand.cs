using Raven.Documents.Commands;
using Raven.Storage.Trees;

namespace Raven.Documents.Indexing.Storage;

/// <summary>Writes and removes records of indexes, as one change.</summary>
internal sealed class IndexRecordsCommand(IReadOnlyList<IndexRecord> put, IReadOnlyList<string> deleted)
    : DocumentCommand
{
    private protected override void Execute(DocumentWriter writer)
    {
        Tree tree = writer.Tables.Transaction.OpenOrCreateTree(IndexRecords.TreeName);
        foreach (string name in deleted)
        {
            tree.Delete(IndexRecords.KeyOf(name));
        }

        foreach (IndexRecord record in put)
        {
            tree.Put(IndexRecords.KeyOf(record.Definition.Name), record.ToBytes());
        }
    }
}
