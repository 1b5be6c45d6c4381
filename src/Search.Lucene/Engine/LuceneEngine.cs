using Raven.Search.Fields;
using Raven.Search.Segments;
using Raven.Storage.Errors;

namespace Raven.Search.Lucene.Engine;

/// <summary>Opens indexes of both engines.</summary>
public static class LuceneEngine
{
    /// <summary>Opens the index in a folder, or makes a new one.</summary>
    /// <param name="options">How it is opened.</param>
    /// <param name="wanted">Its engine; null for that which has written it.</param>
    /// <param name="preferred">The engine of a new one if none is wanted.</param>
    /// <exception cref="SearchIndexException">Another version or another engine wrote it, or an analyzer is
    /// missing.</exception>
    /// <exception cref="StorageCorruptedException">It is damaged: delete it and index again.</exception>
    public static SearchIndex Open(
        SearchIndexOptions options, SearchEngineType? wanted = SearchEngineType.Lucene,
        SearchEngineType preferred = SearchEngineType.Corax)
    {
        ArgumentNullException.ThrowIfNull(options);
        return SearchIndex.Open(options, (environment, opened) =>
        {
            SearchEngineType engine = wanted ?? SearchIndex.ReadFormat(environment) switch
            {
                0 => preferred,
                IndexNames.FormatVersionOfLucene => SearchEngineType.Lucene,
                _ => SearchEngineType.Corax,
            };
            return engine == SearchEngineType.Lucene
                ? LuceneIndex.Make(environment, opened)
                : SegmentsIndex.Make(environment, opened);
        });
    }
}
