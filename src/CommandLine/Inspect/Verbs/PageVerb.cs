using System.Runtime.InteropServices;
using Raven.CommandLine.Output;
using Raven.Storage.Files;
using Raven.Storage.Paging;
using Raven.Storage.Platform;

namespace Raven.CommandLine.Inspect.Verbs;

/// <summary>Dumps one page of the data file as it is there, header and bytes. Changes nothing.</summary>
internal static class PageVerb
{
    private const int BytesPerLine = 32;

    internal static int Run(string folder, long number, VerbOutput output)
    {
        TextWriter lines = output.Lines;
        if (!VerbRun.IsEnvironment(folder, lines))
        {
            return ExitCode.WrongUsage;
        }

        byte[] page = new byte[PageHeader.PageSizeInBytes];
        using IFile data = new RealFileSystem(folder).Open(DataFile.Name, FileOpenMode.Existing);
        if (number < 0 || number >= data.Length / page.Length || data.ReadAt(number * page.Length, page) < page.Length)
        {
            lines.WriteLine($"The file has {data.Length / page.Length} pages.");
            return ExitCode.WrongUsage;
        }

        PageHeader header = MemoryMarshal.Read<PageHeader>(page);
        lines.WriteLine(
            $"page {header.PageNumber}, {header.Kind}, flags {header.Flags}, transaction {header.TransactionId}, " +
            $"run of {header.RunLengthBytes} bytes, checksum {header.Checksum:x16}");
        for (int offset = 0; offset < page.Length; offset += BytesPerLine)
        {
            ReadOnlySpan<byte> line = page.AsSpan(offset, BytesPerLine);
            if (line.ContainsAnyExcept((byte)0))
            {
                lines.WriteLine($"{offset:x4}  {Convert.ToHexStringLower(line)}");
            }
        }

        output.Set("Content", Convert.ToBase64String(page));
        return ExitCode.Success;
    }
}
