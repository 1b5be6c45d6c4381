using System.Runtime.CompilerServices;
using FastTests.Support;
using Raven.Blittable.Compression;

namespace FastTests.Compression;

public sealed class Lz4Tests
{
    [Fact]
    public void A_source_of_every_length_to_700_is_decoded_as_it_was_encoded()
    {
        byte[] words = SampleTexts.Words(new Random(1), 700);
        byte[] patterns = SampleTexts.Patterns(new Random(2), 700);
        byte[] zeros = new byte[700];
        for (int length = 0; length <= 700; length++)
        {
            AssertComesBack(words.AsSpan(0, length), $"words, {length}");
            AssertComesBack(patterns.AsSpan(0, length), $"patterns, {length}");
            AssertComesBack(zeros.AsSpan(0, length), $"zeros, {length}");
        }
    }

    [Fact]
    public void Random_sources_of_many_lengths_are_decoded_as_they_were_encoded()
    {
        Random random = new(20260731);
        for (int i = 0; i < 400; i++)
        {
            byte[] source = SampleTexts.Any(random, random.Next(1 << random.Next(1, 19)));
            AssertComesBack(source, $"input {i} of seed 20260731, {source.Length} bytes");
        }
    }

    [Fact]
    public void A_million_bytes_and_matches_at_the_farthest_offset_are_decoded_as_encoded()
    {
        AssertComesBack(SampleTexts.Records(25_000), "records");
        foreach (int distance in (ReadOnlySpan<int>)[65534, 65535, 65536, 65537])
        {
            byte[] source = new byte[distance + 1024];
            SampleTexts.Noise(new Random(3), 1024).CopyTo(source, 0);
            source.AsSpan(0, 1024).CopyTo(source.AsSpan(distance));
            AssertComesBack(source, $"a repeat {distance} bytes behind");
            int length = Lz4.Encode(source, new byte[Lz4.MaxEncodedLength(source.Length)]);
            Assert.Equal(distance <= 65535, length < 1024 + 512);
        }
    }

    [Fact]
    public void Text_gets_smaller_and_noise_grows_by_no_more_than_the_bound()
    {
        byte[] records = SampleTexts.Records(500);
        byte[] block = new byte[Lz4.MaxEncodedLength(100_000)];
        Assert.InRange(Lz4.Encode(records, block), 1, records.Length / 3);
        byte[] noise = SampleTexts.Noise(new Random(4), 100_000);
        Assert.InRange(Lz4.Encode(noise, block), noise.Length, Lz4.MaxEncodedLength(noise.Length));
    }

    [Fact]
    public void A_target_that_is_too_short_gives_zero_and_its_exact_length_does_not()
    {
        byte[][] sources =
        [
            [], [7], SampleTexts.Words(new Random(5), 300), SampleTexts.Noise(new Random(6), 300),
            new byte[300], SampleTexts.Patterns(new Random(7), 2000),
        ];
        byte[] whole = new byte[Lz4.MaxEncodedLength(2000)];
        foreach (byte[] source in sources)
        {
            int needed = Lz4.Encode(source, whole);
            for (int capacity = 0; capacity < needed; capacity++)
            {
                byte[] target = new byte[needed + 64];
                target.AsSpan(capacity).Fill(0xEE);
                Assert.Equal(0, Lz4.Encode(source, target.AsSpan(0, capacity)));
                Assert.Equal(-1, target.AsSpan(capacity).IndexOfAnyExcept((byte)0xEE));
            }

            byte[] exact = new byte[needed + 8]; // The encoder asks for a few bytes before it knows that it needs none.
            int length = Lz4.Encode(source, exact);
            Assert.Equal(whole.AsSpan(0, needed), exact.AsSpan(0, length));
        }
    }

    [Fact]
    public void Blocks_of_one_thread_do_not_see_each_others_positions()
    {
        byte[] block = new byte[Lz4.MaxEncodedLength(4096)];
        Random random = new(8);
        byte[] source = SampleTexts.Words(random, 4096);
        int first = Lz4.Encode(source, block);
        byte[] expected = block.AsSpan(0, first).ToArray();
        for (int i = 0; i < 50; i++)
        {
            _ = Lz4.Encode(SampleTexts.Any(random, random.Next(4000)), new byte[5000]);
            Assert.Equal(first, Lz4.Encode(source, block));
            Assert.Equal(expected, block.AsSpan(0, first));
        }
    }

    [Fact]
    public void The_workspace_starts_over_before_its_positions_run_out()
    {
        Lz4Workspace workspace = new();
        ulong first = workspace.TakeOrigin(1 << 29);
        ulong second = workspace.TakeOrigin(1 << 29);
        ulong third = workspace.TakeOrigin(1 << 29);
        Assert.True(second > first + (1 << 29) + 65535 && third > second + (1 << 29) + 65535);
        Unsafe.Add(ref workspace.Table, 17) = 2_000_000_000;
        Assert.Equal(first, workspace.TakeOrigin(Lz4.SourceLengthMax));
        Assert.Equal(0u, Unsafe.Add(ref workspace.Table, 17));
    }

    [Fact]
    public void Encoding_and_decoding_allocate_nothing()
    {
        byte[] source = SampleTexts.Words(new Random(9), 2000);
        byte[] block = new byte[Lz4.MaxEncodedLength(source.Length)];
        byte[] back = new byte[source.Length];
        Assert.Equal(0, Allocated.Least(() =>
        {
            for (int i = 0; i < 100; i++)
            {
                int length = Lz4.Encode(source.AsSpan(i), block);
                Assert.True(Lz4.TryDecode(block.AsSpan(0, length), back.AsSpan(i), out _));
            }
        }));
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(Lz4.SourceLengthMax + 1)]
    [InlineData(int.MaxValue)]
    public void The_bound_of_a_source_that_is_too_long_is_refused(int length) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => Lz4.MaxEncodedLength(length));

    private static void AssertComesBack(ReadOnlySpan<byte> source, string what)
    {
        byte[] block = new byte[Lz4.MaxEncodedLength(source.Length)];
        int length = Lz4.Encode(source, block);
        Assert.True(length > 0, what);
        byte[] back = new byte[source.Length];
        Assert.True(Lz4.TryDecode(block.AsSpan(0, length), back, out int written), what);
        Assert.True(written == source.Length && source.SequenceEqual(back), what);
    }
}
