using Raven.Documents.Commands;

namespace Raven.Documents.Indexing.Extensions;

/// <summary>Writes the analyzers and sorters of a database.</summary>
internal sealed class ExtensionsCommand(IReadOnlyList<ExtensionSource> put, ExtensionKind kind, string? deleted)
    : DocumentCommand
{
    private protected override void Execute(DocumentWriter writer) =>
        ExtensionStore.Write(writer.Tables.Transaction, put, kind, deleted);
}
