using System.IO.Compression;
using Raven.Server.Http.Smuggler;

namespace FastTests.Server;

public sealed class GzipMembersTests
{
    [Theory]
    [InlineData(1)]
    [InlineData((1 << 20) - 1)]
    [InlineData(1 << 20)]
    [InlineData((1 << 20) + 1)]
    [InlineData(9 << 20)]
    public async Task What_is_written_is_read_back_as_one_stream(int length)
    {
        var random = new Random(length);
        byte[] bytes = [.. Enumerable.Range(0, length).Select(i => (byte)(i / 1000 * random.Next(4)))];
        using var target = new MemoryStream();
        await using (var members = new GzipMembers(target))
        {
            for (int at = 0; at < length;)
            {
                int count = Math.Min(random.Next(1, 300_000), length - at);
                await members.WriteAsync(bytes.AsMemory(at, count), TestContext.Current.CancellationToken);
                at += count;
            }
        }

        target.Position = 0;
        await using var unpacked = new GZipStream(target, CompressionMode.Decompress);
        using var read = new MemoryStream();
        await unpacked.CopyToAsync(read, TestContext.Current.CancellationToken);
        Assert.Equal(bytes, read.ToArray());
    }

    [Fact]
    public async Task A_target_that_fails_ends_it()
    {
        var members = new GzipMembers(new FailingStream());
        byte[] piece = new byte[1 << 20];
        await Assert.ThrowsAsync<IOException>(async () =>
        {
            for (int i = 0; i < 100; i++)
            {
                await members.WriteAsync(piece, TestContext.Current.CancellationToken);
            }
        });
    }

    private sealed class FailingStream : MemoryStream
    {
        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken) =>
            throw new IOException("full");
    }
}
