using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Lucene.Engine;
using Raven.Storage.Options;
using Raven.Storage.Platform;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>Builds an index of a set.</summary>
internal static class MovieIndex
{
    private const int BatchMax = 100_000;

    internal const string Keyword = "Keyword";
    internal const string Number = "Number";
    internal const string Text = "Text";

    internal static SearchIndex Create(string folder, SearchEngineType engine = SearchEngineType.Corax)
    {
        Directory.CreateDirectory(folder);
        return LuceneEngine.Open(
            new SearchIndexOptions { Storage = new StorageOptions { FileSystem = new RealFileSystem(folder) } },
            engine);
    }

    /// <summary>Whether an index has as many documents, all of which are committed.</summary>
    internal static bool IsOf(SearchIndex index, int count) =>
        index.ReadPosition().AsSpan().SequenceEqual(BitConverter.GetBytes(count));

    /// <summary>Indexes everything that is not indexed yet; many documents take several commits.</summary>
    internal static void Fill(SearchIndex index, SearchDocuments documents, bool isText)
    {
        int first = index.ReadPosition() is { Length: sizeof(int) } position ? BitConverter.ToInt32(position) : 0;
        while (first < documents.Count)
        {
            int count = Math.Min(BatchMax, documents.Count - first);
            using IndexBatch batch = index.BeginBatch();
            Add(batch, documents, first, count, isText);
            first += count;
            batch.Commit(BitConverter.GetBytes(first));
        }
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
        batch.Commit(BitConverter.GetBytes(documents.Count));
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

            // Once: a drawn one is drawn anew each time that it is read.
            byte[] words = documents.Texts[i];
            if (words.Length > 0)
            {
                batch.Add(text, words);
            }

            batch.EndEntry();
        }
    }
}
