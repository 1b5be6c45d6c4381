using Raven.Search.Fields;
using Raven.Search.Vectors;
using Raven.Storage.Transactions;

namespace Raven.Search.Segments;

//   GRAPH-1  A graph is added to a segment that is there already, in one transaction, and says nothing that its vectors
//            do not: without it the nearest are the same, found by a scan. So a segment of an older build gets one too,
//            and a graph that was not finished leaves no trace.

/// <summary>Builds graphs over the vectors of segments that have none, beside the batches of an index.</summary>
/// <param name="environment">The environment of the index.</param>
/// <param name="fields">Gives the fields that the index has now.</param>
/// <param name="optionsOf">Gives the options of a field by its name.</param>
/// <param name="vectorsMin">Fewer vectors are searched without a graph.</param>
internal sealed class GraphMerge(
    StorageEnvironment environment, Func<FieldCatalog> fields, Func<string, VectorGraphOptions> optionsOf,
    int vectorsMin)
{
    /// <summary>How many vectors are inserted from one snapshot: some ten milliseconds of work.</summary>
    private const int InsertsPerStep = 256;

    /// <summary>A graph is one blob, and all of it is in memory while it is built.</summary>
    private const long GraphBytesMax = 512L << 20;

    private readonly SegmentList _segments = new();
    private readonly SegmentStore _store = new();
    private readonly GraphBuilder _builder = new();

    /// <summary>The segment and the field that lack a graph; the largest of them.</summary>
    internal bool TryFind(SegmentList segments, out int segment, out int field)
    {
        int most = 0;
        segment = 0;
        field = 0;
        FieldCatalog catalog = fields();
        for (int i = 0; i < segments.Count && catalog.HasVectors; i++)
        {
            foreach (IndexField one in catalog.Fields)
            {
                if (one.Kind == FieldKind.Vector && VectorsOf(segments[i], one) is { } vectors
                    && vectors.Count > most && segments[i].TryGetGraph(one.Number) is null)
                {
                    (most, segment, field) = (vectors.Count, segments[i].Id, one.Number);
                }
            }
        }

        return most > 0;
    }

    /// <summary>Builds one graph; false if it was stopped, or the segment is not there anymore.</summary>
    internal bool Run(int segment, int field, Func<bool> isStopping)
    {
        try
        {
            IndexField options = fields().Fields[field];
            if (!Read(segment, field, (reader, vectors) => _builder.Begin(
                vectors, optionsOf(options.Name), entry => reader.DeletedCount > 0 && reader.IsDeleted(entry))))
            {
                return false;
            }

            while (!_builder.IsComplete)
            {
                if (isStopping() || !Read(segment, field, (_, vectors) => _builder.InsertNext(vectors, InsertsPerStep)))
                {
                    return false;
                }
            }

            return TryPut(segment, field);
        }
        finally
        {
            _builder.Trim();
        }
    }

    private VectorReader? VectorsOf(SegmentReader segment, IndexField field) =>
        segment.TryGetVectors(field.Number) is { } vectors && vectors.Count >= vectorsMin
        && vectors.Dimensions == field.Dimensions && segment.LiveCount >= vectorsMin / 2
        && VectorGraph.SizeInBytesOf(vectors.Count, optionsOf(field.Name).EdgesInUse) <= GraphBytesMax
            ? vectors
            : null;

    private bool Read(int segment, int field, Action<SegmentReader, VectorReader> read)
    {
        using ReadTransaction transaction = environment.BeginRead();
        _segments.Load(transaction);
        for (int i = 0; i < _segments.Count; i++)
        {
            if (_segments[i].Id == segment && _segments[i].TryGetVectors(field) is { } vectors)
            {
                read(_segments[i], vectors);
                return true;
            }
        }

        return false;
    }

    private bool TryPut(int segment, int field)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        _segments.Load(transaction);
        for (int i = 0; i < _segments.Count; i++)
        {
            if (_segments[i].Id == segment)
            {
                _store.Open(transaction);
                _store.PutPart(segment, field, IndexNames.GraphPart, _builder.Blob);
                transaction.Commit();
                return true;
            }
        }

        return false;
    }
}
