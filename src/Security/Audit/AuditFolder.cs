using System.Globalization;
using System.IO.Compression;
using Raven.Security.Files;

namespace Raven.Security.Audit;

//   audit.jsonl                            the file that is written to
//   audit-000000000001-000000012345.jsonl  a closed one, with the numbers of its first and its last line; .gz behind it
//                                          if it is compressed

/// <summary>The files of an audit log.</summary>
internal static class AuditFolder
{
    private const string Current = "audit.jsonl";

    internal static string PathOf(string folder) => Path.Combine(folder, Current);

    /// <summary>Opens the file that is written to; makes it, and the folder, for the owner alone.</summary>
    internal static FileStream Open(AuditOptions options)
    {
        string folder = options.Folder;
        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(folder);
        }
        else
        {
            Directory.CreateDirectory(folder, OwnerOnly.Mode | UnixFileMode.UserExecute);
        }

        if (new FileInfo(PathOf(folder)).LinkTarget != null)
        {
            throw new IOException($"'{PathOf(folder)}' is a link: the log would be written to another file.");
        }

        return options.OpenFile(PathOf(folder), new FileStreamOptions
        {
            Mode = FileMode.OpenOrCreate,
            Access = FileAccess.ReadWrite,
            Share = FileShare.Read,
            BufferSize = 0,
        }.ForOwner());
    }

    /// <summary>All files in the order of their lines, the current one last.</summary>
    internal static IReadOnlyList<string> Files(string folder)
    {
        string current = PathOf(folder);
        string[] closed = [.. Closed(folder).Select(file => file.FullName)];
        return File.Exists(current) ? [.. closed, current] : closed;
    }

    /// <summary>Opens one of them to be read, inflated if it is compressed.</summary>
    internal static Stream Read(string path)
    {
        var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        return path.EndsWith(".gz", StringComparison.Ordinal)
            ? new GZipStream(file, CompressionMode.Decompress)
            : file;
    }

    /// <summary>Gives the current file its closed name. It is not open any more.</summary>
    internal static void Close(string folder, long first, long last, bool compresses)
    {
        string name = string.Create(CultureInfo.InvariantCulture, $"audit-{first:D12}-{last:D12}.jsonl");
        string closed = Path.Combine(folder, name);
        File.Move(PathOf(folder), closed, overwrite: false);
        if (!compresses)
        {
            return;
        }

        string made = closed + ".gz.new";
        using (FileStream source = File.OpenRead(closed))
        using (FileStream file = new(made, new FileStreamOptions
        {
            Mode = FileMode.Create,
            Access = FileAccess.Write,
        }.ForOwner()))
        {
            using (var zip = new GZipStream(file, CompressionLevel.Optimal, leaveOpen: true))
            {
                source.CopyTo(zip);
            }

            file.Flush(flushToDisk: true);
        }

        File.Move(made, closed + ".gz", overwrite: false);
        File.Delete(closed);
    }

    /// <summary>The oldest closed files that are too old or too many: one after the other, so that no gap comes into
    /// being.</summary>
    internal static IReadOnlyList<FileInfo> Spent(AuditOptions options, DateTimeOffset now)
    {
        FileInfo[] closed = [.. Closed(options.Folder)];
        int tooMany = options.FilesMax is { } most ? Math.Max(0, closed.Length - most) : 0;
        return [.. closed.TakeWhile((file, i) =>
            i < tooMany || (options.AgeMax is { } age && now.UtcDateTime - file.LastWriteTimeUtc > age))];
    }

    /// <summary>The closed files; of one that was just being compressed, the compressed one.</summary>
    private static IEnumerable<FileInfo> Closed(string folder) => new DirectoryInfo(folder)
        .EnumerateFiles("audit-*.jsonl*")
        .Where(file => !file.Name.EndsWith(".new", StringComparison.Ordinal) && !File.Exists(file.FullName + ".gz"))
        .OrderBy(file => file.Name, StringComparer.Ordinal);
}
