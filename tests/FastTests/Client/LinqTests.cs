using FastTests.Support;
using Raven.Client.Documents;
using Raven.Client.Documents.Indexes;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Operations;
using Raven.Client.Documents.Operations.Indexes;
using Raven.Client.Documents.Queries;
using Raven.Client.Documents.Session;

namespace FastTests.Client;

/// <summary>Queries against the real server.</summary>
public sealed class LinqTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    private static readonly string[] Names = ["ann", "bob", "cid", "dan", "eve"];
    private static readonly string[] Cities = ["Rome", "Oslo", "Bonn"];
    private static readonly string[] AllTags = ["x", "y", "z"];

    [Fact]
    public async Task LINQ_projections_groups_and_aggregations_are_read_back_as_objects()
    {
        using DocumentStore store = fixture.NewStore();
        List<User> users = await PutAsync(store, new Random(1));
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        var projected = await session.Query<User>().Customize(how => how.WaitForNonStaleResults())
            .Statistics(out QueryStatistics statistics).Where(user => user.Name == "ann").OrderBy(user => user.Age)
            .Select(user => new { user.Name, Town = user.Address!.City, Next = user.Age + 1 }).ToListAsync();
        Assert.Equal(
            users.Where(user => user.Name == "ann").OrderBy(user => user.Age).Select(user => user.Age + 1),
            projected.Select(it => it.Next));
        Assert.Equal(projected.Count, statistics.TotalResults);
        Assert.False(statistics.IsStale);
        Assert.Contains(projected[0].Town, Cities);
        List<string> names = await session.Query<User>().Select(user => user.Name).Distinct().ToListAsync();
        Assert.Equal(Names, names.Order(StringComparer.Ordinal));
        var groups = await session.Query<User>().GroupBy(user => user.Name)
            .Select(group => new { Name = group.Key, Count = group.Count(), Sum = group.Sum(user => user.Age) })
            .ToListAsync();
        Assert.Equal(
            users.GroupBy(user => user.Name).OrderBy(group => group.Key, StringComparer.Ordinal)
                .Select(group => $"{group.Key} {group.Count()} {group.Sum(user => user.Age)}"),
            groups.OrderBy(it => it.Name, StringComparer.Ordinal).Select(it => $"{it.Name} {it.Count} {it.Sum}"));
        User first = await session.Query<User>().OrderByDescending(user => user.Age).FirstAsync();
        Assert.Equal(users.Max(user => user.Age), first.Age);
        Assert.Same(first, await session.LoadAsync<User>(first.Id!));
        Assert.Null(await session.Query<User>().Where(user => user.Name == "nobody").FirstOrDefaultAsync());
        Assert.Equal(first.Id, (await session.Query<User>().Where(user => user.Id == first.Id).SingleAsync()).Id);
    }

    [Fact]
    public async Task Raw_queries_streams_and_changes_by_query_work_on_the_server()
    {
        using DocumentStore store = fixture.NewStore();
        List<User> users = await PutAsync(store, new Random(2));
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        List<User> raw = await session.Advanced
            .AsyncRawQuery<User>("from Users where Age > $age order by Age as long").AddParameter("age", 50)
            .WaitForNonStaleResults().ToListAsync();
        Assert.Equal(users.Where(user => user.Age > 50).Select(user => user.Age).Order(), raw.Select(it => it.Age));
        int streamed = 0;
        await foreach (StreamResult<User> result in session.Query<User>().Where(user => user.Age > 50).StreamAsync())
        {
            Assert.True(result.Document.Age > 50);
            streamed++;
        }

        Assert.Equal(raw.Count, streamed);
        Operation patch = await store.Operations.SendAsync(
            new PatchByQueryOperation("from Users where Age > 50 update { this.Name = 'old'; }"));
        await patch.WaitForCompletionAsync(Deadline.Hang);
        using IAsyncDocumentSession next = store.OpenAsyncSession();
        Assert.Equal(raw.Count, await next.Query<User>().Customize(how => how.WaitForNonStaleResults())
            .Where(user => user.Name == "old").CountAsync());
        Operation delete = await store.Operations.SendAsync(
            new DeleteByQueryOperation("from Users where Name = 'old'"));
        await delete.WaitForCompletionAsync(Deadline.Hang);
        CollectionStatistics? left = await store.Maintenance.SendAsync(new GetCollectionStatisticsOperation());
        Assert.Equal(users.Count - raw.Count, left!.Collections["Users"]);
    }

    [Fact]
    public async Task An_index_class_is_created_on_the_server_and_queried_by_its_type()
    {
        using DocumentStore store = fixture.NewStore();
        List<User> users = await PutAsync(store, new Random(3));
        await new Users_ByCity().ExecuteAsync(store);
        Assert.Contains("Users/ByCity", (await store.Maintenance.SendAsync(new GetIndexNamesOperation(0, 10)))!);
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        List<User> found = await session.Query<User>("Users/ByCity").Customize(how => how.WaitForNonStaleResults())
            .Where(user => user.Address!.City == "Rome").ToListAsync();
        Assert.Empty(found);
        List<User> romans = await session.Advanced.AsyncRawQuery<User>("from index 'Users/ByCity' where City = 'Rome'")
            .WaitForNonStaleResults().ToListAsync();
        Assert.Equal(users.Count(user => user.Address!.City == "Rome"), romans.Count);
        await store.Maintenance.SendAsync(new DeleteIndexOperation("Users/ByCity"));
    }

    private static async Task<List<User>> PutAsync(DocumentStore store, Random random)
    {
        List<User> users = [];
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        for (int i = 0; i < 100; i++)
        {
            var user = new User
            {
                Name = Names[random.Next(Names.Length)],
                Age = random.Next(100),
                Address = new Address { City = Cities[random.Next(Cities.Length)] },
                Tags = [.. AllTags.Where(_ => random.Next(2) == 0)],
            };
            users.Add(user);
            await session.StoreAsync(user);
        }

        await session.SaveChangesAsync();
        return users;
    }

    private sealed class Users_ByCity : AbstractJavaScriptIndexCreationTask
    {
        public Users_ByCity() => Maps = ["map('Users', user => ({ City: user.Address.City }))"];
    }
}
