using System.Globalization;
using System.Runtime.InteropServices;
using Raven.Storage.Files;
using Raven.Storage.Paging;
using Raven.Storage.Platform;

namespace Raven.Tools.Inspect.Verbs;

/// <summary>Dumps one page of the data file as it is there, header and bytes. Changes nothing.</summary>
internal sealed class PageVerb : IInspectVerb
{
    private const int BytesPerLine = 32;

    /// <inheritdoc/>
    public string Name => "page";

    /// <inheritdoc/>
    public string Usage => "FOLDER NUMBER    a page of the data file";

    /// <inheritdoc/>
    public int Run(string[] arguments, TextWriter output)
    {
        if (arguments.Length != 2 || !Directory.Exists(arguments[0])
            || !long.TryParse(arguments[1], CultureInfo.InvariantCulture, out long number) || number < 0)
        {
            output.WriteLine($"Usage: Inspect {Name} {Usage}");
            return 1;
        }

        byte[] page = new byte[PageHeader.PageSizeInBytes];
        using IFile data = new RealFileSystem(arguments[0]).Open(DataFile.Name, FileOpenMode.Existing);
        if (number >= data.Length / page.Length || data.ReadAt(number * page.Length, page) < page.Length)
        {
            output.WriteLine($"The file has {data.Length / page.Length} pages.");
            return 1;
        }

        PageHeader header = MemoryMarshal.Read<PageHeader>(page);
        output.WriteLine(
            $"page {header.PageNumber}, {header.Kind}, flags {header.Flags}, transaction {header.TransactionId}, " +
            $"run of {header.RunLengthBytes} bytes, checksum {header.Checksum:x16}");
        for (int offset = 0; offset < page.Length; offset += BytesPerLine)
        {
            ReadOnlySpan<byte> line = page.AsSpan(offset, BytesPerLine);
            if (line.ContainsAnyExcept((byte)0))
            {
                output.WriteLine($"{offset:x4}  {Convert.ToHexStringLower(line)}");
            }
        }

        return 0;
    }
}
