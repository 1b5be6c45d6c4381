using System.IO.Pipelines;
using FastTests.Support;
using Raven.Server.Http.Security;

namespace FastTests.Security;

/// <summary>What a handshake computes waits for its turn; a peer that is silent has none.</summary>
[Trait("Security", "11")]
[Trait("Invariant", "TLS-3")]
public sealed class HandshakeInputTests : IDisposable
{
    private readonly SemaphoreSlim _turns = new(1);

    [Fact]
    public async Task Bytes_are_passed_on_in_turn_and_a_turn_lasts_until_more_are_asked_for()
    {
        var (first, second) = (new Pipe(), new Pipe());
        var (one, other) = (new HandshakeInput(first.Reader, _turns), new HandshakeInput(second.Reader, _turns));
        await first.Writer.WriteAsync("hello"u8.ToArray());
        await second.Writer.WriteAsync("hello"u8.ToArray());
        ReadResult read = await one.ReadAsync();
        Task<ReadResult> waits = other.ReadAsync().AsTask();
        Assert.False(waits.IsCompleted);
        one.AdvanceTo(read.Buffer.End);
        Task<ReadResult> silent = one.ReadAsync().AsTask();
        read = await waits.WaitAsync(Deadline.Hang);
        Assert.Equal(5, read.Buffer.Length);
        Assert.False(silent.IsCompleted);
        Assert.Equal(0, _turns.CurrentCount);
        other.End();
        Assert.Equal(1, _turns.CurrentCount);
        await first.Writer.WriteAsync("more"u8.ToArray());
        Assert.Equal(4, (await silent.WaitAsync(Deadline.Hang)).Buffer.Length);
        Assert.Equal(0, _turns.CurrentCount);
        await one.CompleteAsync();
        Assert.Equal(1, _turns.CurrentCount);
    }

    [Fact]
    public async Task Peers_that_send_nothing_take_no_turn()
    {
        HandshakeInput[] inputs =
            [.. Enumerable.Range(0, 100).Select(_ => new HandshakeInput(new Pipe().Reader, _turns))];
        Task<ReadResult>[] silent = [.. inputs.Select(input => input.ReadAsync().AsTask())];
        var pipe = new Pipe();
        await pipe.Writer.WriteAsync("hello"u8.ToArray());
        ReadResult read = await new HandshakeInput(pipe.Reader, _turns).ReadAsync().AsTask().WaitAsync(Deadline.Hang);
        Assert.Equal(5, read.Buffer.Length);
        Assert.DoesNotContain(silent, task => task.IsCompleted);
    }

    [Fact]
    public async Task A_handshake_that_is_given_up_while_it_waits_keeps_no_turn()
    {
        var (first, second) = (new Pipe(), new Pipe());
        var (one, other) = (new HandshakeInput(first.Reader, _turns), new HandshakeInput(second.Reader, _turns));
        await first.Writer.WriteAsync("hello"u8.ToArray());
        await second.Writer.WriteAsync("hello"u8.ToArray());
        await one.ReadAsync();
        using var given = new CancellationTokenSource();
        Task<ReadResult> waits = other.ReadAsync(given.Token).AsTask();
        await given.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waits);
        other.End();
        one.End();
        Assert.Equal(1, _turns.CurrentCount);
    }

    [Fact]
    public async Task After_the_handshake_bytes_come_without_a_turn()
    {
        var pipe = new Pipe();
        var input = new HandshakeInput(pipe.Reader, _turns);
        await pipe.Writer.WriteAsync("hello"u8.ToArray());
        Assert.False(input.TryRead(out _));
        ReadResult read = await input.ReadAsync();
        input.End();
        input.AdvanceTo(read.Buffer.GetPosition(2), read.Buffer.GetPosition(2));
        await _turns.WaitAsync();
        Assert.True(input.TryRead(out read));
        Assert.Equal(3, read.Buffer.Length);
        input.AdvanceTo(read.Buffer.End);
        ValueTask<ReadResult> next = input.ReadAsync();
        await pipe.Writer.WriteAsync("more"u8.ToArray());
        Assert.Equal(4, (await next.AsTask().WaitAsync(Deadline.Hang)).Buffer.Length);
    }

    public void Dispose() => _turns.Dispose();
}
