using Raven.Documents.Operations;

namespace FastTests.Documents;

public sealed class StreamPipeTests
{
    private static readonly byte[] Piece = new byte[1 << 20];

    [Fact]
    public async Task What_is_produced_is_consumed()
    {
        byte[] bytes = new byte[7 << 20];
        new Random(1).NextBytes(bytes);
        using var consumed = new MemoryStream();
        await StreamPipe.RunAsync(
            (target, stop) => StreamPipe.CopyAsync(new MemoryStream(bytes), target, stop),
            source => StreamPipe.CopyAsync(source, consumed, TestContext.Current.CancellationToken),
            TestContext.Current.CancellationToken);
        Assert.Equal(bytes, consumed.ToArray());
    }

    [Fact]
    public async Task A_failure_of_the_producer_is_thrown_and_seen_by_the_consumer()
    {
        Exception? seen = null;
        InvalidDataException thrown = await Assert.ThrowsAsync<InvalidDataException>(() => StreamPipe.RunAsync(
            async (target, stop) =>
            {
                await target.WriteAsync(Piece, stop);
                throw new InvalidDataException("broken");
            },
            async source =>
            {
                try
                {
                    await source.CopyToAsync(Stream.Null, TestContext.Current.CancellationToken);
                }
                catch (Exception e)
                {
                    seen = e;
                    throw;
                }
            },
            TestContext.Current.CancellationToken));
        Assert.Equal("broken", thrown.Message);
        Assert.IsType<InvalidDataException>(seen);
    }

    [Fact]
    public async Task A_failure_of_the_consumer_is_thrown_and_ends_the_producer()
    {
        bool isEnded = false;
        await Assert.ThrowsAsync<IOException>(() => StreamPipe.RunAsync(
            async (target, stop) =>
            {
                try
                {
                    while (true)
                    {
                        await target.WriteAsync(Piece, stop);
                    }
                }
                finally
                {
                    isEnded = true;
                }
            },
            async source =>
            {
                await source.ReadExactlyAsync(new byte[10], TestContext.Current.CancellationToken);
                throw new IOException("full");
            },
            TestContext.Current.CancellationToken));
        Assert.True(isEnded);
    }

    [Fact]
    public async Task A_consumer_that_reads_no_more_ends_the_producer()
    {
        bool isEnded = false;
        await StreamPipe.RunAsync(
            async (target, stop) =>
            {
                try
                {
                    while (true)
                    {
                        await target.WriteAsync(Piece, stop);
                    }
                }
                finally
                {
                    isEnded = true;
                }
            },
            static _ => Task.CompletedTask,
            TestContext.Current.CancellationToken);
        Assert.True(isEnded);
    }

    [Fact]
    public async Task Cancellation_ends_both()
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(TestContext.Current.CancellationToken);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => StreamPipe.RunAsync(
            async (target, halt) =>
            {
                await target.WriteAsync(Piece, halt);
                await new TaskCompletionSource().Task.WaitAsync(halt);
            },
            async source =>
            {
                await source.ReadExactlyAsync(new byte[10], TestContext.Current.CancellationToken);
                await stop.CancelAsync();
                await source.CopyToAsync(Stream.Null, TestContext.Current.CancellationToken);
            },
            stop.Token));
    }
}
