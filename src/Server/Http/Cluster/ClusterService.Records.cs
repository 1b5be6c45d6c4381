using System.Diagnostics.CodeAnalysis;
using Raven.Cluster.Store;
using Raven.Documents.Catalog;

namespace Raven.Server.Http.Cluster;

//   RECORD-1  The record of a database is the store's: each node has a copy. A change is in the store when it is
//             answered, so that it outlives the node that made it.

/// <summary>The records of databases.</summary>
internal sealed partial class ClusterService
{
    /// <inheritdoc/>
    public bool TryGetRecord(string name, [NotNullWhen(true)] out DatabaseRecord? record)
    {
        record = DatabaseName.IsValid(name) && _store.Mirror.Find(ClusterKeys.RecordOf(name)) is { } entry
            && _store.Mirror.Find(ClusterKeys.GroupOf(name)) is not null
            ? new DatabaseRecord(NameIn(entry) ?? name, entry.ModRevision, entry.Value)
            : null;
        return record is not null;
    }

    /// <inheritdoc/>
    public bool TryShareRecord(string database, ReadOnlyMemory<byte> stored, ReadOnlyMemory<byte> record)
    {
        if (_store.Mirror.Find(ClusterKeys.RecordOf(database)) is not { } entry)
        {
            throw Refusal(new StoreTxnResult(
                StoreStatus.Unavailable, false, 0, [], $"it does not know the database '{database}' yet"));
        }

        if (entry.Value.Span.SequenceEqual(stored.Span))
        {
            StoreTxnResult done = Write(ChangeOf(entry, record.ToArray()));
            if (done is { Status: StoreStatus.Ok, Succeeded: true })
            {
                return true;
            }

            if (done.Status != StoreStatus.Ok)
            {
                throw Refusal(done);
            }
        }

        if (_store.Mirror.Find(entry.Key) is { } now)
        {
            _state.Databases.TryTakeRecord(database, now.Value);
        }

        return false;
    }

    /// <inheritdoc/>
    public async ValueTask<ClusterOutcome> ChangeRecordAsync(
        string name, Func<ReadOnlyMemory<byte>, byte[]> change, CancellationToken cancellation)
    {
        if (Absent is { } absent)
        {
            return absent;
        }

        while (DatabaseName.IsValid(name) && _store.Mirror.Find(ClusterKeys.RecordOf(name)) is { } entry)
        {
            string known = NameIn(entry) ?? name;
            byte[] made = _state.Databases.Sealed(known, change(entry.Value), entry.Value.ToArray());
            StoreTxnResult done = await _store.Store.TxnAsync(ChangeOf(entry, made), cancellation)
                .ConfigureAwait(false);
            if (done.Status == StoreStatus.Ok)
            {
                await SeeAsync(done, cancellation).ConfigureAwait(false);
            }

            if (done is not { Status: StoreStatus.Ok, Succeeded: false })
            {
                if (done.Status == StoreStatus.Ok && _store.Mirror.Find(entry.Key) is { } now)
                {
                    _state.Databases.TryTakeRecord(known, now.Value);
                }

                Nudge();
                return OutcomeOf(done);
            }
        }

        return Nowhere;
    }

    private StoreTxn ChangeOf(StoreEntry entry, byte[] record) => new(
        [new StoreCondition(entry.Key, entry.ModRevision), .. _secrets.Unchanged(record)],
        [new StoreChange(entry.Key, record)]);
}
