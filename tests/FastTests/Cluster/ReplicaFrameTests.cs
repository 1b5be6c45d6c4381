using Raven.Cluster.Replication;
using Raven.Storage.Log;

namespace FastTests.Cluster;

/// <summary>The bytes of messages between nodes: what is read is what was written, or is refused.</summary>
public sealed class ReplicaFrameTests
{
    private static readonly byte[] Body = [1, 2, 3, 4, 5];

    public static TheoryData<ReplicaMessageKind> Kinds =>
        [.. Enum.GetValues<ReplicaMessageKind>().Where(kind => kind != ReplicaMessageKind.None)];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void A_frame_is_read_as_it_was_written(ReplicaMessageKind kind)
    {
        ReplicaMessage message = Sample(kind);
        byte[] bytes = Write(message);
        ReplicaFrameStatus status =
            ReplicaFrame.Read([.. bytes, 9, 9], out ReplicaMessage read, out Range body, out int length);
        Assert.Equal(ReplicaFrameStatus.Whole, status);
        Assert.Equal(bytes.Length, length);
        Assert.Equal(message, read);
        Assert.Equal(message.Bytes > 0 ? Body : [], bytes[body]);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void A_frame_that_was_changed_is_refused(ReplicaMessageKind kind)
    {
        byte[] bytes = Write(Sample(kind));
        for (int bit = 0; bit < bytes.Length * 8; bit++)
        {
            byte[] changed = [.. bytes];
            changed[bit / 8] ^= (byte)(1 << (bit % 8));
            ReplicaFrameStatus status = ReplicaFrame.Read(changed, out _, out _, out _);
            Assert.True(status != ReplicaFrameStatus.Whole, $"bit {bit}");
            Assert.True(status == ReplicaFrameStatus.Damaged || bit < 32, $"bit {bit}");
        }
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void A_frame_that_has_not_come_whole_is_waited_for(ReplicaMessageKind kind)
    {
        byte[] bytes = Write(Sample(kind));
        for (int count = 0; count < bytes.Length; count++)
        {
            Assert.Equal(
                ReplicaFrameStatus.Incomplete, ReplicaFrame.Read(bytes.AsSpan(0, count), out _, out _, out int length));
            Assert.Equal(count < 24 ? 0 : bytes.Length, length);
        }
    }

    [Fact]
    public void What_says_to_be_longer_than_any_frame_is_refused_before_it_has_come()
    {
        byte[] bytes = Write(Sample(ReplicaMessageKind.Record));
        BitConverter.TryWriteBytes(bytes, ReplicaFrame.BytesMax + 1);
        Assert.Equal(ReplicaFrameStatus.Damaged, ReplicaFrame.Read(bytes, out _, out _, out _));
        BitConverter.TryWriteBytes(bytes, -1);
        Assert.Equal(ReplicaFrameStatus.Damaged, ReplicaFrame.Read(bytes, out _, out _, out _));
    }

    [Fact]
    public void Bytes_at_random_are_no_frame()
    {
        var random = new Random(1);
        byte[] bytes = new byte[200];
        for (int i = 0; i < 20_000; i++)
        {
            random.NextBytes(bytes);
            bytes[2] = bytes[3] = 0;
            bytes[4] %= 14;
            bytes[6] = 1;
            bytes[7] = 0;
            Assert.NotEqual(ReplicaFrameStatus.Whole, ReplicaFrame.Read(bytes, out _, out _, out _));
        }
    }

    [Fact]
    public void The_bytes_of_a_frame_are_those_of_its_format() => Assert.Equal(
        "38000000" + "04" + "00" + "0100" + "1100000000000000" + "0300000000000000"
        + "2A00000000000000" + "0700000000000000" + "0300000000000000" + "269EE0E8FD4E86A6",
        Convert.ToHexString(Write(Sample(ReplicaMessageKind.Ack))));

    private static byte[] Write(in ReplicaMessage message)
    {
        ReadOnlySpan<byte> body = message.Bytes > 0 ? Body : [];
        byte[] bytes = new byte[ReplicaFrame.SizeOf(message.Kind, body.Length)];
        ReplicaFrame.Write(message, body, bytes);
        return bytes;
    }

    private static ReplicaMessage Sample(ReplicaMessageKind kind)
    {
        var message = new ReplicaMessage { Kind = kind, Lineage = 17, Epoch = 3 };
        var point = new LogPosition(42, 7, 3);
        switch (kind)
        {
            case ReplicaMessageKind.Hello:
                message.Point = point;
                message.Floor = new LogPosition(41, 6, 2);
                message.DataLineage = 16;
                message.Identity = new ReplicaIdentity(1, 2, 3, 4);
                message.NeedsPages = true;
                break;
            case ReplicaMessageKind.Welcome:
                message.Point = point;
                message.Welcome = WelcomeKind.Delta;
                break;
            case ReplicaMessageKind.Record:
                message.Point = point;
                message.PreviousHash = 6;
                message.Bytes = Body.Length;
                break;
            case ReplicaMessageKind.Pages:
                message.Point = point;
                message.Bytes = Body.Length;
                break;
            case ReplicaMessageKind.Answer:
                message.Point = point;
                message.Number = 5;
                break;
            case ReplicaMessageKind.Ping or ReplicaMessageKind.Pong or ReplicaMessageKind.Ask:
                message.Number = 5;
                break;
            case ReplicaMessageKind.Refuse:
                message.Reason = RefusalReason.OtherHistory;
                break;
            default:
                message.Point = point;
                break;
        }

        return message;
    }
}
