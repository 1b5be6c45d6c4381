using System.Runtime.InteropServices;
using Raven.Blittable.Memory;

namespace Raven.Search.Vectors;

/// <summary>The graph over a field's vectors in a segment, read in place; valid as long as its transaction.</summary>
internal sealed class GraphReader
{
    private NativeSlice _blob;

    /// <summary>The graph.</summary>
    internal VectorGraph Graph => new(MemoryMarshal.Cast<byte, int>(_blob.Span));

    /// <summary>Attaches the blob of a graph over some vectors.</summary>
    internal void Attach(NativeSlice blob, VectorReader vectors)
    {
        VectorGraph.Check(blob.Span, vectors.Count);
        _blob = blob;
    }
}
