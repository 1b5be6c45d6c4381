using Raven.Search.Segments;

namespace Raven.Search.Automata;

/// <summary>The terms of a field of a segment, as a walk goes over them.</summary>
internal readonly struct SegmentTerms(TermCursor cursor) : ITermCursor
{
    /// <inheritdoc/>
    public ReadOnlySpan<byte> Term => cursor.Term;

    /// <inheritdoc/>
    public int Shared => cursor.Shared;

    /// <inheritdoc/>
    public bool MoveNext() => cursor.MoveNext();

    /// <inheritdoc/>
    public bool SeekForward(ReadOnlySpan<byte> target) => cursor.SeekForward(target);
}
