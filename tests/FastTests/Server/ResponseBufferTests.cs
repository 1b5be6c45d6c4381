using Raven.Server.Http;

namespace FastTests.Server;

/// <summary>What an answer holds is bounded, and its bytes come out as they went in.</summary>
public sealed class ResponseBufferTests
{
    private const int MemoryMax = 256 * 1024;

    [Theory]
    [InlineData(10)]
    [InlineData(100_000)]
    [InlineData(5_000_000)]
    [Trait("Fault", "C1")]
    [Trait("Invariant", "OUT-1")]
    [Trait("Invariant", "OUT-2")]
    public void An_answer_of_any_length_holds_a_bounded_window_of_memory(int length)
    {
        using var folder = new TemporaryFolder();
        var memory = new ResponseMemory(MemoryMax) { Folder = folder.Path };
        var buffer = new ResponseBuffer(memory);
        byte[] written = Noise(length);
        Write(buffer, written, memory, mostBytes: MemoryMax);
        Assert.Equal(length, buffer.Length);
        Assert.Equal(length > MemoryMax * 2, memory.SpilledBytes > 0);
        Assert.Equal(written, ReadAll(buffer));
        Assert.Empty(Directory.GetFiles(folder.Path));
        buffer.Release();
        Assert.Equal((0, 0), (memory.UsedBytes, memory.SpilledBytes));
    }

    [Fact]
    [Trait("Fault", "C1")]
    [Trait("Invariant", "OUT-2")]
    public void Many_answers_share_one_memory_limit_and_give_their_memory_back()
    {
        using var folder = new TemporaryFolder();
        var memory = new ResponseMemory(MemoryMax) { Folder = folder.Path };
        byte[] written = Noise(500_000);
        ResponseBuffer[] buffers = [.. Enumerable.Range(0, 8).Select(_ => new ResponseBuffer(memory))];
        foreach (ResponseBuffer buffer in buffers)
        {
            Write(buffer, written, memory, mostBytes: MemoryMax);
        }

        Assert.Equal(8, memory.FileCount);
        Assert.All(buffers, buffer => Assert.Equal(written, ReadAll(buffer)));
        Array.ForEach(buffers, buffer => buffer.Release());
        Assert.Equal((0, 0), (memory.UsedBytes, memory.SpilledBytes));
    }

    [Fact]
    [Trait("Fault", "C1")]
    public void An_answer_over_the_limit_stays_in_memory_if_no_file_can_be_created()
    {
        var memory = new ResponseMemory(MemoryMax) { Folder = "/proc/no/such/folder" };
        var buffer = new ResponseBuffer(memory);
        byte[] written = Noise(1_000_000);
        Write(buffer, written, memory, mostBytes: long.MaxValue);
        Assert.Equal(0, memory.SpilledBytes);
        Assert.Equal(written, ReadAll(buffer));
        buffer.Release();
        Assert.Equal(0, memory.UsedBytes);
    }

    [Fact]
    public void A_response_buffer_can_be_used_again_after_an_answer_that_was_dropped_halfway()
    {
        using var folder = new TemporaryFolder();
        var memory = new ResponseMemory(MemoryMax) { Folder = folder.Path };
        var buffer = new ResponseBuffer(memory);
        Write(buffer, Noise(1_000_000), memory, mostBytes: MemoryMax);
        Assert.True(buffer.TryTakeEarlier(out byte[] first, out _));
        ResponseBuffer.Return(first);
        buffer.Clear();
        Assert.Equal((0, 0L, 0L), (buffer.Length, memory.UsedBytes, memory.SpilledBytes));
        byte[] next = Noise(700_000);
        Write(buffer, next, memory, mostBytes: MemoryMax);
        Assert.Equal(next, ReadAll(buffer));
        buffer.Release();
    }

    [Theory]
    [InlineData(null)]
    [InlineData("gzip")]
    [Trait("Fault", "C1")]
    public async Task A_long_document_is_answered_whole_though_the_memory_for_answers_is_used_up(string? accepts)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        string text = Convert.ToHexString(Noise(400_000));
        await server.PutAsync("long", $"{{\"T\":\"{text}\"}}");
        ResponseMemory memory = server.Host.State.Answers;
        memory.Take(1 << 30);
        string[] headers = accepts is null ? [] : [$"Accept-Encoding: {accepts}"];
        foreach (string path in (string[])["~/docs?id=long", "~/docs?id=long&id=none", "~/docs?startsWith=lo"])
        {
            long before = memory.FileCount;
            HttpAnswer answer = (await server.SendAsync("GET", path, (string?)null, headers)).Expect(
                System.Net.HttpStatusCode.OK);
            Assert.Equal(accepts, answer.Message.Content.Headers.ContentEncoding.SingleOrDefault());
            Assert.NotNull(answer.Message.Content.Headers.ContentLength);
            Assert.True(memory.FileCount > before);
            Stream body = new MemoryStream(answer.Bytes);
            using Stream plain = accepts is null
                ? body
                : new System.IO.Compression.GZipStream(body, System.IO.Compression.CompressionMode.Decompress);
            Assert.Equal(
                text, (string?)(await System.Text.Json.Nodes.JsonNode.ParseAsync(plain))!["Results"]![0]!["T"]);
        }

        memory.Give(1 << 30);
    }

    private static byte[] Noise(int length)
    {
        byte[] bytes = new byte[length];
        new Random(length).NextBytes(bytes);
        return bytes;
    }

    private static void Write(ResponseBuffer buffer, ReadOnlySpan<byte> bytes, ResponseMemory memory, long mostBytes)
    {
        while (!bytes.IsEmpty)
        {
            if (!buffer.HasRoom(1))
            {
                buffer.Grow(1);
                Assert.InRange(memory.UsedBytes, 0, mostBytes);
            }

            int length = Math.Min(bytes.Length, buffer.FreeSpan.Length);
            bytes[..length].CopyTo(buffer.FreeSpan);
            buffer.Advance(length);
            bytes = bytes[length..];
        }
    }

    private static byte[] ReadAll(ResponseBuffer buffer)
    {
        var all = new MemoryStream();
        while (buffer.TryTakeEarlier(out byte[] bytes, out int length))
        {
            all.Write(bytes, 0, length);
            ResponseBuffer.Return(bytes);
        }

        all.Write(buffer.Current.Span);
        return all.ToArray();
    }

    private sealed class TemporaryFolder : IDisposable
    {
        internal string Path { get; } = Directory.CreateTempSubdirectory("raven-answers-").FullName;

        public void Dispose() => Directory.Delete(Path, recursive: true);
    }
}
