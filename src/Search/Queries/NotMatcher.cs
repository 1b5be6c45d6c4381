namespace Raven.Search.Queries;

/// <summary>The entries that another operator does not match. It adds nothing to scores.</summary>
internal sealed class NotMatcher : Matcher
{
    private readonly ulong[] _others = new ulong[Window.Words];
    private Matcher _inner = null!;
    private int _entryCount;

    internal override long Cost => Math.Max(0, _entryCount - _inner.Cost);

    internal void Open(Matcher inner, int entryCount)
    {
        _inner = inner;
        _entryCount = entryCount;
    }

    internal override void Match(int start, Span<ulong> bits)
    {
        _inner.Match(start, _others);
        Window.SetAll(bits, Math.Max(0, _entryCount - start));
        Window.AndNot(bits, _others);
    }

    internal override void Score(int start, ReadOnlySpan<ulong> bits, Span<float> scores)
    {
    }
}
