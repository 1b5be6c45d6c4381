using System.Net;
using FastTests.Documents;
using FastTests.Support;
using Raven.Documents.Patching;
using Raven.Storage.Platform;

namespace FastTests.Server;

/// <summary>Scripts that take long run on threads of their own, and none of them is left behind.</summary>
public sealed class ScriptThreadsTests
{
    /// <summary>SCHED_IDLE, as /proc says it.</summary>
    private const string IdleClass = "5";

    [Fact]
    [Trait("Invariant", "THREADS-2")]
    public async Task A_script_job_that_a_background_thread_gives_up_is_completed_by_the_thread_for_long_scripts()
    {
        var threads = new ScriptThreads(TimeProvider.System, backgroundThreadsMax: 1);
        List<(ScriptTier, string?)> runs = [];
        bool result = await threads.RunAsync(
            tier =>
            {
                runs.Add((tier, Thread.CurrentThread.Name));
                return tier == ScriptTier.Long ? true : null;
            },
            CancellationToken.None).WaitAsync(Deadline.Hang);
        Assert.True(result);
        Assert.Equal([(ScriptTier.Background, "scripts, background"), (ScriptTier.Long, "scripts, long")], runs);
    }

    [Fact]
    [Trait("Invariant", "THREADS-2")]
    public async Task A_script_job_behind_one_that_does_not_end_is_run_by_the_thread_for_long_scripts()
    {
        var threads = new ScriptThreads(TimeProvider.System, backgroundThreadsMax: 1);
        using var mayEnd = new ManualResetEventSlim();
        Task<bool> first = threads.RunAsync(_ => mayEnd.Wait(Deadline.Hang), CancellationToken.None);
        ScriptTier? tier = null;
        Assert.False(await threads.RunAsync(
            one =>
            {
                tier = one;
                return false;
            },
            CancellationToken.None).WaitAsync(Deadline.Hang));
        Assert.Equal(ScriptTier.Long, tier);
        Assert.False(first.IsCompleted);
        mayEnd.Set();
        Assert.True(await first.WaitAsync(Deadline.Hang));
    }

    [Fact]
    [Trait("Invariant", "THREADS-1")]
    public async Task The_background_thread_of_scripts_takes_jobs_in_their_order_and_keeps_a_share_of_the_cores()
    {
        // The clock stands still, so that no job waits for long enough to become one for long scripts.
        var threads = new ScriptThreads(new TestClock(), backgroundThreadsMax: 1);
        using var mayEnd = new ManualResetEventSlim();
        List<int> order = [];
        ThreadFacts facts = default;
        Task<bool>[] jobs = [.. Enumerable.Range(0, 5).Select(number => threads.RunAsync(
            _ =>
            {
                mayEnd.Wait(Deadline.Hang);
                order.Add(number);
                facts = ThreadFacts.OfThisThread;
                return true;
            },
            CancellationToken.None))];
        mayEnd.Set();
        await Task.WhenAll(jobs).WaitAsync(Deadline.Hang);
        Assert.Equal(Enumerable.Range(0, 5), order);

        // Not the idle class: the collector may run on this thread while all others wait for it.
        Assert.NotEqual(IdleClass, facts.Policy);
        Assert.Equal(ThreadFacts.After(() => ThreadScheduling.TryGiveWay(10)), facts);
    }

    [Fact]
    public async Task An_exception_of_a_script_job_is_thrown_to_its_request_and_a_cancelled_job_is_skipped()
    {
        var threads = new ScriptThreads(TimeProvider.System, backgroundThreadsMax: 1);
        using var gone = new CancellationTokenSource();
        await gone.CancelAsync();
        bool hasRun = false;
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => threads.RunAsync(_ => hasRun = true, gone.Token));
        Assert.False(hasRun);
        await Assert.ThrowsAsync<InvalidDataException>(
            () => threads.RunAsync(_ => throw new InvalidDataException(), CancellationToken.None));
        Assert.True(await threads.RunAsync(_ => true, CancellationToken.None).WaitAsync(Deadline.Hang));
    }

    [Fact]
    public async Task Concurrent_long_patches_are_each_applied_once()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        const string script = "for (let i = 0; i < 60000; i++) { } this.N = (this.N || 0) + 1;";
        await server.PutAsync("a", "{}");
        await Task.WhenAll(Enumerable.Range(0, 8).Select(async _ =>
        {
            HttpAnswer answer =
                await server.SendAsync("PATCH", "~/docs?id=a", $"{{\"Patch\":{{\"Script\":\"{script}\"}}}}");
            answer.Expect(HttpStatusCode.OK);
        }));
        Assert.Equal(8, (int)(await server.SendAsync("GET", "~/docs?id=a")).Json["Results"]![0]!["N"]!);
    }
}
