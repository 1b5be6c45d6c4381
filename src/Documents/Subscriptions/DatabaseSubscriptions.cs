using System.Text;
using Raven.Documents.Ids;
using Raven.Documents.Queries;
using Raven.Documents.Queries.Rql;
using Raven.Documents.Rows;
using Raven.Scripting;

namespace Raven.Documents.Subscriptions;

/// <summary>The subscriptions of a database: their definitions, and the workers that take documents. Any thread.
/// </summary>
public sealed class DatabaseSubscriptions : IDatabaseSubscriptions
{
    private readonly Lock _gate = new();
    private readonly Dictionary<long, SubscriptionState> _states = [];

    internal DatabaseSubscriptions(Database database, QueryServices services)
    {
        Database = database;
        Services = services;
        Leases = new SubscriptionLeases(this);
        Signals = new ChangeSignals(database, services.Clock);
    }

    /// <summary>The batches that clients have without a connection.</summary>
    public SubscriptionLeases Leases { get; }

    internal Database Database { get; }

    internal QueryServices Services { get; }

    /// <summary>What wakes those that wait for changes.</summary>
    internal ChangeSignals Signals { get; }

    /// <summary>Makes a subscription.</summary>
    /// <exception cref="SubscriptionException">It is not valid, or its name is taken.</exception>
    /// <exception cref="RqlException">Its query is not valid.</exception>
    public async ValueTask<SubscriptionDefinition> CreateAsync(SubscriptionChange change)
    {
        ArgumentNullException.ThrowIfNull(change);
        (SubscriptionDefinition definition, _) = await PutAsync(change, isUpdate: false).ConfigureAwait(false);
        return definition;
    }

    /// <summary>Changes a subscription, and ends its workers if they are concerned.</summary>
    /// <returns>The definition, and whether something has changed.</returns>
    /// <exception cref="SubscriptionException">It is not valid, or there is none.</exception>
    /// <exception cref="RqlException">Its query is not valid.</exception>
    public ValueTask<(SubscriptionDefinition Definition, bool IsChanged)> UpdateAsync(SubscriptionChange change)
    {
        ArgumentNullException.ThrowIfNull(change);
        return PutAsync(change, isUpdate: true);
    }

    /// <summary>Deletes a subscription, and ends its workers.</summary>
    /// <returns>Null if there was none.</returns>
    public async ValueTask<SubscriptionDefinition?> DeleteAsync(string name)
    {
        var command = new SubscriptionDeleteCommand(name);
        await Database.SubmitAsync(command).ConfigureAwait(false);
        if (command.Deleted is { } deleted)
        {
            StateOf(deleted.Id).End(SubscriptionException.Deleted(deleted.Name));
        }

        return command.Deleted;
    }

    /// <summary>Finds a subscription.</summary>
    /// <exception cref="SubscriptionException">There is none of that name.</exception>
    public SubscriptionInfo Get(string name)
    {
        using DocumentSnapshot snapshot = Database.BeginRead("subscription");
        return Describe(
            snapshot, SubscriptionTables.Find(snapshot.Transaction, name) ?? throw SubscriptionException.Missing(name));
    }

    /// <summary>All subscriptions, in the order of their names.</summary>
    public IReadOnlyList<SubscriptionInfo> List()
    {
        using DocumentSnapshot snapshot = Database.BeginRead("subscription");
        return [.. SubscriptionTables.ReadAll(snapshot.Transaction).Select(one => Describe(snapshot, one))];
    }

    /// <summary>The same if the database is open, which does not keep it open; none if it is not.</summary>
    public IReadOnlyList<SubscriptionInfo> ListIfOpen()
    {
        if (!Database.TryBeginReadIfOpen(out DocumentSnapshot? snapshot))
        {
            return [];
        }

        using (snapshot)
        {
            return [.. SubscriptionTables.ReadAll(snapshot.Transaction).Select(one => Describe(snapshot, one))];
        }
    }

    /// <summary>Ends workers, which must not connect again by themselves.</summary>
    /// <param name="name">The subscription; null for all.</param>
    /// <param name="workerId">The worker; null for all. If none has this id and there is one worker, that one.</param>
    /// <returns>How many were ended.</returns>
    /// <exception cref="SubscriptionException">There is no such subscription.</exception>
    public int Drop(string? name, string? workerId)
    {
        int count = 0;
        foreach (SubscriptionInfo info in name is null ? List() : [Get(name)])
        {
            SubscriptionState state = StateOf(info.Definition.Id);
            SubscriptionException end = new(
                SubscriptionProblem.Closed, $"The worker of '{info.Definition.Name}' was disconnected.");
            int dropped = state.End(end, workerId is null ? null : one => one.Options.WorkerId == workerId);
            if (dropped == 0 && workerId is not null && name is not null && state.Workers is [_])
            {
                dropped = state.End(end);
            }

            count += dropped;
        }

        return count;
    }

    /// <summary>Has documents sent again.</summary>
    /// <param name="name">The subscription.</param>
    /// <param name="ids">The documents; null for all that failed too often.</param>
    /// <returns>How many there are.</returns>
    /// <exception cref="SubscriptionException">There is no such subscription, or it is of revisions.</exception>
    public async ValueTask<int> SendAgainAsync(string name, IReadOnlyCollection<string>? ids)
    {
        SubscriptionInfo info = Get(name);
        if (SubscriptionQuery.Parse(info.Definition.Query).IsOfRevisions)
        {
            throw new SubscriptionException(
                SubscriptionProblem.Invalid, $"'{name}' sends revisions, which are not sent again one by one.");
        }

        List<byte[]> again = [];
        using (DocumentSnapshot snapshot = Database.BeginRead("subscription"))
        {
            foreach ((byte[] key, OwedDocument owed) in
                SubscriptionTables.ReadOwed(snapshot.Transaction, info.Definition.Id))
            {
                if (ids is null && owed.Batch == OwedDocument.Aside)
                {
                    again.Add(key);
                }
            }

            foreach (string id in ids ?? [])
            {
                byte[] key = Encoding.UTF8.GetBytes(DocumentId.FoldedText(Encoding.UTF8.GetBytes(id)));
                if (!snapshot.TryGetByKey(key, out _))
                {
                    throw new SubscriptionException(
                        SubscriptionProblem.Invalid, $"There is no document '{id}' that could be sent again.");
                }

                again.Add(key);
            }
        }

        // Which of them a worker has is looked at in the transaction: one can be sent in the meantime.
        await Database.SubmitAsync(new SubscriptionStepCommand(info.Definition.Id, info.Position.Generation)
        {
            Again = again,
        }).ConfigureAwait(false);
        Signals.SetAll();
        return again.Count;
    }

    /// <summary>The folded ids of the documents that failed too often.</summary>
    /// <exception cref="SubscriptionException">There is no such subscription.</exception>
    public IReadOnlyList<(string Id, long Tries)> ListAside(string name)
    {
        SubscriptionInfo info = Get(name);
        using DocumentSnapshot snapshot = Database.BeginRead("subscription");
        List<(string, long)> aside = [];
        foreach ((byte[] key, OwedDocument owed) in
            SubscriptionTables.ReadOwed(snapshot.Transaction, info.Definition.Id))
        {
            if (owed.Batch == OwedDocument.Aside)
            {
                bool isThere = snapshot.TryGetByKey(key, out StoredDocument document);
                aside.Add((Encoding.UTF8.GetString(isThere ? document.Id.Span : key), owed.Tries));
            }
        }

        return aside;
    }

    /// <summary>The first documents that a query would send, without a subscription.</summary>
    /// <param name="query">The query.</param>
    /// <param name="archived">Whether archived documents are sent.</param>
    /// <param name="fromEtag">The last change before them.</param>
    /// <param name="countMax">The most documents.</param>
    /// <param name="scanMax">How long is looked for them.</param>
    /// <exception cref="SubscriptionException">The query is not valid.</exception>
    /// <exception cref="RqlException">The query is not valid.</exception>
    public SubscriptionBatch Try(
        string query, ArchivedDocuments archived, long fromEtag, int countMax, TimeSpan scanMax)
    {
        SubscriptionDefinition definition = new() { Name = "", Query = query, Archived = archived };
        SubscriptionFiller filler = MakeFiller(definition, out _);
        var batch = new SubscriptionBatch();
        long cursor = fromEtag;
        long started = Services.Clock.GetTimestamp();
        FillStatus status = FillStatus.Paused;
        while (status == FillStatus.Paused && Services.Clock.GetElapsedTime(started) < scanMax)
        {
            using DocumentSnapshot snapshot = Database.BeginRead("subscription");
            batch.HasOwed = true;
            status = filler.Fill(snapshot, batch, ref cursor, countMax, live: null);
        }

        return batch;
    }

    /// <summary>Connects a worker, and waits if its strategy says so.</summary>
    /// <param name="name">The subscription.</param>
    /// <param name="options">How it takes documents.</param>
    /// <param name="cancellation">Ends the wait.</param>
    /// <exception cref="SubscriptionException">It may not come in.</exception>
    public async ValueTask<SubscriptionWorker> ConnectAsync(
        string name, SubscriptionWorkerOptions options, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(options);
        while (true)
        {
            SubscriptionInfo info = Get(name);
            if (info.Definition.IsDisabled)
            {
                throw SubscriptionException.Disabled(name);
            }

            SubscriptionFiller filler = MakeFillerOf(info.Definition, options, out SubscriptionQuery query);
            SubscriptionState state = StateOf(info.Definition.Id);
            long seen = state.Freed.Version;
            ChangeSignal signal = Signals.Listen(query.Collection);
            SubscriptionWorker worker = new(
                this, state, info.Definition, info.Position.Generation, options, filler, signal);
            if (state.TryEnter(worker, out SubscriptionException? refusal))
            {
                return worker;
            }

            Signals.Unlisten(signal);
            await (refusal is null ? state.Freed.WaitAsync(seen) : Task.FromException(refusal))
                .WaitAsync(cancellation).ConfigureAwait(false);
        }
    }

    /// <summary>Opens a feed of changes.</summary>
    /// <param name="query">What is read: a query of a subscription, of documents.</param>
    /// <param name="from">The last change that the reader has; null to begin behind the last change of all.</param>
    /// <param name="hasDeletions">Whether deletions are in it: those of the collection, whatever the condition.</param>
    /// <exception cref="SubscriptionException">The query is not valid.</exception>
    /// <exception cref="RqlException">The query is not valid.</exception>
    public ChangeFeed OpenFeed(string query, FeedToken? from, bool hasDeletions)
    {
        SubscriptionFiller filler = MakeFiller(
            new SubscriptionDefinition { Name = "", Query = query, Archived = ArchivedDocuments.IncludeArchived },
            out SubscriptionQuery parsed);
        if (parsed.IsOfRevisions)
        {
            throw new SubscriptionException(SubscriptionProblem.Invalid, "A feed has documents, and no revisions.");
        }

        FeedToken start = from ?? Now();
        // A document that leaves the collection for another one is a change of that other one.
        ChangeSignal signal = Signals.Listen(hasDeletions ? null : parsed.Collection);
        return new ChangeFeed(this, parsed, filler, signal, start, hasDeletions);

        FeedToken Now()
        {
            using DocumentSnapshot snapshot = Database.BeginRead("feed");
            return FeedToken.Now(snapshot);
        }
    }

    /// <inheritdoc/>
    void IDatabaseSubscriptions.EndAll()
    {
        SubscriptionState[] states;
        lock (_gate)
        {
            states = [.. _states.Values];
        }

        foreach (SubscriptionState state in states)
        {
            state.End(new SubscriptionException(
                SubscriptionProblem.Closed, "Another node takes the writes of the database now.")
            {
                CanReconnect = true,
            });
            state.Freed.Set();
        }

        Signals.SetAll();
    }

    internal SubscriptionState StateOf(long id)
    {
        lock (_gate)
        {
            if (!_states.TryGetValue(id, out SubscriptionState? state))
            {
                _states.Add(id, state = new SubscriptionState(id));
            }

            return state;
        }
    }

    private async ValueTask<(SubscriptionDefinition Definition, bool IsChanged)> PutAsync(
        SubscriptionChange change, bool isUpdate)
    {
        if (change.Query is { } query)
        {
            MakeFiller(new SubscriptionDefinition { Name = "", Query = query }, out _);
        }

        var command = new SubscriptionPutCommand(change, isUpdate, Database.Id);
        await Database.SubmitAsync(command).ConfigureAwait(false);
        if (command.Problem is { } problem)
        {
            throw problem;
        }

        SubscriptionDefinition stored = command.Result!;
        if (command.EndsWorkers)
        {
            StateOf(stored.Id).End(stored.IsDisabled
                ? SubscriptionException.Disabled(stored.Name)
                : SubscriptionException.Changed(stored.Name));
        }

        return (stored, !command.IsUnchanged);
    }

    private SubscriptionFiller MakeFillerOf(
        SubscriptionDefinition definition, SubscriptionWorkerOptions options, out SubscriptionQuery query)
    {
        SubscriptionFiller filler;
        try
        {
            filler = MakeFiller(definition, out query);
        }
        catch (RqlException e)
        {
            throw new SubscriptionException(SubscriptionProblem.InvalidState, e.Message);
        }

        if (query.IsOfRevisions && options.Strategy == SubscriptionStrategy.Concurrent)
        {
            throw new SubscriptionException(
                SubscriptionProblem.InvalidState,
                $"'{definition.Name}' sends revisions, which workers cannot share: the order of those of a document "
                + "would be lost.");
        }

        if (query.IsOfRevisions && Database.Settings?.Revisions is not { } revisions
            || query.IsOfRevisions && query.Collection is { } collection
            && Database.Settings!.Revisions!.Of(collection) is null or { IsDisabled: true })
        {
            throw new SubscriptionException(
                SubscriptionProblem.InvalidState,
                $"'{definition.Name}' sends revisions, and the database is not configured to keep those of its "
                + "collection.");
        }

        return filler;
    }

    private SubscriptionFiller MakeFiller(SubscriptionDefinition definition, out SubscriptionQuery query)
    {
        query = SubscriptionQuery.Parse(definition.Query);
        try
        {
            return new SubscriptionFiller(definition, query, Services);
        }
        catch (ScriptException e)
        {
            throw new SubscriptionException(
                SubscriptionProblem.Invalid, $"The query's condition or projection is no JavaScript: {e.Reason}");
        }
    }

    private SubscriptionInfo Describe(DocumentSnapshot snapshot, SubscriptionDefinition definition)
    {
        SubscriptionTables.TryReadPosition(snapshot.Transaction, definition.Id, out SubscriptionPosition position);
        SubscriptionState state = StateOf(definition.Id);
        List<(byte[] Key, OwedDocument Owed)> owed = SubscriptionTables.ReadOwed(snapshot.Transaction, definition.Id);
        string? vector = null;
        if (position.Etag > 0)
        {
            Span<byte> text = stackalloc byte[ChangeVector.LocalSizeBytesMax];
            vector = Encoding.UTF8.GetString(text[..ChangeVector.Format(text, position.Etag, Database.Id)]);
        }

        return new SubscriptionInfo(
            definition, position, vector, Math.Max(0, snapshot.LastEtag - position.Etag),
            Math.Max(position.ConnectedTicks, state.ConnectedTicks), owed.Count,
            owed.Count(one => one.Owed.Batch == OwedDocument.Aside), state.Workers,
            new SubscriptionCounters(
                state.DocumentsSent, state.BatchesAcknowledged, state.Failures, state.LastError));
    }
}
