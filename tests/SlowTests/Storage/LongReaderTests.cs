using System.Diagnostics;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace SlowTests.Storage;

/// <summary>A reader that stays open for a minute while others write as fast as they can: what it holds
/// is bounded by the data, not by the time.</summary>
[Trait(Category.Shard, "storage-soak")]
[Collection(nameof(SoakTests))]
public sealed class LongReaderTests : IDisposable
{
    private const int Seconds = 60;

    /// <summary>By then each page that the reader sees has been changed, and what it holds is at its most.</summary>
    private const int WarmUpSeconds = 20;

    /// <summary>More than a minute of writes: the reader is to be open for all of it.</summary>
    private const long BacklogBytesMax = 32L << 30;

    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly string _folder = Directory.CreateTempSubdirectory("raven-reader-").FullName;
    private readonly Random _random = new(13);
    private readonly HashSet<int> _live = [];

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void A_reader_of_a_minute_holds_no_more_memory_than_one_of_seconds()
    {
        using StorageEnvironment environment = SoakLoad.Open(_folder, BacklogBytesMax);
        for (int i = 0; i < 400; i++)
        {
            SoakLoad.Write(environment, _random, _live);
        }

        int count = _live.Count;
        List<(int Second, long Batches, long ScratchBytes, ProcessSample Process)> curve = [];
        using (ReadTransaction reader = environment.BeginRead())
        {
            reader.Purpose = "a minute";
            long batches = 0;
            for (int second = 1; second <= Seconds; second++)
            {
                long scratch = WriteForASecond(environment, ref batches);
                curve.Add((second, batches, scratch, ProcessSample.Take()));
                Assert.Equal("a minute", environment.GetStatistics().OldestReader.Purpose);
                Assert.Equal(count, Count(reader));
            }
        }

        string text = string.Join(Environment.NewLine, curve);
        Console.WriteLine(text);
        Assert.True(curve.Max(point => point.ScratchBytes) <= SoakLoad.ScratchBytesMax, text);
        RequireFlat(curve.ConvertAll(point => point.ScratchBytes), growthMax: 0.1, text);
        RequireFlat(curve.ConvertAll(point => point.Process.MemoryBytes), growthMax: 0.1, text);
        Assert.True(environment.Flush() & environment.Flush());
        Assert.Equal(0, environment.GetStatistics().Scratch.UsedBytes);
    }

    /// <summary>Writes for a second.</summary>
    /// <returns>The most scratch memory that was in use behind a commit.</returns>
    private long WriteForASecond(StorageEnvironment environment, ref long batches)
    {
        long most = 0;
        for (long begin = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(begin) < Second; batches++)
        {
            SoakLoad.Write(environment, _random, _live);
            most = Math.Max(most, environment.GetStatistics().Scratch.UsedBytes);
        }

        return most;
    }

    private static int Count(ReadTransaction reader)
    {
        int count = 0;
        TreeCursor cursor = reader.TryOpenTree("t"u8)!.GetCursor();
        for (bool found = cursor.SeekFirst(); found; found = cursor.MoveNext())
        {
            count++;
        }

        return count;
    }

    /// <summary>The last part is not above the one before: what grows with time would be.</summary>
    private static void RequireFlat(List<long> values, double growthMax, string text)
    {
        int half = (Seconds - WarmUpSeconds) / 2;
        long before = values.Skip(WarmUpSeconds).Take(half).Max();
        long after = values.Skip(WarmUpSeconds + half).Max();
        Assert.True(after <= before * (1 + growthMax), $"{before} bytes became {after}:\n{text}");
    }
}
