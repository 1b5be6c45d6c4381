using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Platform;
using Raven.Storage.Streams;
using Raven.Storage.Transactions;

namespace SlowTests.Storage.Trees;

/// <summary>A stream longer than any span, array or 32-bit number of bytes.</summary>
[Trait(Category.Shard, "trees")]
public sealed class LargeStreamTests
{
    private const long Boundary = 1L << 31;
    private const int ChunksAtOnce = 32;

    // Not a power of two, so that no chunk begins or ends at the boundary; each has its place in its first bytes.
    private const int ChunkBytes = StreamStore.ChunkSizeBytesMax - 4_097;
    private const int Chunks = (int)(Boundary / ChunkBytes) + 20;
    private const long Length = (long)Chunks * ChunkBytes;

    private static readonly byte[] Pattern = NewPattern();

    [Fact]
    public void A_stream_can_be_longer_than_2_GB()
    {
        string folder = Directory.CreateTempSubdirectory("raven-stream-").FullName;
        try
        {
            using (StorageEnvironment environment = Open(folder))
            {
                Write(environment, Chunks);
            }

            using (StorageEnvironment environment = Open(folder))
            {
                Read(environment);
                Delete(environment);
                Assert.True(environment.Flush());

                // What the first stream had is there for the next.
                StorageStatistics statistics = environment.GetStatistics();
                Assert.True(statistics.FreePages > Length / PageHeader.PageSizeInBytes);
                Write(environment, ChunksAtOnce);
                Assert.Equal(statistics.Pages, environment.GetStatistics().Pages);
            }
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private static StorageEnvironment Open(string folder) => StorageEnvironment.Open(new StorageOptions
    {
        FileSystem = new RealFileSystem(folder),
        Durability = StorageDurability.Lazy,
        SnapshotAgeMax = TimeSpan.FromMinutes(10),
    });

    private static void Write(StorageEnvironment environment, int chunks)
    {
        for (int first = 0; first < chunks; first += ChunksAtOnce)
        {
            using WriteTransaction transaction = environment.BeginWrite();
            StreamStore streams = transaction.OpenOrCreateStreams("files"u8);
            for (int i = first; i < Math.Min(first + ChunksAtOnce, chunks); i++)
            {
                Fill(streams.Reserve("large"u8, ChunkBytes).WritableSpan, i);
            }

            transaction.Commit();
        }
    }

    private static void Read(StorageEnvironment environment)
    {
        using ReadTransaction reader = environment.BeginRead();
        StreamStore streams = reader.TryOpenStreams("files"u8)!;
        Assert.True(streams.TryGetLength("large"u8, out long length));
        Assert.Equal(Length, length);
        Assert.Equal(Length, streams.PayloadBytes);
        byte[] expected = new byte[ChunkBytes];
        for (int i = 0; i < Chunks; i++)
        {
            Fill(expected, i);
            Assert.True(streams.TryGetChunk("large"u8, (long)i * ChunkBytes, out NativeSlice chunk));
            Assert.True(chunk.Span.SequenceEqual(expected), $"chunk {i}");
        }

        // Over the boundary, within one chunk and from one to the next.
        RequireRead(streams, Boundary - 5, new byte[10]);
        RequireRead(streams, Boundary - ChunkBytes, new byte[2 * ChunkBytes]);
        Assert.Equal(5, streams.Read("large"u8, Length - 5, new byte[10]));
        Assert.Equal(0, streams.Read("large"u8, Length, new byte[10]));
        Assert.False(streams.TryGetChunk("large"u8, Length, out _));
    }

    private static void RequireRead(StreamStore streams, long offset, byte[] target)
    {
        Assert.Equal(target.Length, streams.Read("large"u8, offset, target));
        byte[] expected = new byte[ChunkBytes];
        for (int done = 0; done < target.Length;)
        {
            int at = (int)((offset + done) % ChunkBytes);
            Fill(expected, (int)((offset + done) / ChunkBytes));
            int count = Math.Min(ChunkBytes - at, target.Length - done);
            Assert.True(target.AsSpan(done, count).SequenceEqual(expected.AsSpan(at, count)), $"{offset} + {done}");
            done += count;
        }
    }

    private static void Delete(StorageEnvironment environment)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        StreamStore streams = transaction.OpenOrCreateStreams("files"u8);
        Assert.True(streams.Delete("large"u8));
        Assert.Equal(0, streams.PayloadBytes);
        transaction.Commit();
    }

    private static void Fill(Span<byte> chunk, int number)
    {
        Pattern.CopyTo(chunk);
        BinaryPrimitives.WriteInt32LittleEndian(chunk, number);
        BinaryPrimitives.WriteInt32LittleEndian(chunk[^sizeof(int)..], ~number);
    }

    private static byte[] NewPattern()
    {
        byte[] pattern = new byte[ChunkBytes];
        new Random(31).NextBytes(pattern);
        return pattern;
    }
}
