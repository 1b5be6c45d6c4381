using System.Runtime.InteropServices;
using K4os.Compression.LZ4;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Journal;
using Raven.Storage.Platform;
using Raven.Storage.Recovery;
using Shared.Storage;

namespace FastTests.Storage.Transactions;

/// <summary>Journal records that say to be as long as a record can say.</summary>
public sealed class JournalPayloadTests
{
    [Theory]
    [InlineData(int.MaxValue)]
    [InlineData(int.MaxValue - 4000)]
    [InlineData(1 << 30)]
    public void A_payload_of_an_impossible_length_is_damage(int plainBytes)
    {
        var header = new JournalRecordHeader
        {
            Flags = JournalRecordHeader.CompressedFlag,
            StoredBytes = 100,
            PlainBytes = plainBytes,
        };
        byte[] record = new byte[JournalRecordHeader.AlignmentBytes];
        using var buffer = new NativeBuffer(JournalRecordHeader.AlignmentBytes);
        StorageCorruptedException damage = Assert.Throws<StorageCorruptedException>(
            () => JournalPayload.Open(header, record, buffer, "journal"));
        Assert.Contains("journal", damage.Message, StringComparison.Ordinal);
        Assert.Equal(JournalRecordHeader.AlignmentBytes, buffer.Capacity);
    }

    [Fact]
    public void A_payload_that_is_cut_or_changed_is_damage_or_has_its_length()
    {
        byte[] plain = new byte[3000];
        new Random(7).NextBytes(plain.AsSpan(0, 700));
        plain.AsSpan(0, 700).CopyTo(plain.AsSpan(1000));
        byte[] record = new byte[JournalRecordHeader.AlignmentBytes];
        int stored = LZ4Codec.Encode(plain, record.AsSpan(JournalRecordHeader.SizeInBytes));
        using var buffer = new NativeBuffer(JournalRecordHeader.AlignmentBytes);
        Assert.Equal(plain, Open(record, stored, plain.Length, buffer));
        for (int cut = 0; cut < stored; cut++)
        {
            Assert.Null(Open(record, cut, plain.Length, buffer));
        }

        Assert.Null(Open(record, stored, plain.Length - 1, buffer));
        Assert.Null(Open(record, stored, plain.Length + 1, buffer));
        for (int at = 0; at < stored; at++)
        {
            ref byte changed = ref record[JournalRecordHeader.SizeInBytes + at];
            changed ^= 0x11;
            Assert.True(Open(record, stored, plain.Length, buffer) is null or { Length: 3000 });
            changed ^= 0x11;
        }
    }

    [Theory]
    [InlineData(int.MaxValue)]
    [InlineData(int.MaxValue - JournalRecordHeader.SizeInBytes + 1)]
    [InlineData(int.MaxValue - 2 * JournalRecordHeader.AlignmentBytes)]
    public void A_record_of_an_impossible_length_is_not_read(int storedBytes)
    {
        using var disk = new SimulatedFileSystem();
        IFile file = disk.Open("journal", FileOpenMode.Create);
        var written = new JournalRecordHeader
        {
            Magic = JournalRecordHeader.MagicValue,
            EnvironmentId = 7,
            StoredBytes = storedBytes,
        };
        byte[] bytes = new byte[2 * JournalRecordHeader.AlignmentBytes];
        MemoryMarshal.Write(bytes, in written);
        file.WriteAt(0, bytes);
        using var reader = new JournalReader(file, 7);
        Assert.False(reader.TryRead(0, out _, out _));
    }

    /// <summary>The payload; null if it is damaged.</summary>
    private static byte[]? Open(byte[] record, int storedBytes, int plainBytes, NativeBuffer buffer)
    {
        var header = new JournalRecordHeader
        {
            Flags = JournalRecordHeader.CompressedFlag,
            StoredBytes = storedBytes,
            PlainBytes = plainBytes,
        };
        try
        {
            return JournalPayload.Open(header, record, buffer, "journal").ToArray();
        }
        catch (StorageCorruptedException)
        {
            return null;
        }
    }
}
