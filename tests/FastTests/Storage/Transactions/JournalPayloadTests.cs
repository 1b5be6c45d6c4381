using System.Runtime.InteropServices;
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
}
