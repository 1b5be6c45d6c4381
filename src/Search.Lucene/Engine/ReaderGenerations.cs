using Lucene.Net.Index;
using OfLucene = Lucene.Net.Index.IndexReader;

namespace Raven.Search.Lucene.Engine;

/// <summary>
/// The readers of Lucene by the commits whose content they have: that of the last one and, while it is committed, that
/// of the next. Any thread; no caller waits for more than the copy of two references.
/// </summary>
internal sealed class ReaderGenerations : IDisposable
{
    private readonly Lock _gate = new();
    private (long Commit, OfLucene Reader)? _last;
    private (long Commit, OfLucene Reader)? _next;

    /// <summary>Takes the reader of a commit, to be returned by <c>DecRef</c>; null if it is not there.</summary>
    internal OfLucene? TryTake(long commit)
    {
        lock (_gate)
        {
            foreach ((long Commit, OfLucene Reader)? one in (ReadOnlySpan<(long, OfLucene)?>)[_last, _next])
            {
                if (one is { } found && found.Commit == commit && found.Reader.TryIncRef())
                {
                    return found.Reader;
                }
            }

            return null;
        }
    }

    /// <summary>Keeps the reader of a commit that was opened because there was none.</summary>
    internal void Keep(long commit, OfLucene reader)
    {
        lock (_gate)
        {
            if (_last is null && _next is null && reader.TryIncRef())
            {
                _last = (commit, reader);
            }
        }
    }

    /// <summary>Sets the reader of a commit that is about to be made.</summary>
    internal void Offer(long commit, DirectoryReader reader)
    {
        lock (_gate)
        {
            _next = (commit, reader);
        }
    }

    /// <summary>The commit was made, or not.</summary>
    internal void Decide(bool isCommitted)
    {
        OfLucene? former;
        lock (_gate)
        {
            former = isCommitted ? _last?.Reader : _next?.Reader;
            _last = isCommitted ? _next : _last;
            _next = null;
        }

        former?.DecRef();
    }

    /// <summary>Drops the readers; users keep theirs until they return them.</summary>
    public void Dispose()
    {
        OfLucene? last;
        lock (_gate)
        {
            last = _last?.Reader;
            _last = null;
        }

        last?.DecRef();
    }
}
