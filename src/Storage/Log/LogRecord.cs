using System.Runtime.InteropServices;

namespace Raven.Storage.Log;

/// <summary>What is known of a log record without applying it.</summary>
public static class LogRecord
{
    /// <summary>How many bytes say where a record belongs.</summary>
    public const int HeadSizeInBytes = LogRecordHeader.SizeInBytes;

    /// <summary>
    /// Reads where a record belongs, without checking more than its magic and its version: what follows may be cut off.
    /// </summary>
    /// <param name="record">The record, or its head.</param>
    /// <param name="position">Where it leaves the log.</param>
    /// <param name="previousLogHash">The hash of the log before it.</param>
    /// <returns>False if it is no record of this version.</returns>
    public static bool TryReadPosition(
        ReadOnlySpan<byte> record, out LogPosition position, out ulong previousLogHash)
    {
        position = default;
        previousLogHash = 0;
        if (record.Length < LogRecordHeader.SizeInBytes)
        {
            return false;
        }

        LogRecordHeader header = MemoryMarshal.Read<LogRecordHeader>(record);
        if (header.Magic != LogRecordHeader.MagicValue || header.FormatVersion != LogRecordHeader.CurrentVersion)
        {
            return false;
        }

        position = header.Position;
        previousLogHash = header.PreviousLogHash;
        return true;
    }
}
