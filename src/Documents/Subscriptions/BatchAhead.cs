namespace Raven.Documents.Subscriptions;

/// <summary>
/// The batch that is filled while the client of a worker is busy with the one before. It is sent only if nothing
/// changed meanwhile that could be in it: then it is what would be read now. One thread at a time.
/// </summary>
internal sealed class BatchAhead
{
    /// <summary>So many batches are not filled ahead after one that was filled for nothing.</summary>
    private const int Rest = 8;

    private bool _isFilled;
    private AheadVersion _version;
    private long _from;
    private long _to;
    private FillStatus _status;
    private int _rest;

    /// <summary>Its documents, if it is filled. Exchanged for the worker's own when it is taken.</summary>
    internal SubscriptionBatch Batch { get; private set; } = new();

    /// <summary>Whether it is empty, and worth the work to fill it now.</summary>
    internal bool IsWorthIt() => !_isFilled && (_rest == 0 || --_rest == 0);

    /// <summary>Notes what it was filled from.</summary>
    /// <param name="version">What changes with anything that could be in it, read before the snapshot.</param>
    /// <param name="from">The position that it begins behind.</param>
    /// <param name="to">The last change that was looked at.</param>
    /// <param name="status">Why the filling stopped.</param>
    internal void Note(AheadVersion version, long from, long to, FillStatus status) =>
        (_isFilled, _version, _from, _to, _status) = (true, version, from, to, status);

    /// <summary>Takes it, if it still is what would be read.</summary>
    /// <param name="version">The same version as it is now.</param>
    /// <param name="cursor">The position of the worker; behind the batch if it is taken.</param>
    /// <param name="batch">The worker's batch; this one's if it is taken.</param>
    /// <param name="status">Why the filling stopped.</param>
    internal bool TryTake(AheadVersion version, ref long cursor, ref SubscriptionBatch batch, out FillStatus status)
    {
        status = _status;
        if (!_isFilled)
        {
            return false;
        }

        _isFilled = false;
        if (version != _version || cursor != _from)
        {
            _rest = Rest;
            Batch.Clear();
            return false;
        }

        (batch, Batch) = (Batch, batch);
        cursor = _to;
        return true;
    }

    /// <summary>Drops what was filled, and gives back the memory of large batches.</summary>
    internal void ClearForLong()
    {
        _isFilled = false;
        Batch.ClearForLong();
    }
}

/// <summary>What changes with anything that could be in a batch.</summary>
/// <param name="Signal">The version of the signal of changes: it is set too when documents are owed again.</param>
/// <param name="LastEtag">
/// The last change of the database that was reported. That of the collection alone is not enough: a document that
/// leaves a collection is a change of the one that it comes to.
/// </param>
internal readonly record struct AheadVersion(long Signal, long LastEtag);
