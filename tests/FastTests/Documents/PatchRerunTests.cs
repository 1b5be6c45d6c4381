using Raven.Blittable.Contexts;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents;
using Raven.Documents.Commands;
using Raven.Documents.Patching;
using Raven.Documents.Rows;
using Raven.Scripting.Hosting;

namespace FastTests.Documents;

/// <summary>A patch that runs again, because other writers wrote meanwhile, reports only its last run.</summary>
public sealed class PatchRerunTests : IDisposable
{
    private readonly TestDatabase _database = new();
    private readonly ScriptEnvironment _scripts = new(TimeProvider.System, new ScriptLimits());

    public void Dispose() => _database.Dispose();

    [Fact]
    public void A_patch_that_is_skipped_in_its_second_run_reports_nothing_of_its_first_run()
    {
        NativeSlice version = _database.Put("a", """{"X":1}""").ChangeVector;
        using var context = new OperationContext();
        var batch = new BatchCommand(hashSeed: 1);
        batch.Reset(context);
        var request = new PatchRequest
        {
            Id = Copy(context, "a"u8),
            Script = new PatchScript("output('ran'); this.X++", default),
            Check = VersionCheck.MustEqual,
            Expected = Copy(context, version.Span),
            IsSkippedOnMismatch = true,
            IsDebug = true,
        };
        var part = new PatchAction("PATCH", returnsDocument: true);
        Assert.True(batch.TryAddAction(
            "a"u8, new ScriptAction(one => ((PatchPlan)one).TryPatch(in request, part)), ExpectedVersion.Any));
        var plan = new PatchPlan(batch, _scripts, hashSeed: 1, CancellationToken.None) { Tier = ScriptTier.Long };
        Plan(plan, batch);
        Assert.Equal(PatchStatus.Patched, part.Status);
        Assert.Equal(2, Number(part.Modified));
        Assert.Equal(1, Number(part.Original.Data));

        _database.Put("a", """{"X":7}""");
        NativeSlice row = Plan(plan, batch);
        Assert.Equal(PatchStatus.Skipped, part.Status);
        Assert.True(part.Modified.IsEmpty);
        Assert.Null(part.Debug);
        Assert.Equal(7, Number(part.Original.Data));

        // The snapshot is gone, and so may be the row, when the answer is written.
        Assert.True(part.Original.Data != RowLayout.Body(row));

        _database.Delete("a");
        Plan(plan, batch);
        Assert.Equal(PatchStatus.Skipped, part.Status);
        Assert.False(part.Original.Exists);
    }

    private NativeSlice Plan(PatchPlan plan, BatchCommand batch)
    {
        using DocumentSnapshot snapshot = _database.Database.BeginRead();
        Assert.True(plan.TryPlan(batch, snapshot), batch.Failure.Describe());
        snapshot.TryFindRow("a"u8, out NativeSlice row);
        return row;
    }

    private static NativeSlice Copy(OperationContext context, ReadOnlySpan<byte> bytes)
    {
        NativeSlice copy = context.Arena.Allocate(bytes.Length);
        bytes.CopyTo(copy.WritableSpan);
        return copy;
    }

    private static long Number(NativeSlice document)
    {
        Assert.True(BlittableObject.Open(document).TryGet("X"u8, out BlittableValue value));
        Assert.True(value.TryGetInt64(out long number));
        return number;
    }
}
