using System.Text;
using System.Text.Json;
using Raven.Documents.Settings;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Indexing.Extensions;

//   NAME             STRUCTURE  KEY                                            VALUE
//   IndexExtensions  Tree       'A' or 'S' and the name, upper case, UTF-8     JSON: {"Name", "Code"}

/// <summary>The stored analyzers and sorters of a database, or of all databases in the catalog.</summary>
internal static class ExtensionStore
{
    private static ReadOnlySpan<byte> TreeName => "IndexExtensions"u8;

    /// <summary>Reads all stored analyzers and sorters.</summary>
    internal static List<ExtensionSource> ReadAll(Transaction transaction)
    {
        List<ExtensionSource> sources = [];
        if (transaction.TryOpenTree(TreeName) is not { } tree)
        {
            return sources;
        }

        TreeCursor cursor = tree.GetCursor();
        for (bool isMore = cursor.SeekFirst(); isMore; isMore = cursor.MoveNext())
        {
            using JsonDocument json = StoredJson.Parse(cursor.Value.Span);
            sources.Add(new ExtensionSource(
                cursor.Key[0] == (byte)'A' ? ExtensionKind.Analyzer : ExtensionKind.Sorter,
                json.RootElement.GetProperty("Name"u8).GetString()!,
                json.RootElement.GetProperty("Code"u8).GetString()!));
        }

        return sources;
    }

    /// <summary>Stores some analyzers and sorters, and removes one.</summary>
    internal static void Write(
        WriteTransaction transaction, IEnumerable<ExtensionSource> put, ExtensionKind kind, string? deleted)
    {
        Tree tree = transaction.OpenOrCreateTree(TreeName);
        foreach (ExtensionSource source in put)
        {
            tree.Put(KeyOf(source.Kind, source.Name), JsonSerializer.SerializeToUtf8Bytes(
                new Dictionary<string, string> { ["Name"] = source.Name, ["Code"] = source.Code }));
        }

        if (deleted is not null)
        {
            tree.Delete(KeyOf(kind, deleted));
        }
    }

    private static byte[] KeyOf(ExtensionKind kind, string name) =>
        Encoding.UTF8.GetBytes((kind == ExtensionKind.Analyzer ? "A" : "S") + name.ToUpperInvariant());
}
