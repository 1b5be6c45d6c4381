using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.IO.Hashing;
using System.Text;

namespace Raven.Cluster.Hosting;

/// <summary>
/// What each end of a connection says of itself before the first frame (docs/formats/replication.md): who it is, whom
/// it takes the other for, and what the connection is for; or why it wants none.
/// </summary>
internal sealed record ReplicaGreeting
{
    private const ulong Magic = 0x676F4C6E65766152;
    private const ushort Version = 1;
    private const int HeadBytes = 32;
    private const int HashBytes = 8;
    private const int LengthAt = 12;
    private const int BytesMax = 8 * 1024;
    private const int TextMax = 1024;
    private const int Texts = 6;

    /// <summary>What the connection is for.</summary>
    internal required ReplicaPurpose Purpose { get; init; }

    /// <summary>Which start of the server it is.</summary>
    internal required long Incarnation { get; init; }

    /// <summary>Of a copy: pages that have changed since this transaction; 0: all.</summary>
    internal long Since { get; init; }

    /// <summary>The cluster.</summary>
    internal required string ClusterId { get; init; }

    /// <summary>The id of the server.</summary>
    internal required string ServerId { get; init; }

    /// <summary>The tag of who says this.</summary>
    internal required string From { get; init; }

    /// <summary>The tag of who is addressed.</summary>
    internal required string To { get; init; }

    /// <summary>The database.</summary>
    internal required string Database { get; init; }

    /// <summary>Of a refusal: why.</summary>
    internal string Problem { get; init; } = "";

    /// <summary>Sends it.</summary>
    internal async Task SendAsync(Stream stream, CancellationToken stop)
    {
        await stream.WriteAsync(ToBytes(), stop).ConfigureAwait(false);
        await stream.FlushAsync(stop).ConfigureAwait(false);
    }

    /// <summary>Receives one; null if the other end says something else.</summary>
    /// <exception cref="IOException">The connection is over.</exception>
    internal static async Task<ReplicaGreeting?> ReceiveAsync(Stream stream, CancellationToken stop)
    {
        byte[] bytes = new byte[HeadBytes];
        await stream.ReadExactlyAsync(bytes, stop).ConfigureAwait(false);
        if (!IsHead(bytes, out int length))
        {
            return null;
        }

        Array.Resize(ref bytes, length);
        await stream.ReadExactlyAsync(bytes.AsMemory(HeadBytes), stop).ConfigureAwait(false);
        return TryRead(bytes, out ReplicaGreeting? greeting) ? greeting : null;
    }

    internal byte[] ToBytes()
    {
        string[] texts = [ClusterId, ServerId, From, To, Database, Problem];
        int length = HeadBytes + HashBytes + texts.Sum(text => 2 + Encoding.UTF8.GetByteCount(Cut(text)));
        byte[] bytes = new byte[length];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, Magic);
        BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(8), Version);
        bytes[10] = (byte)Purpose;
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(LengthAt), length);
        BinaryPrimitives.WriteInt64LittleEndian(bytes.AsSpan(16), Incarnation);
        BinaryPrimitives.WriteInt64LittleEndian(bytes.AsSpan(24), Since);
        int at = HeadBytes;
        foreach (string text in texts)
        {
            int size = Encoding.UTF8.GetBytes(Cut(text), bytes.AsSpan(at + 2));
            BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(at), (ushort)size);
            at += 2 + size;
        }

        BinaryPrimitives.WriteUInt64LittleEndian(bytes.AsSpan(at), XxHash3.HashToUInt64(bytes.AsSpan(0, at)));
        return bytes;
    }

    internal static bool TryRead(ReadOnlySpan<byte> bytes, [NotNullWhen(true)] out ReplicaGreeting? greeting)
    {
        greeting = null;
        if (bytes.Length < HeadBytes + HashBytes || !IsHead(bytes, out int length) || length != bytes.Length
            || BinaryPrimitives.ReadUInt64LittleEndian(bytes[^HashBytes..])
                != XxHash3.HashToUInt64(bytes[..^HashBytes]))
        {
            return false;
        }

        string[] texts = new string[Texts];
        ReadOnlySpan<byte> rest = bytes[HeadBytes..^HashBytes];
        for (int i = 0; i < Texts; i++)
        {
            int size = rest.Length < 2 ? int.MaxValue - 2 : BinaryPrimitives.ReadUInt16LittleEndian(rest);
            if (rest.Length < 2 + size)
            {
                return false;
            }

            texts[i] = Encoding.UTF8.GetString(rest.Slice(2, size));
            rest = rest[(2 + size)..];
        }

        greeting = new ReplicaGreeting
        {
            Purpose = (ReplicaPurpose)bytes[10],
            Incarnation = BinaryPrimitives.ReadInt64LittleEndian(bytes[16..]),
            Since = BinaryPrimitives.ReadInt64LittleEndian(bytes[24..]),
            ClusterId = texts[0],
            ServerId = texts[1],
            From = texts[2],
            To = texts[3],
            Database = texts[4],
            Problem = texts[5],
        };
        return rest.IsEmpty;
    }

    private static bool IsHead(ReadOnlySpan<byte> head, out int length)
    {
        length = BinaryPrimitives.ReadInt32LittleEndian(head[LengthAt..]);
        return BinaryPrimitives.ReadUInt64LittleEndian(head) == Magic
            && BinaryPrimitives.ReadUInt16LittleEndian(head[8..]) == Version
            && head[10] is >= (byte)ReplicaPurpose.Log and <= (byte)ReplicaPurpose.Refused && head[11] == 0
            && length is >= HeadBytes + HashBytes and <= BytesMax;
    }

    private static string Cut(string text) => text.Length <= TextMax ? text : text[..TextMax];
}
