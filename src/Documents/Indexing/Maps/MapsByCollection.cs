using System.Text;

namespace Raven.Documents.Indexing.Maps;

/// <summary>The maps of an index by the collections that they run over. One thread at a time.</summary>
internal sealed class MapsByCollection : IDisposable
{
    private readonly IReadOnlyList<DocumentMap> _maps;
    private readonly Dictionary<int, DocumentMap[]> _ofCollection = [];
    private readonly HashSet<long> _counted = [];

    internal MapsByCollection(IReadOnlyList<DocumentMap> maps)
    {
        _maps = maps;
        Collections = maps.Any(map => map.Collections.Count == 0)
            ? []
            : [.. maps.SelectMany(map => map.Collections).Distinct(StringComparer.OrdinalIgnoreCase)];
        ReadCounters = maps.Any(map => map.ReadsCounters);
        ReadTimeSeries = maps.Any(map => map.ReadsTimeSeries);
    }

    /// <summary>The collections that the maps read; empty if they read all documents.</summary>
    internal IReadOnlyList<string> Collections { get; }

    /// <summary>Whether any of them reads the values of counters.</summary>
    internal bool ReadCounters { get; }

    /// <summary>Whether any of them reads the entries of time series.</summary>
    internal bool ReadTimeSeries { get; }

    /// <summary>Forgets the documents of the last batch. Called when a batch begins.</summary>
    internal void Clear()
    {
        _ofCollection.Clear();
        _counted.Clear();
    }

    /// <summary>
    /// Whether to map a document because a counter or a time series has changed: only once in a batch, as its snapshot
    /// has all of them.
    /// </summary>
    internal bool TryTakeForCounter(in StoredDocument document) =>
        Of(in document).Length > 0 && _counted.Add(document.Etag);

    internal DocumentMap[] Of(in StoredDocument document)
    {
        if (!_ofCollection.TryGetValue(document.CollectionId, out DocumentMap[]? maps))
        {
            string collection = Encoding.UTF8.GetString(document.Collection);
            maps = [.. _maps.Where(map => map.Collections.Count == 0
                || map.Collections.Contains(collection, StringComparer.OrdinalIgnoreCase))];
            _ofCollection[document.CollectionId] = maps;
        }

        return maps;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (DocumentMap map in _maps)
        {
            map.Dispose();
        }
    }
}
