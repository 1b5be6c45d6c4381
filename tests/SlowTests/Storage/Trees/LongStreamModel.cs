using System.Collections.Immutable;
using System.Text;
using Raven.Storage.Streams;
using Raven.Storage.Transactions;
using Streams = System.Collections.Immutable.ImmutableDictionary<
    string, SlowTests.Storage.Trees.LongStreamModel.Content>;

namespace SlowTests.Storage.Trees;

/// <summary>Streams beside what each of them was filled from: a part of one long noise.</summary>
internal sealed class LongStreamModel : LongModel<Streams>
{
    private const int Names = 16;
    private const int LengthMax = 200_000;
    private const int NoiseBytes = 4 << 20;

    private static readonly byte[] Noise = NewNoise();

    internal LongStreamModel(int seed)
        : base(seed, ImmutableDictionary.Create<string, Content>())
    {
    }

    /// <summary>Its start in the noise, and its length.</summary>
    internal readonly record struct Content(int Start, int Length)
    {
        internal ReadOnlySpan<byte> Bytes => Noise.AsSpan(Start, Length);
    }

    private protected override void Step(WriteTransaction transaction)
    {
        StreamStore streams = transaction.OpenOrCreateStreams("files"u8);
        string name = $"stream {Random.Next(Names)}";
        byte[] key = Encoding.UTF8.GetBytes(name);
        bool exists = State.TryGetValue(name, out Content content);
        int choice = Random.Next(300);
        if (choice == 0 || content.Length > LengthMax)
        {
            Assert.Equal(exists, streams.Delete(key));
            State = State.Remove(name);
            return;
        }

        if (choice < 4)
        {
            string other = $"stream {Random.Next(Names)}";
            bool canRename = exists && !State.ContainsKey(other);
            Assert.Equal(canRename, streams.Rename(key, Encoding.UTF8.GetBytes(other)));
            State = canRename ? State.Remove(name).Add(other, content) : State;
            return;
        }

        if (!exists)
        {
            content = new Content(Random.Next(NoiseBytes / 2), 0);
        }

        int length = choice switch
        {
            < 7 => Random.Next(90_000),
            < 30 => Random.Next(8_000),
            _ => Random.Next(1, 300),
        };
        Content next = content with { Length = content.Length + length };
        streams.Append(key, next.Bytes[content.Length..]);
        State = State.SetItem(name, next);
    }

    private protected override void Compare(Streams state, ReadTransaction reader)
    {
        StreamStore? streams = reader.TryOpenStreams("files"u8);
        Assert.Equal(state.Count, streams?.Count ?? 0);
        Assert.Equal(state.Values.Sum(content => (long)content.Length), streams?.PayloadBytes ?? 0);
        byte[] read = new byte[2 * LengthMax];
        foreach ((string name, Content content) in state)
        {
            byte[] key = Encoding.UTF8.GetBytes(name);
            Assert.True(streams!.TryGetLength(key, out long length));
            Assert.Equal(content.Length, length);
            int count = streams.Read(key, 0, read);
            Assert.True(read.AsSpan(0, count).SequenceEqual(content.Bytes), name);
            int middle = content.Length / 2;
            count = streams.Read(key, middle, read.AsSpan(0, 1_000));
            Assert.True(content.Bytes[middle..].StartsWith(read.AsSpan(0, count)), name);
            Assert.Equal(Math.Min(1_000, content.Length - middle), count);
        }
    }

    private static byte[] NewNoise()
    {
        byte[] noise = new byte[NoiseBytes];
        new Random(1).NextBytes(noise);
        return noise;
    }
}
