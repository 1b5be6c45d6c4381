using System.Buffers.Binary;
using System.Text;
using FastTests.Support;
using Raven.Server.Http.Changes;
using Raven.Server.Http.WebSockets;

namespace FastTests.Server;

/// <summary>A client that does not read, step by step: when its socket takes bytes is up to the test.</summary>
public sealed class ChangesBackPressureTests
{
    private const int WaitingBytesMax = 1000;

    [Fact]
    [Trait("Invariant", "CON-2")]
    [Trait("Invariant", "CON-3")]
    public async Task A_client_that_does_not_read_changes_gets_the_waiting_ones_and_a_close_frame_with_the_reason()
    {
        bool isCut = false;
        var connection = new ChangesConnection(1, WaitingBytesMax, () => isCut = true);
        using var socket = new StuckStream();
        Task sending = connection.SendAsync(socket);
        connection.Offer("0"u8);
        await socket.Reached.WaitAsync(Deadline.Hang);

        // From here on all reports wait, up to the limit; later ones are dropped.
        var expected = new List<string> { "[0]" };
        string waiting = "";
        for (int i = 1; connection.WaitingBytes + 100 <= WaitingBytesMax; i++)
        {
            string one = i.ToString("D99", null);
            connection.Offer(Encoding.ASCII.GetBytes(one));
            waiting += (waiting.Length == 0 ? "" : ",") + one;
        }

        Assert.Equal(999, waiting.Length);
        connection.Offer("99"u8);
        connection.Offer("1"u8);
        expected.Add($"[{waiting}]");
        socket.Release();
        await sending.WaitAsync(Deadline.Hang);

        Assert.False(isCut);
        List<(WebSocketOpcode Opcode, byte[] Payload)> frames = FramesOf(socket.Written);
        Assert.Equal(expected, frames.SkipLast(1).Select(frame => Encoding.ASCII.GetString(frame.Payload)));
        (WebSocketOpcode last, byte[] reason) = frames[^1];
        Assert.Equal(WebSocketOpcode.Close, last);
        Assert.Equal((ushort)WebSocketCloseStatus.PolicyViolation, BinaryPrimitives.ReadUInt16BigEndian(reason));
        Assert.StartsWith($"Over {WaitingBytesMax} bytes of changes wait", Encoding.UTF8.GetString(reason.AsSpan(2)));
        connection.Release();
    }

    private static List<(WebSocketOpcode Opcode, byte[] Payload)> FramesOf(ReadOnlySpan<byte> bytes)
    {
        List<(WebSocketOpcode, byte[])> frames = [];
        while (!bytes.IsEmpty)
        {
            var opcode = (WebSocketOpcode)(bytes[0] & 0x0F);
            int length = bytes[1];
            int header = 2;
            if (length == 126)
            {
                length = BinaryPrimitives.ReadUInt16BigEndian(bytes[2..]);
                header = 4;
            }

            frames.Add((opcode, bytes.Slice(header, length).ToArray()));
            bytes = bytes[(header + length)..];
        }

        return frames;
    }

    /// <summary>Takes no byte until it is released.</summary>
    private sealed class StuckStream : MemoryStream
    {
        private readonly TaskCompletionSource _reached = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource _released = new(TaskCreationOptions.RunContinuationsAsynchronously);

        internal Task Reached => _reached.Task;

        internal ReadOnlySpan<byte> Written => ToArray();

        internal void Release() => _released.TrySetResult();

        public override async ValueTask WriteAsync(
            ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            _reached.TrySetResult();
            await _released.Task.WaitAsync(cancellationToken);
            Write(buffer.Span);
        }
    }
}
