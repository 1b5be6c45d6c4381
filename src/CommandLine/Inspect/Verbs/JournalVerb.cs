using System.Globalization;
using System.Text.Json.Nodes;
using Raven.CommandLine.Output;
using Raven.Storage.Files;
using Raven.Storage.Journal;
using Raven.Storage.Paging;
using Raven.Storage.Platform;
using Raven.Storage.Recovery;

namespace Raven.CommandLine.Inspect.Verbs;

/// <summary>Lists the whole records of a journal file, those of its earlier uses too. Changes nothing.</summary>
internal static class JournalVerb
{
    internal static int Run(string folder, string file, VerbOutput output)
    {
        if (!VerbRun.IsEnvironment(folder, output.Lines))
        {
            return ExitCode.WrongUsage;
        }

        var files = new RealFileSystem(folder);
        var records = new JsonArray();
        byte[] sector = new byte[FileHeader.SizeInBytes];
        ulong environmentId = 0;
        using (IFile data = files.Open(DataFile.Name, FileOpenMode.Existing))
        {
            for (long slot = 0; slot < 2; slot++)
            {
                _ = data.ReadAt(FileHeader.OffsetOf(slot), sector);
                bool isWhole = FileHeader.TryRead(sector, out FileHeader header);
                environmentId = isWhole ? header.EnvironmentId : environmentId;
            }
        }

        using var reader = new JournalReader(files.Open(file, FileOpenMode.Existing), environmentId);
        output.Lines.WriteLine("    offset  incarnation  transaction  entries     bytes  plain bytes  hash");
        long next = 0;
        for (long offset = 0; offset < reader.Length; offset = next)
        {
            next = offset + JournalRecordHeader.AlignmentBytes;
            if (reader.TryRead(offset, out JournalRecordHeader record, out _))
            {
                next = offset + record.SizeInFileBytes;
                records.Add(Describe(offset, record));
                output.Lines.WriteLine(
                    $"{offset,10}  {record.Incarnation,11}  {record.TransactionId,11}  {record.EntryCount,7}  " +
                    $"{record.StoredBytes,8}  {record.PlainBytes,11}  {record.Hash:x16}" +
                    (record.Kind == JournalRecordKind.Switch ? $"  goes on in file {record.NextFileNumber}"
                        : CommittedAt(record) is { } time ? $"  {time}" : "")
                    + (record.IsInLog ? $"  epoch {record.Epoch}, log {record.LogHash:x16}" : ""));
            }
        }

        output.Set("Records", records);
        return ExitCode.Success;
    }

    /// <summary>The time as <c>raven restore --to</c> takes it; null if an older build wrote the record.</summary>
    private static string? CommittedAt(in JournalRecordHeader record) =>
        record.Kind == JournalRecordKind.Transaction && record.CommitTimeTicks > 0
            ? new DateTime(record.CommitTimeTicks, DateTimeKind.Utc).ToString("O", CultureInfo.InvariantCulture)
            : null;

    private static JsonObject Describe(long offset, in JournalRecordHeader record) => new()
    {
        ["Offset"] = offset,
        ["Incarnation"] = JsonValue.Create(record.Incarnation),
        ["TransactionId"] = JsonValue.Create(record.TransactionId),
        ["Entries"] = JsonValue.Create(record.EntryCount),
        ["SizeBytes"] = JsonValue.Create(record.StoredBytes),
        ["PlainSizeBytes"] = JsonValue.Create(record.PlainBytes),
        ["Hash"] = $"{record.Hash:x16}",
        ["CommittedAt"] = CommittedAt(record),
        ["Epoch"] = record.IsInLog ? JsonValue.Create(record.Epoch) : null,
        ["LogHash"] = record.IsInLog ? $"{record.LogHash:x16}" : null,
    };
}
