namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>A billion keys in order, 31 GB on disk: <c>Bench storage-billion</c>.</summary>
internal sealed class StorageBillionSuite : StorageSeedSuite
{
    private const long Billion = 1_000_000_000;

    /// <summary>The default: a billion goes through five flushes of four times as much.</summary>
    private const long FlushAfterBytes = 128L << 20;

    public override string Name => "storage-billion";

    public override IEnumerable<BenchRow> GetRows(BenchContext context) =>
        Long(new StoreSet(context), Billion, FlushAfterBytes);
}
