using Raven.Storage.Errors;
using Raven.Storage.Journal;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Storage.Transactions;

/// <summary>Which records of the journal are packed.</summary>
public sealed class RecordPackingTests
{
    private const int Large = RecordPacking.LargeBytesMin;
    private const int Small = Large - 1;
    private const int Keys = 300;
    private const int Commits = 8;

    [Fact]
    public void Packed_and_plain_records_are_each_tried_twice_before_one_way_is_chosen()
    {
        var packing = new RecordPacking(JournalCompression.Adaptive);
        foreach (bool way in (bool[])[true, true, false, false])
        {
            Assert.Equal(way, packing.IsWorthwhile(Large));
            packing.Note(Large, way, 100);
        }

        Assert.True(packing.IsWorthwhile(Large));
    }

    [Theory]
    [InlineData(100, 95, true)]
    [InlineData(100, 85, false)]
    [InlineData(1, 1_000_000, true)]
    [InlineData(1_000_000, 1, false)]
    [InlineData(0, 0, true)]
    public void A_large_record_is_left_plain_if_that_saves_a_tenth(int packedTicks, int plainTicks, bool isPacked)
    {
        RecordPacking packing = After(packedTicks, plainTicks);
        Assert.Equal(isPacked, packing.IsWorthwhile(Large));
        Assert.True(packing.IsWorthwhile(Small));
    }

    [Fact]
    public void A_single_slow_record_does_not_change_the_chosen_way_for_long()
    {
        var packing = new RecordPacking(JournalCompression.Adaptive);
        packing.Note(Large, true, 1_000_000);
        packing.Note(Large, true, 100);
        packing.Note(Large, false, 1_000_000);
        packing.Note(Large, false, 50);
        Assert.False(packing.IsWorthwhile(Large));
        packing.Note(Large, false, 1_000_000);
        packing.Note(Large, false, 50);
        Assert.False(packing.IsWorthwhile(Large));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void The_chosen_way_changes_when_the_other_one_becomes_faster(bool packedIsFirst)
    {
        RecordPacking packing = packedIsFirst ? After(100, 200) : After(200, 100);
        int trials = 0;
        for (int i = 0; i < 3 * RecordPacking.TrialInterval; i++)
        {
            bool way = packing.IsWorthwhile(Large);
            trials += way == packedIsFirst ? 0 : 1;
            packing.Note(Large, way, way == packedIsFirst ? 100 : 200);
        }

        Assert.Equal(3, trials);
        int records = 0;
        for (int others = 0; others < RecordPacking.TrialInterval; records++)
        {
            bool way = packing.IsWorthwhile(Large);
            others += way == packedIsFirst ? 0 : 1;
            packing.Note(Large, way, way == packedIsFirst ? 100 : 10);
        }

        Assert.InRange(records, RecordPacking.TrialInterval + 2, 4 * RecordPacking.TrialInterval);
    }

    [Fact]
    public void Records_are_packed_again_when_the_disk_becomes_slow()
    {
        RecordPacking packing = After(200, 100);
        int plain = 0;
        while (!packing.IsWorthwhile(Large))
        {
            packing.Note(Large, wasTried: false, 1_000);
            Assert.InRange(++plain, 1, 10);
        }

        Assert.InRange(plain, 2, 10);
    }

    [Theory]
    [InlineData(1, 1_000_000)]
    [InlineData(1_000_000, 1)]
    public void Records_are_always_or_never_packed_at_any_speed_if_the_option_says_so(int packedTicks, int plainTicks)
    {
        RecordPacking always = After(packedTicks, plainTicks, JournalCompression.Always);
        RecordPacking never = After(packedTicks, plainTicks, JournalCompression.Never);
        Assert.True(always.IsWorthwhile(Large));
        Assert.True(always.IsWorthwhile(Small));
        Assert.False(never.IsWorthwhile(Large));
        Assert.False(never.IsWorthwhile(Small));
    }

    /// <summary>A look at the clock takes a tick, and packing two looks; the disk takes so many for each KB. Four
    /// records go both ways before that is known.</summary>
    [Theory]
    [InlineData(0, 2)]
    [InlineData(1, Commits - 2)]
    public void Records_of_an_environment_are_written_in_the_faster_way_and_recovered(
        int ticksPerKilobyte, int packed)
    {
        using var disk = new SimulatedFileSystem();
        var clock = new ManualClock(ticksPerLook: 1);
        disk.BeforeJournalWrite = bytes => clock.Advance(TimeSpan.FromTicks(bytes / 1024 * ticksPerKilobyte));
        var hooks = new StorageHooks();
        var options = new StorageOptions
        {
            FileSystem = disk, Scheduler = new ManualScheduler(), Hooks = hooks,
            Clock = clock,
        };
        using StorageEnvironment environment = StorageEnvironment.Open(options);
        for (int i = 0; i < Commits; i++)
        {
            Put(environment, i);
        }

        Assert.Equal(packed, hooks.CountOf(CoverageMark.RecordCompressed));
        using var copy = new SimulatedFileSystem(disk.CurrentImage());
        using StorageEnvironment again = StorageEnvironment.Open(options with { FileSystem = copy });
        Assert.Equal(Commits, again.Recovery.Transactions);
        Assert.Empty(again.Audit().Findings);
        using ReadTransaction reader = again.BeginRead();
        for (int i = 0; i < Commits; i++)
        {
            Assert.Equal(Keys, reader.TryOpenTree([(byte)i])!.Count);
        }
    }

    [Fact]
    public void Records_of_an_environment_whose_commits_do_not_wait_are_always_packed()
    {
        using var disk = new SimulatedFileSystem();
        var hooks = new StorageHooks();
        using StorageEnvironment environment = StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = disk, Scheduler = new ManualScheduler(), Hooks = hooks,
            Clock = new ManualClock(ticksPerLook: 1),
            Durability = StorageDurability.Lazy,
        });
        for (int i = 0; i < Commits; i++)
        {
            Put(environment, i);
        }

        Assert.Equal(Commits, hooks.CountOf(CoverageMark.RecordCompressed));
    }

    /// <summary>
    /// Otherwise plain records, which are longer, would bring flushes sooner, and after each flush pages go whole into
    /// the journal again: what is saved on packing would be spent on that.
    /// </summary>
    [Fact]
    public void A_large_record_that_is_left_plain_counts_half_towards_the_next_flush()
    {
        RecordPacking plain = After(packedTicks: 1_000, plainTicks: 500);
        Assert.Equal(Large, plain.TowardsFlush(Large, wasTried: false, 2L * Large));
        Assert.Equal(2L * Large, plain.TowardsFlush(Large, wasTried: true, 2L * Large));
        Assert.Equal(Small, plain.TowardsFlush(Small, wasTried: false, Small));
        RecordPacking never = After(packedTicks: 1_000, plainTicks: 500, JournalCompression.Never);
        Assert.Equal(Large, never.TowardsFlush(Large, wasTried: false, Large));

        using var disk = new SimulatedFileSystem();
        var hooks = new StorageHooks();
        using StorageEnvironment environment = StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = disk, Scheduler = new ManualScheduler(), Hooks = hooks,
            Clock = new ManualClock(ticksPerLook: 1),
        });
        for (int i = 0; i < Commits; i++)
        {
            long before = environment.CommitState.BytesTowardsFlush;
            long written = environment.CommitState.BytesCommitted;
            long packed = hooks.CountOf(CoverageMark.RecordCompressed);
            Put(environment, i);
            written = environment.CommitState.BytesCommitted - written;
            bool isPlain = hooks.CountOf(CoverageMark.RecordCompressed) == packed;
            Assert.Equal(isPlain ? written / 2 : written, environment.CommitState.BytesTowardsFlush - before);
        }

        Assert.InRange(hooks.CountOf(CoverageMark.RecordCompressed), 1, Commits - 1);
    }

    /// <summary>The record is in the journal, and no writer can be notified: the next open has it.</summary>
    [Fact]
    public void No_commit_is_acknowledged_after_the_clock_failed_during_a_journal_write()
    {
        using var disk = new SimulatedFileSystem();
        var clock = new ManualClock(ticksPerLook: 1);
        using StorageEnvironment environment = StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = disk, Scheduler = new ManualScheduler(), Clock = clock, JournalSizeBytesMin = 8 << 20,
        });
        Put(environment, 1);
        disk.BeforeJournalWrite = _ => clock.Fails = true;
        Assert.Throws<StoragePoisonedException>(() => Put(environment, 2));
        clock.Fails = false;
        disk.BeforeJournalWrite = null;
        Assert.Throws<StoragePoisonedException>(() => Put(environment, 3));
        using ReadTransaction reader = environment.BeginRead();
        Assert.Null(reader.TryOpenTree([2]));
        using var copy = new SimulatedFileSystem(disk.CurrentImage());
        using StorageEnvironment again = StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = copy, Scheduler = new ManualScheduler(),
        });
        Assert.Equal(2, again.Recovery.Transactions);
    }

    private static RecordPacking After(
        int packedTicks, int plainTicks, JournalCompression compression = JournalCompression.Adaptive)
    {
        var packing = new RecordPacking(compression);
        for (int i = 0; i < 2; i++)
        {
            packing.Note(Large, wasTried: true, packedTicks);
            packing.Note(Large, wasTried: false, plainTicks);
        }

        return packing;
    }

    /// <summary>A record of more than a megabyte that is less than half as long when it is packed.</summary>
    private static void Put(StorageEnvironment environment, int tree)
    {
        var random = new Random(tree);
        byte[] value = new byte[4000];
        using WriteTransaction transaction = environment.BeginWrite();
        for (int i = 0; i < Keys; i++)
        {
            random.NextBytes(value.AsSpan(0, 500));
            for (int copy = 500; copy < value.Length; copy += 500)
            {
                value.AsSpan(0, 500).CopyTo(value.AsSpan(copy));
            }

            transaction.OpenOrCreateTree([(byte)tree]).Put(BitConverter.GetBytes(i), value);
        }

        transaction.Commit();
    }
}
