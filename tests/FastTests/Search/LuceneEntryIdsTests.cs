using System.Text;
using Lucene.Net.Analysis.Core;
using Lucene.Net.Documents;
using Lucene.Net.Index;
using Lucene.Net.Store;
using Lucene.Net.Util;
using Raven.Search.Lucene.Engine.Fields;
using Raven.Search.Lucene.Engine.Searchers;

namespace FastTests.Search;

/// <summary>Ids of entries that were written before they were kept as bytes, too.</summary>
public class LuceneEntryIdsTests
{
    [Fact]
    public void Ids_of_older_segments_are_read_alone_and_merged_with_newer_ones()
    {
        using RAMDirectory directory = new();
        IndexWriterConfig config = new(LuceneVersion.LUCENE_48, new KeywordAnalyzer());
        using IndexWriter writer = new(directory, config);
        Write(writer, "a/1", isOld: true);
        Write(writer, "a/2", isOld: true);
        writer.Commit();
        Write(writer, "b/1", isOld: false);
        writer.Commit();

        Assert.Equal(["a/1", "a/2", "b/1"], Read(writer, segments: 2));
        writer.ForceMerge(1);
        Assert.Equal(["a/1", "a/2", "b/1"], Read(writer, segments: 1));
    }

    private static void Write(IndexWriter writer, string id, bool isOld)
    {
        BytesRef bytes = new([1, .. Encoding.UTF8.GetBytes(id)]);
        Document document = [new SortedDocValuesField(LuceneNames.Id, bytes)];
        if (!isOld)
        {
            document.Add(new BinaryDocValuesField(LuceneNames.IdBytes, bytes));
        }

        writer.AddDocument(document);
    }

    private static List<string> Read(IndexWriter writer, int segments)
    {
        using DirectoryReader reader = writer.GetReader(applyAllDeletes: true);
        Assert.Equal(segments, reader.Leaves.Count);
        List<string> found = [];
        foreach (AtomicReaderContext leaf in reader.Leaves)
        {
            EntryIds ids = new(leaf.AtomicReader);
            for (int entry = 0; entry < leaf.Reader.MaxDoc; entry++)
            {
                found.Add(Encoding.UTF8.GetString(ids.IdOf(entry)));
            }
        }

        found.Sort(StringComparer.Ordinal);
        return found;
    }
}
