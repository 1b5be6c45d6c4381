namespace Raven.Search.Queries;

/// <summary>Every entry of a segment, or none.</summary>
internal sealed class AllMatcher : Matcher
{
    private int _entryCount;

    internal override long Cost => _entryCount;

    internal void Open(int entryCount) => _entryCount = entryCount;

    internal override void Match(int start, Span<ulong> bits) => Window.SetAll(bits, Math.Max(0, _entryCount - start));
}
