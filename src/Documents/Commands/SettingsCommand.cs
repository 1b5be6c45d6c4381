using Raven.Documents.Rows;
using Raven.Documents.Rules;
using Raven.Documents.Settings;
using Raven.Storage.Trees;

namespace Raven.Documents.Commands;

/// <summary>Writes a setting. In effect after the database has loaded its settings anew.</summary>
internal sealed class SettingsCommand(string name, byte[] json) : DocumentCommand
{
    private protected override void Execute(DocumentWriter writer)
    {
        Tree tree = writer.Tables.Transaction.OpenOrCreateTree(SettingsStore.TreeName);
        Span<byte> key = stackalloc byte[name.Length];
        System.Text.Encoding.ASCII.GetBytes(name, key);
        tree.Put(key, json);
        if (name == SettingsStore.UniqueConstraints && UniqueStates.Reconcile(writer.Tables.Transaction, json))
        {
            writer.Tables.Transaction.OpenOrCreateTree(UniqueValues.TreeName);

            // A server that does not know of constraints would not keep them.
            writer.Tables.RaiseFormat(DocumentSchema.FormatVersionWithUnique);
        }
    }
}
