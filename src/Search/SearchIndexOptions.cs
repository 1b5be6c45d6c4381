using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Storage.Options;

namespace Raven.Search;

/// <summary>How an index is opened.</summary>
public sealed record SearchIndexOptions
{
    /// <summary>The index's own environment. It is opened lazy: see <see cref="SearchIndex.Sync"/>.</summary>
    public required StorageOptions Storage { get; init; }

    /// <summary>Finds the analyzers that fields name: those of <see cref="Analyzers"/> unless replaced.</summary>
    public Func<string, Analyzer?> Analyzers { get; init; } =
        name => Analysis.Analyzers.TryGet(name, out Analyzer? analyzer) ? analyzer : null;

    /// <summary>Gives the options of the graphs over a field of vectors, by its name.</summary>
    public Func<string, VectorGraphOptions> GraphOf { get; init; } = _ => VectorGraphOptions.Default;

    /// <summary>How many vectors of a segment get a graph; the nearest of fewer are found by a scan.</summary>
    internal int GraphVectorsMin { get; init; } = 4096;

    /// <summary>The bytes of a field's vectors in a segment from which on a merge writes them in parts.</summary>
    internal long VectorPartBytesMax { get; init; } = 128L << 20;

    /// <summary>The memory of a batch at which its content so far becomes a segment.</summary>
    public long BatchSizeBytesMax { get; init; } = 64L << 20;

    /// <summary>
    /// The bytes of segments up to which they are merged between two batches (<see cref="SearchIndex.Merge()"/>): some
    /// ten milliseconds of work. Larger groups are merged beside the batches (<see cref="SearchIndex.MergeLarge"/>).
    /// </summary>
    public long InlineMergeBytesMax { get; init; } = 512L << 10;
}
