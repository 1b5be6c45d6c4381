using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Security.Cryptography;

namespace Raven.Cluster.Store;

//   CERTAIN-1  A transaction writes its name into a mark, a key of its own place among those under way, and compares
//              the mark with what it was. So at most one of its tries is done, and who reads the mark knows whether one
//              was.
//   CERTAIN-2  It is told that it was not done after a lost answer only when the mark was written by another
//              transaction, the seal: no try that is still on its way can be done then.
//   CERTAIN-3  Marks of one client are written by nobody else: a mark that someone else wrote while an answer was lost
//              leaves the outcome unknown.

/// <summary>
/// A store whose transactions have a known outcome, around one whose answers get lost: a lost answer is asked for again
/// until it is known, or the caller has no more time. Any thread.
/// </summary>
public sealed class CertainStore : IClusterStore
{
    /// <summary>What the keys of marks begin with; no other key does.</summary>
    public const string MarksPrefix = "~tx/";

    private readonly IClusterStore _store;
    private readonly CertainStoreOptions _options;
    private readonly SemaphoreSlim _free;
    private readonly Stack<CertainMark> _marks = new();
    private readonly Lock _gate = new();
    private readonly byte[] _session = new byte[CertainMark.NameBytes];
    private long _count;

    /// <param name="store">The store, which is closed with this one.</param>
    /// <param name="options">Who writes.</param>
    /// <exception cref="ArgumentException">The client's id is none.</exception>
    public CertainStore(IClusterStore store, CertainStoreOptions options)
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(options);
        if (options.ClientId.Length is 0 or > 64
            || !options.ClientId.All(c => char.IsAsciiLetterOrDigit(c) || c == '-'))
        {
            throw new ArgumentException($"'{options.ClientId}' is no id of a client.", nameof(options));
        }

        _store = store;
        _options = options;
        _free = new SemaphoreSlim(options.ConcurrencyMax);
        for (int i = options.ConcurrencyMax - 1; i >= 0; i--)
        {
            _marks.Push(new CertainMark(string.Create(null, $"{MarksPrefix}{options.ClientId}/{i}")));
        }

        if (options.Random is { } random)
        {
            random.NextBytes(_session);
        }
        else
        {
            RandomNumberGenerator.Fill(_session);
        }
    }

    /// <inheritdoc/>
    public string Kind => _store.Kind;

    /// <inheritdoc/>
    public ValueTask<StoreGetResult> GetAsync(string key, CancellationToken stop = default) =>
        _store.GetAsync(key, stop);

    /// <inheritdoc/>
    public async ValueTask<StoreRangeResult> RangeAsync(string prefix, CancellationToken stop = default)
    {
        StoreRangeResult all = await _store.RangeAsync(prefix, stop).ConfigureAwait(false);
        return prefix.Length > 0 ? all : all with { Entries = [.. all.Entries.Where(each => !IsMark(each.Key))] };
    }

    /// <inheritdoc/>
    public async IAsyncEnumerable<StoreWatchBatch> WatchAsync(
        string prefix, long afterRevision, [EnumeratorCancellation] CancellationToken stop = default)
    {
        ConfiguredCancelableAsyncEnumerable<StoreWatchBatch> batches =
            _store.WatchAsync(prefix, afterRevision, stop).ConfigureAwait(false);
        await foreach (StoreWatchBatch batch in batches)
        {
            yield return prefix.Length > 0
                ? batch
                : batch with { Events = [.. batch.Events.Where(each => !IsMark(each.Key))] };
        }
    }

    /// <inheritdoc/>
    public ValueTask<StoreLeaseResult> GrantAsync(TimeSpan timeToLive, CancellationToken stop = default) =>
        _store.GrantAsync(timeToLive, stop);

    /// <inheritdoc/>
    public ValueTask<StoreLeaseResult> KeepAliveAsync(long lease, CancellationToken stop = default) =>
        _store.KeepAliveAsync(lease, stop);

    /// <inheritdoc/>
    public ValueTask<StoreLeaseResult> RevokeAsync(long lease, CancellationToken stop = default) =>
        _store.RevokeAsync(lease, stop);

    /// <summary>Changes keys if conditions hold. The outcome is unknown only if the call is called off, or if another
    /// process uses the same client id.</summary>
    /// <inheritdoc/>
    public async ValueTask<StoreTxnResult> TxnAsync(StoreTxn txn, CancellationToken stop = default)
    {
        ArgumentNullException.ThrowIfNull(txn);
        string? problem = txn.ProblemOf()
            ?? (txn.Conditions.Count >= StoreTxn.CountMax || txn.Changes.Count >= StoreTxn.CountMax
                ? $"A transaction has at most {StoreTxn.CountMax - 1} conditions and changes."
                : txn.Changes.Any(each => IsMark(each.Key)) ? $"Keys that begin with {MarksPrefix} are marks." : null);
        if (problem is not null)
        {
            return new StoreTxnResult(StoreStatus.Refused, false, 0, [], problem);
        }

        if (txn.Changes.Count == 0)
        {
            return await _store.TxnAsync(txn, stop).ConfigureAwait(false);
        }

        try
        {
            await _free.WaitAsync(stop).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            return new StoreTxnResult(StoreStatus.Cancelled, false, 0, [], "The call was called off.");
        }

        CertainMark mark;
        lock (_gate)
        {
            mark = _marks.Pop();
        }

        try
        {
            return await new CertainTxn(_store, _options, mark, txn, NewName()).RunAsync(stop).ConfigureAwait(false);
        }
        finally
        {
            lock (_gate)
            {
                _marks.Push(mark);
            }

            _free.Release();
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _store.DisposeAsync().ConfigureAwait(false);
        _free.Dispose();
    }

    internal static bool IsMark(string key) => key.StartsWith(MarksPrefix, StringComparison.Ordinal);

    /// <summary>A name that no other transaction has.</summary>
    private byte[] NewName()
    {
        byte[] name = new byte[CertainMark.NameBytes + sizeof(long)];
        _session.CopyTo(name, 0);
        BinaryPrimitives.WriteInt64LittleEndian(name.AsSpan(CertainMark.NameBytes), Interlocked.Increment(ref _count));
        return name;
    }
}
