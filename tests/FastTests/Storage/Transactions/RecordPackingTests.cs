using Raven.Storage;
using Raven.Storage.Journal;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Storage.Transactions;

/// <summary>Which records of the journal are packed.</summary>
public sealed class RecordPackingTests
{
    private const int Large = RecordPacking.LargeBytesMin;
    private const int Small = Large - 1;
    private const int Keys = 300;

    [Fact]
    public void Until_something_was_measured_records_are_packed()
    {
        var packing = new RecordPacking(JournalCompression.Adaptive);
        Assert.True(packing.IsWorthwhile(Large));
        packing.NoteWritten(Large, 1);
        Assert.True(packing.IsWorthwhile(Large));
    }

    [Theory]
    [InlineData(100, 99, false)]
    [InlineData(100, 101, true)]
    [InlineData(1, 1_000_000, true)]
    [InlineData(1_000_000, 1, false)]
    public void A_large_record_is_packed_where_the_saved_half_takes_longer_to_write(
        int packTicks, int halfWriteTicks, bool isPacked)
    {
        var packing = new RecordPacking(JournalCompression.Adaptive);
        packing.NotePacked(Large, Large / 2, packTicks);
        packing.NoteWritten(Large / 2, halfWriteTicks);
        Assert.Equal(isPacked, packing.IsWorthwhile(Large));
        Assert.True(packing.IsWorthwhile(Small));
    }

    [Fact]
    public void A_disk_that_becomes_slow_is_noticed()
    {
        var packing = new RecordPacking(JournalCompression.Adaptive);
        packing.NotePacked(Large, Large / 2, 1_000);
        packing.NoteWritten(Large, 100);
        Assert.False(packing.IsWorthwhile(Large));
        for (int i = 0; i < 10; i++)
        {
            packing.NoteWritten(Large, 10_000);
        }

        Assert.True(packing.IsWorthwhile(Large));
    }

    [Fact]
    public void Records_that_pack_better_than_those_before_are_found_by_a_trial()
    {
        var packing = new RecordPacking(JournalCompression.Adaptive);
        packing.NotePacked(Large, Large, 1_000);
        packing.NoteWritten(Large, 10_000);
        for (int trial = 0; trial < 3; trial++)
        {
            for (int i = 1; i < RecordPacking.TrialInterval; i++)
            {
                Assert.False(packing.IsWorthwhile(Large));
            }

            Assert.True(packing.IsWorthwhile(Large));
        }

        packing.NotePacked(Large, Large / 10, 1_000);
        Assert.True(packing.IsWorthwhile(Large));
        Assert.True(packing.IsWorthwhile(Large));
    }

    [Theory]
    [InlineData(1, 1_000_000)]
    [InlineData(1_000_000, 1)]
    public void What_was_asked_for_is_done_at_any_speed(int packTicks, int writeTicks)
    {
        var always = new RecordPacking(JournalCompression.Always);
        var never = new RecordPacking(JournalCompression.Never);
        foreach (RecordPacking packing in (RecordPacking[])[always, never])
        {
            packing.NotePacked(Large, Large / 2, packTicks);
            packing.NoteWritten(Large, writeTicks);
        }

        Assert.True(always.IsWorthwhile(Large));
        Assert.True(always.IsWorthwhile(Small));
        Assert.False(never.IsWorthwhile(Large));
        Assert.False(never.IsWorthwhile(Small));
    }

    /// <summary>Each look at the clock takes as long: packing a record and writing it, too. Half saved or more is worth
    /// it then, less is not.</summary>
    [Theory]
    [InlineData(true, 4)]
    [InlineData(false, 1)]
    public void Records_of_an_environment_are_packed_by_what_was_measured_and_read_again_either_way(
        bool packsWell, int packedMin)
    {
        using var disk = new SimulatedFileSystem();
        var hooks = new StorageHooks();
        var options = new StorageOptions
        {
            FileSystem = disk, Scheduler = new ManualScheduler(), Clock = new PassingClock(), Hooks = hooks,
            AuditsCommits = false,
        };
        const int Commits = 4;
        using (StorageEnvironment environment = StorageEnvironment.Open(options))
        {
            for (int i = 0; i < Commits; i++)
            {
                Put(environment, i, packsWell);
            }

            Assert.Equal(packedMin, hooks.CountOf(ProtocolMark.RecordCompressed));
        }

        using var copy = new SimulatedFileSystem(disk.CurrentImage());
        using StorageEnvironment again = StorageEnvironment.Open(options with { FileSystem = copy });
        Assert.Empty(again.Audit().Findings);
        using ReadTransaction reader = again.BeginRead();
        for (int i = 0; i < Commits; i++)
        {
            Assert.Equal(Keys, reader.TryOpenTree([(byte)i])!.Count);
        }
    }

    private static void Put(StorageEnvironment environment, int tree, bool packsWell)
    {
        var random = new Random(tree);
        byte[] value = new byte[4000];
        using WriteTransaction transaction = environment.BeginWrite();
        for (int i = 0; i < Keys; i++)
        {
            random.NextBytes(value.AsSpan(packsWell ? value.Length - 100 : 100));
            transaction.OpenOrCreateTree([(byte)tree]).Put(BitConverter.GetBytes(i), value);
        }

        transaction.Commit();
    }

    /// <summary>A clock on which a millisecond passes with each look.</summary>
    private sealed class PassingClock : TimeProvider
    {
        private long _now;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public override long GetTimestamp() => Interlocked.Add(ref _now, TimeSpan.TicksPerMillisecond);
    }
}
