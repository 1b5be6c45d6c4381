using Raven.Client.Documents.Operations;
using Raven.Client.Http;

namespace Raven.Client.Documents.Subscriptions;

/// <summary>
/// The subscriptions of a database: queries whose documents, and all later changes of them, are sent to workers. Safe
/// for all threads.
/// </summary>
public sealed class DocumentSubscriptions
{
    private readonly DocumentStore _store;

    internal DocumentSubscriptions(DocumentStore store) => _store = store;

    /// <summary>Makes a subscription.</summary>
    /// <returns>Its name.</returns>
    public async Task<string> CreateAsync(
        SubscriptionCreationOptions options, string? database = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        SubscriptionNameAnswer? made = await _store.GetRequestExecutor(database).ExecuteAsync(
            Requests.Send(
                HttpMethod.Put, node => new UrlBuilder(node, "/subscriptions")
                    .Add("raft-request-id", Guid.NewGuid().ToString()),
                options, WireTypes.Read<SubscriptionNameAnswer>),
            cancellationToken).ConfigureAwait(false);
        return made!.Name!;
    }

    /// <summary>Makes a subscription to all documents of the collection of a type.</summary>
    /// <param name="options">The rest of it; its query, if there is one, stands instead.</param>
    /// <param name="database">The database; null for the store's.</param>
    /// <param name="cancellationToken">Cancels the request.</param>
    /// <returns>Its name.</returns>
    public Task<string> CreateAsync<T>(
        SubscriptionCreationOptions? options = null, string? database = null,
        CancellationToken cancellationToken = default) =>
        CreateAsync(Complete<T>(options, ""), database, cancellationToken);

    /// <summary>Makes a subscription to all revisions of the collection of a type.</summary>
    /// <returns>Its name.</returns>
    public Task<string> CreateForRevisionsAsync<T>(
        SubscriptionCreationOptions? options = null, string? database = null,
        CancellationToken cancellationToken = default) =>
        CreateAsync(Complete<T>(options, " (Revisions = true)"), database, cancellationToken);

    /// <summary>Makes a subscription, and blocks until that is done.</summary>
    /// <returns>Its name.</returns>
    public string Create(SubscriptionCreationOptions options, string? database = null) =>
        CreateAsync(options, database).GetAwaiter().GetResult();

    /// <summary>Makes a subscription to all documents of the collection of a type, and blocks until that is done.
    /// </summary>
    /// <returns>Its name.</returns>
    public string Create<T>(SubscriptionCreationOptions? options = null, string? database = null) =>
        CreateAsync<T>(options, database).GetAwaiter().GetResult();

    /// <summary>Changes a subscription. Its workers connect again if they are concerned.</summary>
    /// <returns>Its name.</returns>
    public async Task<string> UpdateAsync(
        SubscriptionUpdateOptions options, string? database = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        var command = new SimpleCommand<SubscriptionNameAnswer>(
            node => new UrlBuilder(node, "/subscriptions/update").ToRequest(
                HttpMethod.Post, JsonBody.Of(WireTypes.Write(options))),
            response => response.Body.IsEmpty ? null : WireTypes.Read<SubscriptionNameAnswer>(response.ReadJson()),
            isRead: false);
        SubscriptionNameAnswer? changed = await _store.GetRequestExecutor(database)
            .ExecuteAsync(command, cancellationToken).ConfigureAwait(false);
        return changed?.Name ?? options.Name ?? "";
    }

    /// <summary>Finds a subscription.</summary>
    public async Task<SubscriptionState> GetSubscriptionStateAsync(
        string subscriptionName, string? database = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(subscriptionName);
        SubscriptionState? state = await _store.GetRequestExecutor(database).ExecuteAsync(
            Requests.Get<SubscriptionState>(
                node => new UrlBuilder(node, "/subscriptions/state").Add("name", subscriptionName)),
            cancellationToken).ConfigureAwait(false);
        return state!;
    }

    /// <summary>Lists subscriptions in the order of their names.</summary>
    /// <param name="start">How many to skip.</param>
    /// <param name="take">The most to give.</param>
    /// <param name="database">The database; null for the store's.</param>
    /// <param name="cancellationToken">Cancels the request.</param>
    public async Task<IReadOnlyList<SubscriptionState>> GetSubscriptionsAsync(
        int start = 0, int take = 1024, string? database = null, CancellationToken cancellationToken = default)
    {
        SubscriptionStates? states = await _store.GetRequestExecutor(database).ExecuteAsync(
            Requests.Get<SubscriptionStates>(
                node => new UrlBuilder(node, "/subscriptions").Add("start", start).Add("pageSize", take)),
            cancellationToken).ConfigureAwait(false);
        return states!.Results;
    }

    /// <summary>Deletes a subscription, if there is one.</summary>
    public Task DeleteAsync(
        string name, string? database = null, CancellationToken cancellationToken = default) =>
        SendAsync(
            HttpMethod.Delete, node => new UrlBuilder(node, "/subscriptions").Add("taskName", name), database,
            cancellationToken);

    /// <summary>Lets workers connect again.</summary>
    public Task EnableAsync(string name, string? database = null, CancellationToken cancellationToken = default) =>
        SwitchAsync(name, isDisabled: false, database, cancellationToken);

    /// <summary>Ends the workers, and lets none connect.</summary>
    public Task DisableAsync(string name, string? database = null, CancellationToken cancellationToken = default) =>
        SwitchAsync(name, isDisabled: true, database, cancellationToken);

    /// <summary>Ends the workers of a subscription, which do not connect again by themselves.</summary>
    public Task DropConnectionAsync(
        string name, string? database = null, CancellationToken cancellationToken = default) =>
        SendAsync(
            HttpMethod.Post, node => new UrlBuilder(node, "/subscriptions/drop").Add("name", name), database,
            cancellationToken);

    /// <summary>Ends one worker, which does not connect again by itself.</summary>
    public Task DropSubscriptionWorkerAsync<T>(
        SubscriptionWorker<T> worker, string? database = null, CancellationToken cancellationToken = default)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(worker);
        return SendAsync(
            HttpMethod.Post, node => new UrlBuilder(node, "/subscriptions/drop")
                .Add("name", worker.SubscriptionName).Add("workerId", worker.WorkerId),
            database, cancellationToken);
    }

    /// <summary>Has documents sent again: these, or all that failed too often.</summary>
    public Task SendAgainAsync(
        string name, IReadOnlyCollection<string>? ids = null, string? database = null,
        CancellationToken cancellationToken = default) =>
        SendAsync(
            HttpMethod.Post,
            node => new UrlBuilder(node, "/subscriptions/resend").Add("name", name).AddAll("id", ids ?? []), database,
            cancellationToken);

    /// <summary>Makes a worker of a subscription; it connects when it runs.</summary>
    public SubscriptionWorker<T> GetSubscriptionWorker<T>(SubscriptionWorkerOptions options, string? database = null)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(options);
        return new SubscriptionWorker<T>(
            _store, _store.DatabaseOf(database), options, revisedType: null, newRevision: null);
    }

    /// <summary>Makes a worker of a subscription; it connects when it runs.</summary>
    public SubscriptionWorker<T> GetSubscriptionWorker<T>(string subscriptionName, string? database = null)
        where T : class =>
        GetSubscriptionWorker<T>(new SubscriptionWorkerOptions(subscriptionName), database);

    /// <summary>Makes a worker of a subscription to revisions; it connects when it runs.</summary>
    public SubscriptionWorker<Revision<T>> GetSubscriptionWorkerForRevisions<T>(
        SubscriptionWorkerOptions options, string? database = null) where T : class
    {
        ArgumentNullException.ThrowIfNull(options);
        return new SubscriptionWorker<Revision<T>>(
            _store, _store.DatabaseOf(database), options, typeof(T),
            (previous, current) => new Revision<T>((T?)previous, (T?)current));
    }

    /// <summary>
    /// The changes of the collection of a type from a token on: the last version of each document, and deletions. The
    /// server keeps nothing of the reader, who keeps the token of the last change.
    /// </summary>
    /// <exception cref="Exceptions.RavenException">Changes behind the token are lost, or the token is none.</exception>
    public IAsyncEnumerable<FeedChange<T>> Feed<T>(
        FeedOptions? options = null, string? database = null, CancellationToken cancellationToken = default)
        where T : class =>
        FeedReader.ReadAsync<T>(_store, _store.DatabaseOf(database), options ?? new FeedOptions(), cancellationToken);

    private SubscriptionCreationOptions Complete<T>(SubscriptionCreationOptions? options, string behind)
    {
        string collection = _store.Conventions.GetCollectionName(typeof(T))
            .Replace("'", "\\'", StringComparison.Ordinal);
        return new SubscriptionCreationOptions
        {
            Name = options?.Name,
            Query = options?.Query ?? $"from '{collection}'{behind} as doc",
            ChangeVector = options?.ChangeVector,
            Disabled = options?.Disabled,
            ArchivedDataProcessingBehavior = options?.ArchivedDataProcessingBehavior,
        };
    }

    private Task<bool> SwitchAsync(
        string name, bool isDisabled, string? database, CancellationToken cancellationToken) =>
        SendAsync(
            HttpMethod.Post,
            node => new UrlBuilder(node, "/admin/tasks/state").Add("type", "Subscription").Add("key", 0)
                .Add("taskName", name).Add("disable", isDisabled ? "true" : "false"),
            database, cancellationToken);

    private Task<bool> SendAsync(
        HttpMethod method, Func<ServerNode, UrlBuilder> url, string? database, CancellationToken cancellationToken) =>
        _store.GetRequestExecutor(database).ExecuteAsync(Requests.Send(method, url), cancellationToken);
}
