using FastTests.Support;
using Raven.Blittable.Memory;
using Raven.Storage.Checks;
using Raven.Storage.Streams;
using Raven.Storage.Structures;

namespace FastTests.Storage.Streams;

public sealed class StreamStoreTests
{
    [Fact]
    [Trait("Invariant", "STREAM-1")]
    [Trait(Proof.Row, Proof.Models)]
    public void Streams_equal_a_dictionary_of_byte_lists()
    {
        for (int seed = 1; seed <= 6; seed++)
        {
            Run(seed);
        }
    }

    [Fact]
    public void An_append_longer_than_a_chunk_is_cut_into_chunks()
    {
        using var store = new MemoryPageStore();
        using MemoryPageStore.Writer writer = store.BeginWrite();
        var streams = new StreamStore();
        streams.AttachNew(writer);
        byte[] bytes = new byte[(3 * StreamStore.ChunkSizeBytesMax) + 5];
        new Random(1).NextBytes(bytes);
        streams.Append("a"u8, bytes);
        byte[] read = new byte[bytes.Length + 10];
        Assert.Equal(bytes.Length, streams.Read("a"u8, 0, read));
        Assert.True(read.AsSpan(0, bytes.Length).SequenceEqual(bytes));
        Assert.True(streams.TryGetChunk("a"u8, StreamStore.ChunkSizeBytesMax + 7, out NativeSlice chunk));
        Assert.True(chunk.Span.SequenceEqual(bytes.AsSpan(
            StreamStore.ChunkSizeBytesMax + 7, StreamStore.ChunkSizeBytesMax - 7)));
    }

    [Fact]
    [Trait("Invariant", "STREAM-2")]
    public void An_empty_stream_is_distinguished_from_one_that_does_not_exist()
    {
        using var store = new MemoryPageStore();
        using MemoryPageStore.Writer writer = store.BeginWrite();
        var streams = new StreamStore();
        streams.AttachNew(writer);
        Assert.True(streams.Create("empty"u8));
        Assert.False(streams.Create("empty"u8));
        Assert.True(streams.TryGetLength("empty"u8, out long length));
        Assert.Equal(0, length);
        Assert.False(streams.TryGetLength("none"u8, out _));
        Assert.False(streams.TryGetChunk("empty"u8, 0, out _));
        Assert.False(streams.Delete("none"u8));
        Assert.Throws<ArgumentOutOfRangeException>(() => streams.Reserve("a"u8, 0));
    }

    private static void Run(int seed)
    {
        var random = new Random(seed);
        var model = new Dictionary<string, List<byte>>();
        using var store = new MemoryPageStore();
        var catalog = new Catalog();
        byte[] record = new byte[Catalog.RecordSizeInBytes];
        for (int transaction = 0; transaction < 8; transaction++)
        {
            using MemoryPageStore.Writer writer = store.BeginWrite();
            catalog.Begin(writer, record);
            StreamStore streams = catalog.OpenOrCreateStreams("files");
            for (int i = 0; i < 30; i++)
            {
                Step(streams, model, random);
            }

            Compare(streams, model, random);
            catalog.Save(record);
            CheckReport report = StructureCheck.Run(writer, record);
            writer.Commit();
            StructureCheck.CheckOwners(report, 1, store.NextPage, store.FreePages);
            Assert.Empty(report.Findings);
        }

        using MemoryPageStore.Writer last = store.BeginWrite();
        catalog.Begin(last, record);
        Assert.True(catalog.Delete("files"));
        catalog.Save(record);
        last.Commit();
        Assert.Empty(store.Committed);
    }

    private static void Step(StreamStore streams, Dictionary<string, List<byte>> model, Random random)
    {
        string name = $"stream {random.Next(6)}";
        byte[] key = System.Text.Encoding.UTF8.GetBytes(name);
        switch (random.Next(8))
        {
            case 0:
                Assert.Equal(model.Remove(name), streams.Delete(key));
                break;
            case 1:
                string other = $"stream {random.Next(6)}";
                bool canRename = model.ContainsKey(name) && !model.ContainsKey(other);
                Assert.Equal(canRename, streams.Rename(key, System.Text.Encoding.UTF8.GetBytes(other)));
                if (canRename)
                {
                    model[other] = model[name];
                    model.Remove(name);
                }

                break;
            default:
                byte[] bytes = new byte[random.Next(3) == 0 ? random.Next(90_000) : random.Next(1, 3_000)];
                random.NextBytes(bytes);
                streams.Append(key, bytes);
                model.TryAdd(name, []);
                model[name].AddRange(bytes);
                break;
        }
    }

    private static void Compare(StreamStore streams, Dictionary<string, List<byte>> model, Random random)
    {
        Assert.Equal(model.Count, streams.Count);
        Assert.Equal(model.Values.Sum(bytes => (long)bytes.Count), streams.PayloadBytes);
        foreach ((string name, List<byte> bytes) in model)
        {
            byte[] key = System.Text.Encoding.UTF8.GetBytes(name);
            Assert.True(streams.TryGetLength(key, out long length));
            Assert.Equal(bytes.Count, length);
            int offset = random.Next(bytes.Count + 1);
            byte[] read = new byte[random.Next(bytes.Count + 100)];
            int count = streams.Read(key, offset, read);
            Assert.Equal(Math.Min(read.Length, bytes.Count - offset), count);
            Assert.True(read.AsSpan(0, count).SequenceEqual(
                System.Runtime.InteropServices.CollectionsMarshal.AsSpan(bytes).Slice(offset, count)));
        }
    }
}
