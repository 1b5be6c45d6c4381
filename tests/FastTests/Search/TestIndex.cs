using System.Text;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Lucene.Engine;
using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Search;

/// <summary>A small index on a disk in memory.</summary>
internal sealed class TestIndex : IDisposable
{
    private readonly SimulatedFileSystem _disk = new();

    internal TestIndex(SearchEngineType engine = SearchEngineType.Corax) => Index = LuceneEngine.Open(
        new SearchIndexOptions
        {
            Storage = new StorageOptions { FileSystem = _disk, Scheduler = new ManualScheduler() },
        },
        engine);

    internal SearchIndex Index { get; }

    /// <summary>Adds documents d/0, d/1, ... with one field each; in two segments.</summary>
    internal void Add(string field, Analyzer analyzer, string[] values)
    {
        bool isWords = analyzer == Analyzers.Standard || analyzer == Analyzers.English;
        for (int half = 0; half < 2; half++)
        {
            using IndexBatch batch = Index.BeginBatch();
            IndexField made = batch.GetOrAddField(field, isWords ? FieldKind.FullText : FieldKind.Exact, analyzer);
            int middle = values.Length / 2;
            for (int i = half == 0 ? 0 : middle; i < (half == 0 ? middle : values.Length); i++)
            {
                batch.BeginEntry(Encoding.UTF8.GetBytes($"d/{i}"));
                batch.Add(made, Encoding.UTF8.GetBytes(values[i]));
                batch.EndEntry();
            }

            batch.Commit(default);
        }
    }

    public void Dispose()
    {
        Index.Dispose();
        _disk.Dispose();
    }
}
