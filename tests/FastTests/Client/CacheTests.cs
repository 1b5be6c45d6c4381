using System.Net;
using FastTests.Queries;
using FastTests.Support;
using Raven.Client.Documents;
using Raven.Client.Documents.Session;

namespace FastTests.Client;

/// <summary>How long an answer is taken without asking, and how many are kept.</summary>
public sealed class CacheTests(ClientFixture fixture) : IClassFixture<ClientFixture>
{
    [Theory]
    [InlineData(AggressiveCacheMode.TrackChanges)]
    [InlineData(AggressiveCacheMode.DoNotTrackChanges)]
    public async Task A_cached_answer_is_used_for_the_given_duration_and_no_longer(AggressiveCacheMode mode)
    {
        var clock = new IndexClock();
        using DocumentStore store = fixture.NewStore(made => made.Conventions.Clock = clock);
        await PutAsync(store, "A");
        using IDisposable scope = store.AggressivelyCacheFor(TimeSpan.FromMinutes(1), mode);
        await Deadline.UntilAsync(
            () => mode != AggressiveCacheMode.TrackChanges || store.Context.IsTracking(store.Database));
        List<HttpStatusCode> answers = AnswersOf(store);
        await LoadAsync(store);
        clock.Advance(TimeSpan.FromSeconds(59));
        await LoadAsync(store);
        Assert.Equal([HttpStatusCode.OK], answers);
        clock.Advance(TimeSpan.FromSeconds(1));
        await LoadAsync(store);
        Assert.Equal([HttpStatusCode.OK, HttpStatusCode.NotModified], answers);
        clock.Advance(TimeSpan.FromSeconds(59));
        await LoadAsync(store);
        Assert.Equal(2, answers.Count);
    }

    [Fact]
    public async Task A_cached_answer_is_used_after_changes_if_they_are_not_tracked()
    {
        using DocumentStore store = fixture.NewStore();
        await PutAsync(store, "old");
        using (store.AggressivelyCacheFor(TimeSpan.FromMinutes(5), AggressiveCacheMode.DoNotTrackChanges))
        {
            Assert.Equal("old", await LoadAsync(store));
            await PutAsync(store, "new");
            List<HttpStatusCode> answers = AnswersOf(store);
            Assert.Equal("old", await LoadAsync(store));
            Assert.Empty(answers);
        }

        Assert.Equal("new", await LoadAsync(store));
        Assert.False(store.Changes().Connected);
    }

    [Fact]
    public async Task A_full_cache_drops_the_answer_that_was_not_used_for_longest()
    {
        const int Max = 32 * 1024;
        using DocumentStore store = fixture.NewStore(made => made.Conventions.MaxHttpCacheSizeBytes = Max);
        using (IAsyncDocumentSession session = store.OpenAsyncSession())
        {
            for (int i = 0; i < 60; i++)
            {
                await session.StoreAsync(new User { Name = new string('x', 500) }, $"users/{i}");
            }

            await session.StoreAsync(new User { Name = new string('x', Max / 4) }, "users/large");
            await session.SaveChangesAsync();
        }

        for (int i = 0; i < 60; i++)
        {
            await LoadAsync(store, $"users/{i}");
            await LoadAsync(store, "users/0");
            await LoadAsync(store, "users/large");
            Assert.InRange(store.Context.Cache.SizeBytes, 1, Max);
        }

        List<HttpStatusCode> answers = AnswersOf(store);
        foreach (string id in (string[])["users/0", "users/59", "users/1", "users/large"])
        {
            await LoadAsync(store, id);
        }

        Assert.Equal(
            [HttpStatusCode.NotModified, HttpStatusCode.NotModified, HttpStatusCode.OK, HttpStatusCode.OK], answers);
    }

    private static List<HttpStatusCode> AnswersOf(DocumentStore store)
    {
        List<HttpStatusCode> answers = [];
        store.OnSucceedRequest += (_, answer) => answers.Add(answer.Response.StatusCode);
        return answers;
    }

    private static async Task<string> LoadAsync(DocumentStore store, string id = "users/1")
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        return (await session.LoadAsync<User>(id))!.Name;
    }

    private static async Task PutAsync(DocumentStore store, string name)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        session.Advanced.UseOptimisticConcurrency = false;
        await session.StoreAsync(new User { Name = name }, "users/1");
        await session.SaveChangesAsync();
    }
}
