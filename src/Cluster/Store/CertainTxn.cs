namespace Raven.Cluster.Store;

/// <summary>One transaction until its outcome is known (CERTAIN-1 to CERTAIN-3).</summary>
internal sealed class CertainTxn
{
    private const int PauseFactorMax = 16;
    private const byte SealByte = 0xFF;

    private readonly IClusterStore _store;
    private readonly CertainStoreOptions _options;
    private readonly CertainMark _mark;
    private readonly StoreTxn _txn;
    private readonly byte[] _name;
    private readonly byte[] _seal;
    private bool _isInDoubt;
    private int _pauses;

    internal CertainTxn(
        IClusterStore store, CertainStoreOptions options, CertainMark mark, StoreTxn txn, byte[] name)
    {
        _store = store;
        _options = options;
        _mark = mark;
        _txn = txn;
        _name = name;
        _seal = [.. name, SealByte];
    }

    internal async Task<StoreTxnResult> RunAsync(CancellationToken stop)
    {
        StoreTxnResult? ended = null;
        while (ended is null)
        {
            if (_mark.ModRevision is not { } before)
            {
                StoreGetResult read = await _store.GetAsync(_mark.Key, stop).ConfigureAwait(false);
                if (read.Status != StoreStatus.Ok)
                {
                    return new StoreTxnResult(read.Status, false, 0, [], read.Problem);
                }

                _mark.ModRevision = before = read.Entry?.ModRevision ?? 0;
            }

            StoreTxnResult tried = await _store.TxnAsync(Marked(before), stop).ConfigureAwait(false);
            ended = tried.Status switch
            {
                StoreStatus.Ok when tried.Succeeded => Done(tried.Revision),
                StoreStatus.Ok => await NotDoneAsync(tried, before, stop).ConfigureAwait(false),
                StoreStatus.Unknown => await AgainAsync(tried, stop).ConfigureAwait(false),
                _ when !_isInDoubt => tried,
                _ => await LookAsync(tried, before, stop).ConfigureAwait(false),
            };
        }

        if (ended.Status == StoreStatus.Unknown)
        {
            // A try may still be on its way: the next one reads the mark again.
            _mark.ModRevision = null;
        }

        return ended;
    }

    private StoreTxn Marked(long before) => new(
        [.. _txn.Conditions, new StoreCondition(_mark.Key, before)],
        [.. _txn.Changes, new StoreChange(_mark.Key, _name)]);

    private StoreTxnResult Done(long revision)
    {
        _mark.ModRevision = revision;
        return new StoreTxnResult(StoreStatus.Ok, true, revision, []);
    }

    /// <summary>A condition did not hold: of the transaction, or that of its mark.</summary>
    private async Task<StoreTxnResult?> NotDoneAsync(StoreTxnResult tried, long before, CancellationToken stop)
    {
        StoreEntry? mark = tried.Current.FirstOrDefault(each => each.Key == _mark.Key);
        if (IsOurs(mark))
        {
            return Done(mark!.ModRevision);
        }

        StoreTxnResult refused = tried with { Current = [.. tried.Current.Where(each => each.Key != _mark.Key)] };
        if ((mark?.ModRevision ?? 0) == before)
        {
            return _isInDoubt ? await SealAsync(refused, before, stop).ConfigureAwait(false) : refused;
        }

        if (_isInDoubt)
        {
            return Unknowable();
        }

        // A try of an earlier transaction arrived late, or another process wrote it: this one was not done.
        _mark.ModRevision = mark?.ModRevision ?? 0;
        return null;
    }

    /// <summary>Writes the mark, so that no try on its way can be done, and then says that none was.</summary>
    private async Task<StoreTxnResult> SealAsync(StoreTxnResult refused, long before, CancellationToken stop)
    {
        while (true)
        {
            StoreTxnResult tried = await _store.TxnAsync(StoreTxn.Put(_mark.Key, before, _seal), stop)
                .ConfigureAwait(false);
            if (tried is { Status: StoreStatus.Ok, Succeeded: true })
            {
                _mark.ModRevision = tried.Revision;
                return refused;
            }

            if (tried.Status == StoreStatus.Ok)
            {
                StoreEntry? mark = tried.Current.Count > 0 ? tried.Current[0] : null;
                if (IsOurs(mark))
                {
                    return Done(mark!.ModRevision);
                }

                if (mark is null || !mark.Value.Span.SequenceEqual(_seal))
                {
                    return Unknowable();
                }

                _mark.ModRevision = mark.ModRevision;
                return refused;
            }

            if (await AgainAsync(tried, stop).ConfigureAwait(false) is { } ended)
            {
                return ended;
            }
        }
    }

    /// <summary>A later try was refused, while an earlier one is in doubt: the mark is read, which needs no
    /// room.</summary>
    private async Task<StoreTxnResult?> LookAsync(StoreTxnResult tried, long before, CancellationToken stop)
    {
        StoreGetResult read = await _store.GetAsync(_mark.Key, stop).ConfigureAwait(false);
        if (read.Status == StoreStatus.Ok)
        {
            if (IsOurs(read.Entry))
            {
                return Done(read.Entry!.ModRevision);
            }

            if ((read.Entry?.ModRevision ?? 0) != before)
            {
                return Unknowable();
            }

            if (tried.Status == StoreStatus.LeaseGone)
            {
                // A lease never comes back: no try can be done any more.
                return tried;
            }
        }

        return await AgainAsync(tried, stop).ConfigureAwait(false);
    }

    /// <summary>Waits before the next try.</summary>
    /// <returns>What is told if there is no time for one; null to try again.</returns>
    private async Task<StoreTxnResult?> AgainAsync(StoreTxnResult tried, CancellationToken stop)
    {
        _isInDoubt = true;
        int factor = Math.Min(1 << Math.Min(_pauses++, 10), PauseFactorMax);
        await Task.Delay(_options.RetryPause * factor, _options.Clock, stop)
            .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return stop.IsCancellationRequested
            ? new StoreTxnResult(StoreStatus.Unknown, false, 0, [], tried.Problem)
            : null;
    }

    private StoreTxnResult Unknowable() => new(
        StoreStatus.Unknown, false, 0, [],
        $"'{_mark.Key}' was written by another process while an answer was lost: two processes have the id "
            + $"'{_options.ClientId}'.");

    private bool IsOurs(StoreEntry? mark) => mark is not null && mark.Value.Span.SequenceEqual(_name);
}
