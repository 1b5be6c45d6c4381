using FastTests.Queries;
using Raven.Documents.Indexing;
using Raven.Documents.Patching;

namespace SlowTests.Indexing;

/// <summary>Threads that find nothing to do end, some tens of seconds after their last work.</summary>
[Trait(Category.Shard, "indexing")]
public sealed class IdleThreadsTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(3);

    [Fact]
    [Trait("Invariant", "THR-5")]
    public async Task Threads_of_indexes_start_with_work_and_end_when_there_was_none_for_a_while()
    {
        using IndexedDatabase database = new(new IndexingOptions { ThreadsMax = 2 });
        IndexingThreads threads = database.Database.Indexes.Services.Threads;
        Assert.Equal(0, threads.Count);
        for (int round = 1; round <= 2; round++)
        {
            database.Begin();
            database.Put($"users/{round}", """{"Age":6,"@metadata":{"@collection":"Users"}}""");
            database.Submit();
            Assert.Equal(round, database.Ask("from Users where Age > 5").Ids.Count);
            Assert.InRange(threads.Count, 1, 2);
            using CancellationTokenSource over = new(Patience);
            while (threads.Count > 0)
            {
                await Task.Delay(100, over.Token);
            }
        }
    }

    [Fact]
    [Trait("Invariant", "THREADS-3")]
    public async Task Threads_of_scripts_end_when_there_was_no_job_for_a_while()
    {
        var threads = new ScriptThreads(TimeProvider.System, backgroundThreadsMax: 1);
        List<Thread> used = [];
        await threads.RunAsync(
            pace =>
            {
                used.Add(Thread.CurrentThread);
                return pace == ScriptTier.Long ? true : null;
            },
            CancellationToken.None).WaitAsync(Patience);
        Assert.Equal(2, used.Count);
        Assert.All(used, thread => Assert.True(thread.Join(Patience), thread.Name));
    }
}
