using Raven.Blittable.Contexts;
using Raven.Blittable.Memory;
using Raven.Documents.Commands;
using Raven.Documents.Patching;
using Raven.Scripting.Hosting;

namespace FastTests.Documents;

/// <summary>Scripts run beside the merger, again after conflicts, and in it after the third only (SCRIPT-3).</summary>
public sealed class PatchConflictTests : IDisposable
{
    private readonly TestDatabase _database = new();
    private readonly ScriptEnvironment _scripts = new(TimeProvider.System, new ScriptLimits());
    private readonly List<bool> _runsInside = [];

    public void Dispose() => _database.Dispose();

    [Theory]
    [InlineData(0, 1, 0)]
    [InlineData(1, 2, 0)]
    [InlineData(2, 3, 0)]
    [InlineData(3, 3, 1)]
    [InlineData(9, 3, 1)]
    [Trait("Invariant", "SCRIPT-1")]
    [Trait("Invariant", "SCRIPT-2")]
    [Trait("Invariant", "SCRIPT-3")]
    public async Task A_script_runs_inside_the_transaction_after_three_conflicts_and_not_before(
        int writes, int runsBeside, int runsInside)
    {
        _database.Put("a", """{"X":0}""");
        using var context = new OperationContext();
        var batch = new BatchCommand(hashSeed: 1);
        batch.Reset(context);
        NativeSlice id = context.Arena.Allocate(1);
        "a"u8.CopyTo(id.WritableSpan);
        var request = new PatchRequest { Id = id, Script = new PatchScript("this.X++", default) };
        var part = new PatchAction("PATCH", returnsDocument: true);
        bool Run(BatchScript plan)
        {
            // One that is given up, as on a busy machine, begins again elsewhere: that is no run.
            if (!((PatchPlan)plan).TryPatch(in request, part))
            {
                return false;
            }

            // Another write happens after the script has read, as long as there is anything between the two.
            _runsInside.Add(plan.RunsInside);
            if (!plan.RunsInside && _runsInside.Count <= writes)
            {
                _database.Put("a", $$"""{"X":{{100 * _runsInside.Count}}}""");
            }

            return true;
        }

        Assert.True(batch.TryAddAction("a"u8, new ScriptAction(Run), ExpectedVersion.Any));
        await ScriptedBatch.SubmitAsync(_database.Database, _scripts, hashSeed: 1, batch, CancellationToken.None);

        Assert.True(batch.Failure.IsNone, batch.Failure.Describe());
        Assert.Equal(
            [.. Enumerable.Repeat(false, runsBeside), .. Enumerable.Repeat(true, runsInside)], _runsInside);
        int conflicts = Math.Min(writes, 3);
        Assert.Equal(conflicts, _scripts.Conflicts);
        Assert.Equal($"{{\"X\":{(100 * conflicts) + 1}}}", _database.Read("a"));
    }

    [Fact]
    [Trait("Invariant", "SCRIPT-4")]
    public async Task A_script_begins_on_the_thread_of_its_request_and_begins_again_on_one_of_scripts_if_it_is_long()
    {
        _database.Put("a", """{"X":0}""");
        using var context = new OperationContext();
        var batch = new BatchCommand(hashSeed: 1);
        batch.Reset(context);
        NativeSlice id = context.Arena.Allocate(1);
        "a"u8.CopyTo(id.WritableSpan);
        string script = $"for (let i = 0; i < {10 * ScriptEnvironment.ShortStepsMax}; i++) {{ }} this.X++";
        var request = new PatchRequest { Id = id, Script = new PatchScript(script, default) };
        var part = new PatchAction("PATCH", returnsDocument: true);
        List<Thread> threads = [];
        bool Run(BatchScript plan)
        {
            threads.Add(Thread.CurrentThread);
            return ((PatchPlan)plan).TryPatch(in request, part);
        }

        Assert.True(batch.TryAddAction("a"u8, new ScriptAction(Run), ExpectedVersion.Any));
        Thread own = Thread.CurrentThread;
        await ScriptedBatch.SubmitAsync(_database.Database, _scripts, hashSeed: 1, batch, CancellationToken.None);

        Assert.True(batch.Failure.IsNone, batch.Failure.Describe());
        Assert.Same(own, threads[0]);
        Assert.All(threads.Skip(1), thread => Assert.StartsWith("scripts, ", thread.Name, StringComparison.Ordinal));
        Assert.True(threads.Count > 1, "The script ended on the thread of its request.");
        Assert.Equal("""{"X":1}""", _database.Read("a"));
    }
}
