using System.Buffers.Binary;
using System.IO.Hashing;
using Raven.Storage.Log;

namespace Raven.Cluster.Replication;

/// <summary>The bytes of a message on a connection: docs/formats/replication.md.</summary>
public static class ReplicaFrame
{
    /// <summary>The longest frame that is taken: a transaction of the longest journal record, and what is around
    /// it.</summary>
    public const int BytesMax = 1 << 30;

    /// <summary>What stands before the fields of a message.</summary>
    internal const int HeadBytes = 24;
    private const int HashBytes = 8;
    private const int PointBytes = 24;
    private const ushort Version = 1;

    /// <summary>The length of a frame with a body of so many bytes; only records and pages have one.</summary>
    public static int SizeOf(ReplicaMessageKind kind, int bodyBytes) =>
        checked(HeadBytes + FieldBytes(kind) + bodyBytes + HashBytes);

    /// <summary>Writes a frame.</summary>
    /// <param name="message">The message.</param>
    /// <param name="body">The bytes that belong to it.</param>
    /// <param name="target">Has the length that <see cref="SizeOf"/> says.</param>
    public static void Write(in ReplicaMessage message, ReadOnlySpan<byte> body, Span<byte> target)
    {
        int fields = FieldBytes(message.Kind);
        BinaryPrimitives.WriteInt32LittleEndian(target, SizeOf(message.Kind, body.Length));
        target[4] = (byte)message.Kind;
        target[5] = DetailOf(message);
        BinaryPrimitives.WriteUInt16LittleEndian(target[6..], Version);
        BinaryPrimitives.WriteUInt64LittleEndian(target[8..], message.Lineage);
        BinaryPrimitives.WriteInt64LittleEndian(target[16..], message.Epoch);
        WriteFields(message, target.Slice(HeadBytes, fields));
        body.CopyTo(target[(HeadBytes + fields)..]);
        int hashed = HeadBytes + fields + body.Length;
        BinaryPrimitives.WriteUInt64LittleEndian(target[hashed..], XxHash3.HashToUInt64(target[..hashed]));
    }

    /// <summary>Reads the frame that begins the bytes.</summary>
    /// <param name="source">What has come.</param>
    /// <param name="message">The message.</param>
    /// <param name="body">Where in the source the bytes are that belong to it.</param>
    /// <param name="length">The length of the frame; if it is incomplete, of the whole one, or 0 if not even that is
    /// known.</param>
    public static ReplicaFrameStatus Read(
        ReadOnlySpan<byte> source, out ReplicaMessage message, out Range body, out int length)
    {
        message = default;
        body = default;
        length = 0;
        if (source.Length < HeadBytes)
        {
            return ReplicaFrameStatus.Incomplete;
        }

        length = BinaryPrimitives.ReadInt32LittleEndian(source);
        var kind = (ReplicaMessageKind)source[4];
        int fields = FieldBytes(kind);
        int least = HeadBytes + fields + HashBytes;
        bool hasBody = kind is ReplicaMessageKind.Record or ReplicaMessageKind.Pages;
        if (fields < 0 || length > BytesMax || (hasBody ? length < least : length != least)
            || BinaryPrimitives.ReadUInt16LittleEndian(source[6..]) != Version)
        {
            return ReplicaFrameStatus.Damaged;
        }

        if (source.Length < length)
        {
            return ReplicaFrameStatus.Incomplete;
        }

        int hashed = length - HashBytes;
        if (BinaryPrimitives.ReadUInt64LittleEndian(source[hashed..]) != XxHash3.HashToUInt64(source[..hashed]))
        {
            return ReplicaFrameStatus.Damaged;
        }

        message.Kind = kind;
        message.Lineage = BinaryPrimitives.ReadUInt64LittleEndian(source[8..]);
        message.Epoch = BinaryPrimitives.ReadInt64LittleEndian(source[16..]);
        message.Bytes = hashed - HeadBytes - fields;
        body = (HeadBytes + fields)..hashed;
        return ReadFields(ref message, source[5], source.Slice(HeadBytes, fields))
            ? ReplicaFrameStatus.Whole
            : ReplicaFrameStatus.Damaged;
    }

    /// <summary>The length of the fields of a kind; below 0 if there is no such kind.</summary>
    private static int FieldBytes(ReplicaMessageKind kind) => kind switch
    {
        ReplicaMessageKind.Hello => (2 * PointBytes) + 28,
        ReplicaMessageKind.Record or ReplicaMessageKind.Answer => PointBytes + 8,
        ReplicaMessageKind.Welcome or ReplicaMessageKind.Ack or ReplicaMessageKind.Commit
            or ReplicaMessageKind.Handover or ReplicaMessageKind.Pages => PointBytes,
        ReplicaMessageKind.Ping or ReplicaMessageKind.Pong or ReplicaMessageKind.Ask => 8,
        ReplicaMessageKind.Refuse => 0,
        _ => -HeadBytes - HashBytes - 1,
    };

    private static byte DetailOf(in ReplicaMessage message) => message.Kind switch
    {
        ReplicaMessageKind.Hello => message.NeedsPages ? (byte)1 : (byte)0,
        ReplicaMessageKind.Welcome => (byte)message.Welcome,
        ReplicaMessageKind.Refuse => (byte)message.Reason,
        _ => 0,
    };

    private static void WriteFields(in ReplicaMessage message, Span<byte> target)
    {
        if (message.Kind is ReplicaMessageKind.Ping or ReplicaMessageKind.Pong or ReplicaMessageKind.Ask)
        {
            BinaryPrimitives.WriteInt64LittleEndian(target, message.Number);
            return;
        }

        if (target.IsEmpty)
        {
            return;
        }

        WritePoint(message.Point, target);
        Span<byte> rest = target[PointBytes..];
        if (message.Kind == ReplicaMessageKind.Record)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(rest, message.PreviousHash);
        }
        else if (message.Kind == ReplicaMessageKind.Answer)
        {
            BinaryPrimitives.WriteInt64LittleEndian(rest, message.Number);
        }
        else if (message.Kind == ReplicaMessageKind.Hello)
        {
            WritePoint(message.Floor, rest);
            BinaryPrimitives.WriteUInt64LittleEndian(rest[24..], message.DataLineage);
            BinaryPrimitives.WriteUInt64LittleEndian(rest[32..], message.Identity.ClusterId);
            BinaryPrimitives.WriteUInt64LittleEndian(rest[40..], message.Identity.EnvironmentId);
            BinaryPrimitives.WriteUInt16LittleEndian(rest[48..], message.Identity.FormatMin);
            BinaryPrimitives.WriteUInt16LittleEndian(rest[50..], message.Identity.FormatMax);
        }
    }

    private static bool ReadFields(ref ReplicaMessage message, byte detail, ReadOnlySpan<byte> source)
    {
        byte detailMax = message.Kind switch
        {
            ReplicaMessageKind.Hello => 1,
            ReplicaMessageKind.Welcome => (byte)WelcomeKind.Replace,
            ReplicaMessageKind.Refuse => (byte)RefusalReason.NotAMember,
            _ => 0,
        };
        if (detail > detailMax)
        {
            return false;
        }

        message.NeedsPages = message.Kind == ReplicaMessageKind.Hello && detail == 1;
        message.Welcome = message.Kind == ReplicaMessageKind.Welcome ? (WelcomeKind)detail : default;
        message.Reason = message.Kind == ReplicaMessageKind.Refuse ? (RefusalReason)detail : default;
        if (message.Kind is ReplicaMessageKind.Ping or ReplicaMessageKind.Pong or ReplicaMessageKind.Ask)
        {
            message.Number = BinaryPrimitives.ReadInt64LittleEndian(source);
            return true;
        }

        if (source.IsEmpty)
        {
            return true;
        }

        message.Point = ReadPoint(source);
        ReadOnlySpan<byte> rest = source[PointBytes..];
        if (message.Kind == ReplicaMessageKind.Record)
        {
            message.PreviousHash = BinaryPrimitives.ReadUInt64LittleEndian(rest);
        }
        else if (message.Kind == ReplicaMessageKind.Answer)
        {
            message.Number = BinaryPrimitives.ReadInt64LittleEndian(rest);
        }
        else if (message.Kind == ReplicaMessageKind.Hello)
        {
            message.Floor = ReadPoint(rest);
            message.DataLineage = BinaryPrimitives.ReadUInt64LittleEndian(rest[24..]);
            message.Identity = new ReplicaIdentity(
                BinaryPrimitives.ReadUInt64LittleEndian(rest[32..]),
                BinaryPrimitives.ReadUInt64LittleEndian(rest[40..]),
                BinaryPrimitives.ReadUInt16LittleEndian(rest[48..]),
                BinaryPrimitives.ReadUInt16LittleEndian(rest[50..]));
        }

        return true;
    }

    private static void WritePoint(LogPosition point, Span<byte> target)
    {
        BinaryPrimitives.WriteInt64LittleEndian(target, point.TransactionId);
        BinaryPrimitives.WriteUInt64LittleEndian(target[8..], point.LogHash);
        BinaryPrimitives.WriteInt64LittleEndian(target[16..], point.Epoch);
    }

    private static LogPosition ReadPoint(ReadOnlySpan<byte> source) => new(
        BinaryPrimitives.ReadInt64LittleEndian(source),
        BinaryPrimitives.ReadUInt64LittleEndian(source[8..]),
        BinaryPrimitives.ReadInt64LittleEndian(source[16..]));
}
