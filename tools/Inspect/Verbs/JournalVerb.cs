using Raven.Storage.Files;
using Raven.Storage.Journal;
using Raven.Storage.Paging;
using Raven.Storage.Platform;
using Raven.Storage.Recovery;

namespace Raven.Tools.Inspect.Verbs;

/// <summary>Lists the whole records of a journal file, those of its earlier uses too. Changes nothing.</summary>
internal sealed class JournalVerb : IInspectVerb
{
    /// <inheritdoc/>
    public string Name => "journal";

    /// <inheritdoc/>
    public string Usage => "FOLDER FILE    the records of a journal file";

    /// <inheritdoc/>
    public int Run(string[] arguments, TextWriter output)
    {
        if (arguments.Length != 2 || !Directory.Exists(arguments[0]))
        {
            output.WriteLine($"Usage: Inspect {Name} {Usage}");
            return 1;
        }

        var files = new RealFileSystem(arguments[0]);
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

        using var reader = new JournalReader(files.Open(arguments[1], FileOpenMode.Existing), environmentId);
        output.WriteLine("    offset  incarnation  transaction  entries     bytes  plain bytes  hash");
        long next = 0;
        for (long offset = 0; offset < reader.Length; offset = next)
        {
            next = offset + JournalRecordHeader.AlignmentBytes;
            if (reader.TryRead(offset, out JournalRecordHeader record, out _))
            {
                next = offset + record.SizeInFileBytes;
                output.WriteLine(
                    $"{offset,10}  {record.Incarnation,11}  {record.TransactionId,11}  {record.EntryCount,7}  " +
                    $"{record.StoredBytes,8}  {record.PlainBytes,11}  {record.Hash:x16}" +
                    (record.Kind == JournalRecordKind.Switch ? $"  goes on in file {record.NextFileNumber}" : ""));
            }
        }

        return 0;
    }
}
