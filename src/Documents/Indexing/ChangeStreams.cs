using System.Text;
using Raven.Documents.Indexing.Maps;

namespace Raven.Documents.Indexing;

/// <summary>All changes that an index follows, merged in the order of the etags. Kept from batch to batch.</summary>
internal sealed class ChangeStreams
{
    private readonly List<ChangeStream> _streams = [];

    /// <summary>The etag of the next change; <see cref="long.MaxValue"/> at the end.</summary>
    internal long Next
    {
        get
        {
            long next = long.MaxValue;
            foreach (ChangeStream stream in _streams)
            {
                next = Math.Min(next, stream.Next);
            }

            return next;
        }
    }

    /// <summary>Finds the first changes from an etag on.</summary>
    /// <param name="snapshot">The snapshot to read.</param>
    /// <param name="from">The etag.</param>
    /// <param name="collections">The collections that maps run over; empty for all documents.</param>
    /// <param name="references">The collections that maps have read besides.</param>
    /// <param name="others">Other kinds of changes that maps may have read.</param>
    internal void Open(
        DocumentSnapshot snapshot, long from, IReadOnlyList<string> collections, ReferenceTracker references,
        IEnumerable<ChangeKind> others)
    {
        _streams.Clear();
        foreach (string? collection in collections.Count == 0 ? [null] : collections.AsEnumerable<string?>())
        {
            Add(snapshot, collection, from, isOfReferences: false);
        }

        foreach (string? collection in references.ReadsAll ? [null] : references.Collections.AsEnumerable<string?>())
        {
            Add(snapshot, collection, from, isOfReferences: true);
        }

        foreach (ChangeKind kind in others)
        {
            ChangeStream stream = new(null, kind);
            stream.Seek(snapshot, from);
            _streams.Add(stream);
        }
    }

    /// <summary>The stream of the next change.</summary>
    /// <param name="bound">The etag up to which the stream may be read before another one is next.</param>
    internal ChangeStream First(out long bound)
    {
        ChangeStream first = _streams[0];
        bound = long.MaxValue;
        for (int i = 1; i < _streams.Count; i++)
        {
            bound = Math.Min(bound, Math.Max(first.Next, _streams[i].Next));
            first = _streams[i].Next < first.Next ? _streams[i] : first;
        }

        return first;
    }

    private void Add(DocumentSnapshot snapshot, string? name, long from, bool isOfReferences)
    {
        byte[]? collection = name is null ? null : Encoding.UTF8.GetBytes(name);
        ChangeStream documents = new(collection, ChangeKind.Documents) { IsOfReferences = isOfReferences };
        ChangeStream tombstones = new(collection, ChangeKind.Tombstones) { IsOfReferences = isOfReferences };
        documents.Seek(snapshot, from);
        tombstones.Seek(snapshot, from);
        _streams.Add(documents);
        _streams.Add(tombstones);
    }
}
