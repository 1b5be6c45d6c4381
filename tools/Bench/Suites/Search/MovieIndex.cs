using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Storage.Options;
using Raven.Storage.Platform;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>Builds an index of a set, in batches of a thousand or as one.</summary>
internal static class MovieIndex
{
    internal const string Keyword = "Keyword";
    internal const string Number = "Number";
    internal const string Text = "Text";

    internal static SearchIndex Create(string folder)
    {
        Directory.CreateDirectory(folder);
        return SearchIndex.Open(new SearchIndexOptions
        {
            Storage = new StorageOptions { FileSystem = new RealFileSystem(folder) },
        });
    }

    /// <summary>Indexes everything, and commits.</summary>
    internal static void Fill(SearchIndex index, SearchDocuments documents, bool isText)
    {
        using IndexBatch batch = index.BeginBatch();
        Add(batch, documents, 0, documents.Count, isText);
        batch.Commit(BitConverter.GetBytes(documents.Count));
    }

    /// <summary>Replaces documents by themselves, and commits.</summary>
    internal static void Replace(SearchIndex index, SearchDocuments documents, int first, int count)
    {
        using IndexBatch batch = index.BeginBatch();
        for (int i = first; i < first + count; i++)
        {
            batch.Delete(documents.Ids[i]);
        }

        Add(batch, documents, first, count, isText: true);
        batch.Commit(BitConverter.GetBytes(first));
    }

    private static void Add(IndexBatch batch, SearchDocuments documents, int first, int count, bool isText)
    {
        IndexField keyword = batch.GetOrAddField(Keyword, FieldKind.Exact, Analyzers.Keyword);
        IndexField number = batch.GetOrAddField(Number, FieldKind.Exact, Analyzers.Keyword);
        IndexField text = batch.GetOrAddField(
            Text, isText ? FieldKind.FullText : FieldKind.Exact, isText ? Analyzers.Standard : Analyzers.Keyword);
        for (int i = first; i < first + count; i++)
        {
            batch.BeginEntry(documents.Ids[i]);
            foreach (byte[] value in documents.Keywords[i])
            {
                batch.Add(keyword, value);
            }

            if (documents.Numbers[i] is { } year)
            {
                batch.Add(number, year);
            }

            if (documents.Texts[i].Length > 0)
            {
                batch.Add(text, documents.Texts[i]);
            }

            batch.EndEntry();
        }
    }
}
