using System.Reflection;
using System.Runtime.CompilerServices;
using FastTests.Support;
using Raven.Client.Documents;
using Raven.Client.Documents.BulkInsert;
using Raven.Client.Documents.Changes;
using Raven.Client.Documents.Indexes;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Operations;
using Raven.Client.Documents.Operations.Counters;
using Raven.Client.Documents.Operations.TimeSeries;
using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Session;
using Raven.Client.Documents.Session.TimeSeries;
using Raven.Client.Documents.Smuggler;
using Raven.Client.Documents.Subscriptions;
using Raven.Client.ServerWide.Operations;

namespace FastTests.Client;

/// <summary>Waits for a server can be cancelled: each method takes a token, and each token has an effect.</summary>
public sealed class CancellationTests
{
    /// <summary>What needs no token: disposal and abortion end by themselves, an enumeration takes one when it begins.
    /// </summary>
    private static readonly string[] WithoutToken = ["AbortAsync", "AsAsyncEnumerable", "DisposeAsync"];

    /// <summary>An entity with an id is stored without a request.</summary>
    private static readonly string[] WithoutRequest =
        ["IAsyncDocumentSession.StoreAsync(entity, id)", "IAsyncDocumentSession.StoreAsync(entity, changeVector, id)"];

    [Fact]
    public void Every_asynchronous_public_method_takes_a_cancellation_token() => Assert.Equal(
        [], Awaited().Where(method => !TakesToken(method) && !WithoutToken.Contains(method.Name)).Select(Describe));

    [Fact]
    public void Every_public_method_that_takes_a_cancellation_token_is_cancelled_in_a_test()
    {
        HashSet<int> called = CalledMembers.Of(
            typeof(DocumentStore).Module,
            typeof(CancellationTests).Assembly.GetTypes().Where(
                type => type.FullName!.StartsWith(typeof(CancellationTests).FullName!, StringComparison.Ordinal)));
        Assert.Equal(
            [],
            Awaited().Where(method => TakesToken(method) && !called.Contains(method.MetadataToken)).Select(Describe)
                .Except(WithoutRequest));
    }

    [Fact]
    public async Task Every_wait_for_a_server_ends_when_its_token_is_cancelled()
    {
        using var silent = new FaultyServer("");
        using DocumentStore store = StoreOf(silent);
        using var cancelled = new CancellationTokenSource();
        var asked = new Asked();
        AskSessions(asked, store, cancelled.Token);
        AskAdvanced(asked, store, cancelled.Token);
        AskLinq(asked, store, cancelled.Token);
        AskEndings(asked, store, cancelled.Token);
        AskSums(asked, store, cancelled.Token);
        AskAverages(asked, store, cancelled.Token);
        AskDocumentQueries(asked, store, cancelled.Token);
        AskRawQueries(asked, store, cancelled.Token);
        AskStores(asked, store, cancelled.Token);
        AskSeries(asked, store, cancelled.Token);
        AskSubscriptions(asked, store, cancelled.Token);
        AskSmugglers(asked, store, cancelled.Token);
        Assert.Equal([], asked.Where(task => task.IsCompleted));
        await cancelled.CancelAsync();
        await Task.WhenAll(asked.Tasks).WaitAsync(Deadline.Hang).ContinueWith(_ => { }, TaskScheduler.Default);
        Assert.Equal([], asked.Where(task => !task.IsCanceled));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_stream_that_has_begun_ends_when_its_token_is_cancelled(bool isQuery)
    {
        const string Document = "{\"Name\":\"a\",\"@metadata\":{\"@id\":\"users/1\"}}";
        using var server = new FaultyServer(
            FaultyServer.Chunk(isQuery ? $"{{\"Item\":{Document}}}\n" : Document + "\n"));
        using DocumentStore store = StoreOf(server);
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        using var cancelled = new CancellationTokenSource();
        IAsyncEnumerable<StreamResult<User>> stream = isQuery
            ? session.Query<User>().StreamAsync(cancelled.Token)
            : session.Advanced.StreamAsync<User>("users/", cancellationToken: cancelled.Token);
        await using IAsyncEnumerator<StreamResult<User>> reader = stream.GetAsyncEnumerator();
        Assert.True(await reader.MoveNextAsync().AsTask().WaitAsync(Deadline.Hang));
        Task<bool> next = reader.MoveNextAsync().AsTask();
        Assert.False(next.IsCompleted);
        await cancelled.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => next.WaitAsync(Deadline.Hang));
    }

    private static void AskSessions(Asked asked, DocumentStore store, CancellationToken token)
    {
        IAsyncDocumentSession New() => store.OpenAsyncSession();
        IAsyncDocumentSession changed = New();
        var user = new User();
        changed.StoreAsync(user, "users/1", token).GetAwaiter().GetResult();
        asked.Add(changed.SaveChangesAsync(token));
        asked.Add(New().StoreAsync(new User(), token));
        asked.Add(New().LoadAsync<User>("users/1", token));
        asked.Add(New().LoadAsync<User>(["users/1"], token));
        asked.Add(New().LoadAsync<User>("users/1", it => it.IncludeCounter("likes"), token));
        asked.Add(New().LoadAsync<User>(["users/1"], it => it.IncludeCounter("likes"), token));
        asked.Add(New().Include<User>(it => it.Name).LoadAsync("users/1", token));
        asked.Add(New().Include<User>(it => it.Name).LoadAsync(["users/1"], token));
        asked.Add(New().Include<User>(it => it.Name).LoadAsync<Order>("users/1", token));
        asked.Add(New().CountersFor("users/1").GetAsync("likes", token));
        asked.Add(New().CountersFor("users/1").GetAsync(["likes"], token));
        asked.Add(New().CountersFor("users/1").GetAllAsync(token));
    }

    private static void AskAdvanced(Asked asked, DocumentStore store, CancellationToken token)
    {
        IAsyncAdvancedSessionOperations New() => store.OpenAsyncSession().Advanced;
        IAsyncDocumentSession tracking = store.OpenAsyncSession();
        var user = new User();
        tracking.StoreAsync(user, "users/1", token).GetAwaiter().GetResult();
        asked.Add(tracking.Advanced.RefreshAsync(user, token));
        asked.Add(New().ExistsAsync("users/1", token));
        asked.Add(New().ConditionalLoadAsync<User>("users/1", "A:1", token));
        asked.Add(New().LoadStartingWithAsync<User>("users/", cancellationToken: token));
        asked.Add(New().StreamAsync<User>("users/", cancellationToken: token).FirstAsync(CancellationToken.None)
            .AsTask());
        asked.Add(New().Attachments.GetAsync("users/1", "a", token));
        asked.Add(New().Attachments.ExistsAsync("users/1", "a", token));
        IAsyncDocumentSession owner = store.OpenAsyncSession();
        owner.StoreAsync(user, "users/1", token).GetAwaiter().GetResult();
        asked.Add(owner.Advanced.Attachments.GetAsync(user, "a", token));
        asked.Add(New().Revisions.GetForAsync<User>("users/1", cancellationToken: token));
        asked.Add(New().Revisions.GetMetadataForAsync("users/1", cancellationToken: token));
        asked.Add(New().Revisions.GetCountForAsync("users/1", token));
        asked.Add(New().Revisions.GetAsync<User>("A:1", token));
        asked.Add(New().Revisions.GetAsync<User>("users/1", new DateTime(2026, 11, 22), token));
        IAsyncAdvancedSessionOperations wide = New();
        wide.SetTransactionMode(TransactionMode.ClusterWide);
        asked.Add(wide.ClusterTransaction.GetCompareExchangeValueAsync<string>("emails/a", token));
        IAsyncAdvancedSessionOperations lazy = New();
        lazy.Lazily.LoadAsync<User>("users/1");
        asked.Add(lazy.Eagerly.ExecuteAllPendingLazyOperationsAsync(token));
    }

    private static void AskEndings(Asked asked, DocumentStore store, CancellationToken token)
    {
        IRavenQueryable<User> New() => store.OpenAsyncSession().Query<User>();
        asked.Add(New().FirstAsync(user => user.Age > 1, token));
        asked.Add(New().FirstOrDefaultAsync(user => user.Age > 1, token));
        asked.Add(New().SingleAsync(user => user.Age > 1, token));
        asked.Add(New().SingleOrDefaultAsync(user => user.Age > 1, token));
        asked.Add(New().AnyAsync(user => user.Age > 1, token));
        asked.Add(New().AllAsync(user => user.Age > 1, token));
        asked.Add(New().CountAsync(user => user.Age > 1, token));
        asked.Add(New().LongCountAsync(user => user.Age > 1, token));
        asked.Add(New().MinAsync(user => user.Age, token));
        asked.Add(New().MaxAsync(user => user.Age, token));
        asked.Add(New().Select(user => user.Age).MinAsync(token));
        asked.Add(New().Select(user => user.Age).MaxAsync(token));
        asked.Add(New().Select(user => user.Age).ContainsAsync(1, token));
        asked.Add(New().ToHashSetAsync(token));
        asked.Add(New().ToDictionaryAsync(user => user.Name, token));
        asked.Add(New().ToDictionaryAsync(user => user.Name, StringComparer.Ordinal, token));
        asked.Add(New().ToDictionaryAsync(user => user.Name, user => user.Age, token));
        asked.Add(New().ToDictionaryAsync(user => user.Name, user => user.Age, StringComparer.Ordinal, token));
    }

    private static void AskSums(Asked asked, DocumentStore store, CancellationToken token)
    {
        IRavenQueryable<Numbers> New() => store.OpenAsyncSession().Query<Numbers>();
        asked.Add(New().SumAsync(row => row.I, token));
        asked.Add(New().Select(row => row.I).SumAsync(token));
        asked.Add(New().SumAsync(row => row.IN, token));
        asked.Add(New().Select(row => row.IN).SumAsync(token));
        asked.Add(New().SumAsync(row => row.L, token));
        asked.Add(New().Select(row => row.L).SumAsync(token));
        asked.Add(New().SumAsync(row => row.LN, token));
        asked.Add(New().Select(row => row.LN).SumAsync(token));
        asked.Add(New().SumAsync(row => row.F, token));
        asked.Add(New().Select(row => row.F).SumAsync(token));
        asked.Add(New().SumAsync(row => row.FN, token));
        asked.Add(New().Select(row => row.FN).SumAsync(token));
        asked.Add(New().SumAsync(row => row.D, token));
        asked.Add(New().Select(row => row.D).SumAsync(token));
        asked.Add(New().SumAsync(row => row.DN, token));
        asked.Add(New().Select(row => row.DN).SumAsync(token));
        asked.Add(New().SumAsync(row => row.M, token));
        asked.Add(New().Select(row => row.M).SumAsync(token));
        asked.Add(New().SumAsync(row => row.MN, token));
        asked.Add(New().Select(row => row.MN).SumAsync(token));
    }

    private static void AskAverages(Asked asked, DocumentStore store, CancellationToken token)
    {
        IRavenQueryable<Numbers> New() => store.OpenAsyncSession().Query<Numbers>();
        asked.Add(New().AverageAsync(row => row.I, token));
        asked.Add(New().Select(row => row.I).AverageAsync(token));
        asked.Add(New().AverageAsync(row => row.IN, token));
        asked.Add(New().Select(row => row.IN).AverageAsync(token));
        asked.Add(New().AverageAsync(row => row.L, token));
        asked.Add(New().Select(row => row.L).AverageAsync(token));
        asked.Add(New().AverageAsync(row => row.LN, token));
        asked.Add(New().Select(row => row.LN).AverageAsync(token));
        asked.Add(New().AverageAsync(row => row.F, token));
        asked.Add(New().Select(row => row.F).AverageAsync(token));
        asked.Add(New().AverageAsync(row => row.FN, token));
        asked.Add(New().Select(row => row.FN).AverageAsync(token));
        asked.Add(New().AverageAsync(row => row.D, token));
        asked.Add(New().Select(row => row.D).AverageAsync(token));
        asked.Add(New().AverageAsync(row => row.DN, token));
        asked.Add(New().Select(row => row.DN).AverageAsync(token));
        asked.Add(New().AverageAsync(row => row.M, token));
        asked.Add(New().Select(row => row.M).AverageAsync(token));
        asked.Add(New().AverageAsync(row => row.MN, token));
        asked.Add(New().Select(row => row.MN).AverageAsync(token));
    }

    private static void AskLinq(Asked asked, DocumentStore store, CancellationToken token)
    {
        IRavenQueryable<User> New() => store.OpenAsyncSession().Query<User>();
        asked.Add(New().ToListAsync(token));
        asked.Add(New().ToArrayAsync(token));
        asked.Add(New().FirstAsync(token));
        asked.Add(New().FirstOrDefaultAsync(token));
        asked.Add(New().SingleAsync(token));
        asked.Add(New().SingleOrDefaultAsync(token));
        asked.Add(New().AnyAsync(token));
        asked.Add(New().CountAsync(token));
        asked.Add(New().LongCountAsync(token));
        asked.Add(New().StreamAsync(token).FirstAsync(CancellationToken.None).AsTask());
        asked.Add(New().AsAsyncEnumerable().FirstAsync(token).AsTask());
        asked.Add(New().AggregateBy(facet => facet.ByField(it => it.Name)).ExecuteAsync(token));
        asked.Add(New().SuggestUsing(it => it.ByField(user => user.Name, "a")).ExecuteAsync(token));
    }

    private static void AskDocumentQueries(Asked asked, DocumentStore store, CancellationToken token)
    {
        IAsyncDocumentQuery<User> New() => store.OpenAsyncSession().Advanced.AsyncDocumentQuery<User>();
        asked.Add(New().ToListAsync(token));
        asked.Add(New().ToArrayAsync(token));
        asked.Add(New().FirstAsync(token));
        asked.Add(New().FirstOrDefaultAsync(token));
        asked.Add(New().SingleAsync(token));
        asked.Add(New().SingleOrDefaultAsync(token));
        asked.Add(New().AnyAsync(token));
        asked.Add(New().CountAsync(token));
        asked.Add(New().LongCountAsync(token));
        asked.Add(New().StreamAsync(token).FirstAsync(CancellationToken.None).AsTask());
        asked.Add(FirstOf(New(), token));
    }

    private static void AskRawQueries(Asked asked, DocumentStore store, CancellationToken token)
    {
        IRawDocumentQuery<User> New() => store.OpenAsyncSession().Advanced.AsyncRawQuery<User>("from Users");
        asked.Add(New().ToListAsync(token));
        asked.Add(New().ToArrayAsync(token));
        asked.Add(New().FirstAsync(token));
        asked.Add(New().FirstOrDefaultAsync(token));
        asked.Add(New().SingleAsync(token));
        asked.Add(New().SingleOrDefaultAsync(token));
        asked.Add(New().AnyAsync(token));
        asked.Add(New().CountAsync(token));
        asked.Add(New().ExecuteAggregationAsync(token));
        asked.Add(New().StreamAsync(token).FirstAsync(CancellationToken.None).AsTask());
        asked.Add(FirstOf(New(), token));
    }

    private static void AskStores(Asked asked, DocumentStore store, CancellationToken token)
    {
        BulkInsertOperation NewBulk() => store.BulkInsert(cancellationToken: CancellationToken.None);
        var operation = new Operation(store.GetRequestExecutor(), 1);
        asked.Add(operation.WaitForCompletionAsync(null, token));
        asked.Add(operation.GetStateAsync(token));
        asked.Add(operation.KillAsync(token));
        asked.Add(store.Operations.SendAsync(new GetCountersOperation("users/1"), token));
        asked.Add(store.Operations.SendAsync(new DeleteByQueryOperation("from Users"), token));
        asked.Add(store.Maintenance.SendAsync(new GetStatisticsOperation(), token));
        asked.Add(store.Maintenance.Server.SendAsync(new GetBuildNumberOperation(), token));
        asked.Add(store.Maintenance.Server.SendAsync(new CompactDatabaseOperation("db"), token));
        asked.Add(store.GetRequestExecutor().ExecuteAsync(new UserCountCommand(), token));
        asked.Add(new Users_ByAge().ExecuteAsync(store, null, token));
        asked.Add(IndexCreation.CreateIndexesAsync([new Users_ByAge()], store, null, token));
        asked.Add(IndexCreation.CreateIndexesAsync(new SomeTypes(typeof(Users_ByAge)), store, null, token));
        asked.Add(NewBulk().StoreAsync(new User(), token).AsTask());
        asked.Add(NewBulk().StoreAsync(new User(), "users/1", null, token).AsTask());
        asked.Add(NewBulk().CountersFor("users/1").IncrementAsync("likes", 1, token).AsTask());
        asked.Add(NewBulk().AttachmentsFor("users/1").StoreAsync("a", new MemoryStream(), null, token));
        asked.Add(store.Changes().EnsureConnectedNow(token));
        IChangesObservable<DocumentChange> all = store.Changes().ForAllDocuments();
        all.Subscribe(new Deaf());
        asked.Add(all.EnsureSubscribedNow(token));
    }

    private static void AskSeries(Asked asked, DocumentStore store, CancellationToken token)
    {
        DateTime time = DateTime.UnixEpoch;
        IAsyncSessionDocumentTimeSeries New() => store.OpenAsyncSession().TimeSeriesFor("users/1", "Rate");
        asked.Add(New().GetAsync(cancellationToken: token));
        asked.Add(New().GetAsync(null, null, it => it.IncludeTags(), cancellationToken: token));
        asked.Add(New().StreamAsync(cancellationToken: token).FirstAsync(CancellationToken.None).AsTask());
        TimeSeriesBulkInsert NewBulk() =>
            store.BulkInsert(cancellationToken: CancellationToken.None).TimeSeriesFor("users/1", "Rate");
        asked.Add(NewBulk().AppendAsync(time, 1, null, token).AsTask());
        asked.Add(NewBulk().AppendAsync(time, [1], null, token).AsTask());
        TypedTimeSeriesBulkInsert<HeartRate> NewTyped() =>
            store.BulkInsert(cancellationToken: CancellationToken.None).TimeSeriesFor<HeartRate>("users/1");
        asked.Add(NewTyped().AppendAsync(time, new HeartRate(), null, token).AsTask());
        asked.Add(NewTyped().AppendAsync(new TimeSeriesEntry<HeartRate> { Values = [1] }, token).AsTask());
        asked.Add(store.TimeSeries.RegisterAsync<User, HeartRate>(null, token));
        asked.Add(store.TimeSeries.RegisterAsync<User>("Rate", ["a"], token));
        asked.Add(store.TimeSeries.RegisterAsync("Users", "Rate", ["a"], token));
        asked.Add(store.TimeSeries.SetPolicyAsync<User>("a", TimeValue.OfHours(1), TimeValue.MaxValue, token));
        asked.Add(store.TimeSeries.SetRawPolicyAsync<User>(TimeValue.OfHours(1), token));
        asked.Add(store.TimeSeries.RemovePolicyAsync<User>("a", token));
        string file = Path.Combine(Path.GetTempPath(), $"{Guid.NewGuid()}.csv");
        asked.Add(store.TimeSeries.ExportAsync("users/1", "Rate", file, null, null, token));
        asked.Add(store.TimeSeries.ExportAsync(
            "users/1", "Rate", new MemoryStream(), TimeSeriesFileFormat.Csv, null, null, token));
        string own = typeof(CancellationTests).Assembly.Location;
        asked.Add(store.TimeSeries.ImportAsync("users/1", "Rate", own, token));
        asked.Add(store.TimeSeries.ImportAsync(
            "users/1", "Rate", new MemoryStream([1]), TimeSeriesFileFormat.Csv, token));
    }

    private static void AskSubscriptions(Asked asked, DocumentStore store, CancellationToken token)
    {
        DocumentSubscriptions all = store.Subscriptions;
        SubscriptionWorker<User> worker = all.GetSubscriptionWorker<User>("news");
        asked.Add(all.CreateAsync(new SubscriptionCreationOptions { Query = "from Users" }, null, token));
        asked.Add(all.CreateAsync<User>(null, null, token));
        asked.Add(all.CreateForRevisionsAsync<User>(null, null, token));
        asked.Add(all.UpdateAsync(new SubscriptionUpdateOptions { Name = "news" }, null, token));
        asked.Add(all.GetSubscriptionStateAsync("news", null, token));
        asked.Add(all.GetSubscriptionsAsync(cancellationToken: token));
        asked.Add(all.DeleteAsync("news", null, token));
        asked.Add(all.EnableAsync("news", null, token));
        asked.Add(all.DisableAsync("news", null, token));
        asked.Add(all.DropConnectionAsync("news", null, token));
        asked.Add(all.DropSubscriptionWorkerAsync(worker, null, token));
        asked.Add(all.SendAgainAsync("news", null, null, token));
        asked.Add(all.Feed<User>(cancellationToken: token).FirstAsync(CancellationToken.None).AsTask());
        asked.Add(worker.RunAsync(token).FirstAsync(CancellationToken.None).AsTask());
        asked.Add(all.GetSubscriptionWorker<User>("news").Run(_ => { }, token));
        asked.Add(all.GetSubscriptionWorker<User>("news").Run(_ => Task.CompletedTask, token));
    }

    private static void AskSmugglers(Asked asked, DocumentStore store, CancellationToken token)
    {
        DatabaseSmuggler smuggler = store.Smuggler;
        var export = new DatabaseSmugglerExportOptions();
        var import = new DatabaseSmugglerImportOptions();
        string file = Path.Combine(Path.GetTempPath(), $"{Guid.NewGuid()}.ravendbdump");
        asked.Add(smuggler.ExportAsync(export, file, token));
        asked.Add(smuggler.ExportAsync(export, new MemoryStream(), token));
        asked.Add(smuggler.ExportAsync(export, smuggler.ForDatabase("copy"), token));
        asked.Add(smuggler.ImportAsync(import, new MemoryStream(), token));
        asked.Add(smuggler.ImportAsync(import, typeof(CancellationTests).Assembly.Location, token));
    }

    private static Task<User> FirstOf(IAsyncEnumerable<User> query, CancellationToken token) =>
        query.FirstAsync(token).AsTask();

    private static DocumentStore StoreOf(FaultyServer server)
    {
        var store = new DocumentStore
        {
            Urls = [server.Url], Database = "db",
            Conventions = { DisableTopologyUpdates = true, RequestTimeout = TimeSpan.FromMinutes(5) },
        };
        store.Initialize();
        return store;
    }

    private static IEnumerable<MethodInfo> Awaited() => typeof(DocumentStore).Assembly.GetExportedTypes()
        .Where(type => !type.IsSubclassOf(typeof(Delegate)))
        .SelectMany(type => type.GetMethods(
            BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly))
        .Where(method => !method.IsSpecialName && IsAwaited(method.ReturnType));

    private static bool IsAwaited(Type type)
    {
        Type plain = type.IsGenericType ? type.GetGenericTypeDefinition() : type;
        return plain == typeof(Task) || plain == typeof(Task<>) || plain == typeof(ValueTask)
            || plain == typeof(ValueTask<>) || plain == typeof(IAsyncEnumerable<>);
    }

    private static bool TakesToken(MethodInfo method) =>
        method.GetParameters().Any(parameter => parameter.ParameterType == typeof(CancellationToken));

    private static string Describe(MethodInfo method) => $"{method.DeclaringType!.Name}.{method.Name}("
        + string.Join(", ", method.GetParameters().Where(it => it.ParameterType != typeof(CancellationToken))
            .Select(it => it.Name)) + ")";

    /// <summary>What is waited for, with the text of the call.</summary>
    private sealed class Asked
    {
        private readonly List<(string Text, Task Task)> _all = [];

        internal IEnumerable<Task> Tasks => _all.Select(one => one.Task);

        internal void Add(Task task, [CallerArgumentExpression(nameof(task))] string text = "") =>
            _all.Add((text, task));

        /// <summary>The texts of some, each with what came of it.</summary>
        internal IEnumerable<string> Where(Func<Task, bool> predicate) => _all.Where(one => predicate(one.Task))
            .Select(one => $"{one.Text}: {one.Task.Exception?.InnerException}");
    }

    private sealed class Users_ByAge : AbstractIndexCreationTask<User>
    {
        public Users_ByAge() => Map = users => from user in users select new { user.Age };
    }

    private sealed class Deaf : IObserver<DocumentChange>
    {
        public void OnCompleted()
        {
        }

        public void OnError(Exception error)
        {
        }

        public void OnNext(DocumentChange value)
        {
        }
    }

    private sealed class Numbers
    {
        public int I { get; set; }

        public int? IN { get; set; }

        public long L { get; set; }

        public long? LN { get; set; }

        public float F { get; set; }

        public float? FN { get; set; }

        public double D { get; set; }

        public double? DN { get; set; }

        public decimal M { get; set; }

        public decimal? MN { get; set; }
    }
}
