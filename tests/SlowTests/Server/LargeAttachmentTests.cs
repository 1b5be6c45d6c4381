using System.Net;
using System.Text;
using SlowTests.Support;

namespace SlowTests.Server;

/// <summary>An attachment of more bytes than an int counts: whole, and in bounded memory on its way in and
/// out.</summary>
[Trait(Category.Shard, "documents")]
public sealed class LargeAttachmentTests(ITestOutputHelper output)
{
    private const long Megabyte = 1 << 20;
    private const long SizeBytes = (2L << 30) + (100 * Megabyte) + 123;

    /// <summary>
    /// What is written waits for its flush in scratch, up to 256 MB of it; beside that are the pieces that are under
    /// way, and the pages of the structures.
    /// </summary>
    private const long GrowthBytesMax = 320 * Megabyte;

    private const string Path = "/databases/db/attachments?id=films%2F1&name=film";

    [Fact]
    public async Task An_attachment_over_two_gigabytes_is_written_and_read_in_bounded_memory()
    {
        using ServerProcess server = ServerProcess.Start();
        using var client = new HttpClient { BaseAddress = new Uri(server.Url), Timeout = TimeSpan.FromMinutes(8) };
        using StringContent empty = new("{}", Encoding.UTF8, "application/json");
        (await client.PutAsync("/admin/databases?name=db", empty)).EnsureSuccessStatusCode();
        using StringContent document = new("{\"Title\":\"a\"}", Encoding.UTF8, "application/json");
        (await client.PutAsync("/databases/db/docs?id=films%2F1", document)).EnsureSuccessStatusCode();

        long before = server.AnonymousBytes();
        long most = 0;
        void Look() => most = Math.Max(most, server.AnonymousBytes() - before);
        using (HttpResponseMessage stored = await client.PutAsync(Path, new Pattern(SizeBytes, Look)))
        {
            stored.EnsureSuccessStatusCode();
        }

        long mostOfUpload = most;
        await ReadAsync(client, Look);
        output.WriteLine(
            $"{SizeBytes:N0} bytes: memory grew by {mostOfUpload / Megabyte} MB at most while they came, "
            + $"{most / Megabyte} MB until they were read");
        Assert.True(most < GrowthBytesMax, $"memory grew by {most:N0} bytes");
    }

    private static async Task ReadAsync(HttpClient client, Action look)
    {
        using HttpResponseMessage answer = await client.GetAsync(Path, HttpCompletionOption.ResponseHeadersRead);
        Assert.Equal(SizeBytes, answer.Content.Headers.ContentLength);
        await using Stream stream = await answer.Content.ReadAsStreamAsync();
        byte[] got = new byte[Pattern.BlockSizeBytes];
        byte[] wanted = new byte[Pattern.BlockSizeBytes];
        for (long offset = 0; offset < SizeBytes; offset += Pattern.BlockSizeBytes)
        {
            int length = (int)Math.Min(Pattern.BlockSizeBytes, SizeBytes - offset);
            await stream.ReadExactlyAsync(got.AsMemory(0, length));
            Pattern.Fill(wanted, offset);
            Assert.True(got.AsSpan(0, length).SequenceEqual(wanted.AsSpan(0, length)), $"other bytes behind {offset}");
            look();
        }

        Assert.Equal(0, await stream.ReadAsync(got.AsMemory(0, 1)));
    }

    /// <summary>Bytes of which no block is like another, made as they are sent.</summary>
    private sealed class Pattern(long size, Action look) : HttpContent
    {
        internal const int BlockSizeBytes = 1 << 20;

        internal static void Fill(Span<byte> block, long offset) => new Random((int)(offset >> 20)).NextBytes(block);

        protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context)
        {
            byte[] block = new byte[BlockSizeBytes];
            for (long offset = 0; offset < size; offset += BlockSizeBytes)
            {
                Fill(block, offset);
                await stream.WriteAsync(block.AsMemory(0, (int)Math.Min(BlockSizeBytes, size - offset)));
                look();
            }
        }

        protected override bool TryComputeLength(out long length)
        {
            length = size;
            return true;
        }
    }
}
