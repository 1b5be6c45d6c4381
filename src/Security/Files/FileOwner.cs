using System.Buffers.Binary;
using System.Formats.Tar;
using System.Globalization;
using System.Text;

namespace Raven.Security.Files;

/// <summary>
/// Whose a file is: whoever owns it can change its mode, and so read it and write to it. On Linux; elsewhere the folder
/// decides.
/// </summary>
public static class FileOwner
{
    private const int BlockBytes = 512;
    private const int UserOffset = 108;
    private const int UserBytes = 8;
    private const byte IsBinary = 0x80;

    /// <summary>The user that this process acts as.</summary>
    public static uint OwnUser()
    {
        // Uid: the real one, the effective one, the saved one, that of files.
        const string start = "Uid:";
        string line = File.ReadLines("/proc/self/status")
            .First(each => each.StartsWith(start, StringComparison.Ordinal));
        string[] users = line[start.Length..].Split((char[])['\t', ' '], StringSplitOptions.RemoveEmptyEntries);
        return uint.Parse(users[1], NumberStyles.None, CultureInfo.InvariantCulture);
    }

    /// <summary>Another user than root and the one of this process that owns a file; null if there is none.</summary>
    /// <param name="path">The file; no link.</param>
    /// <exception cref="IOException">It cannot be read.</exception>
    /// <exception cref="UnauthorizedAccessException">It may not be read.</exception>
    internal static uint? OtherThanOwn(string path)
    {
        if (!OperatingSystem.IsLinux())
        {
            return null;
        }

        uint user = UserOf(path);
        return user == 0 || user == OwnUser() ? null : user;
    }

    /// <summary>
    /// The user that owns a file. The libraries of .NET say it nowhere but in the header of an archive, so that one is
    /// begun; what comes behind the header is dropped.
    /// </summary>
    private static uint UserOf(string path)
    {
        using var head = new Head();
        using (var archive = new TarWriter(head, TarEntryFormat.Gnu, leaveOpen: true))
        {
            archive.WriteEntry(path, "file");
        }

        // Octal digits, or a number of 63 bits if those do not suffice.
        ReadOnlySpan<byte> user = head.Bytes.AsSpan(UserOffset, UserBytes);
        return (user[0] & IsBinary) != 0
            ? BinaryPrimitives.ReadUInt32BigEndian(user[sizeof(uint)..])
            : Convert.ToUInt32(Encoding.ASCII.GetString(user).Trim('\0', ' '), 8);
    }

    /// <summary>Keeps the first block of what is written, and nothing else.</summary>
    private sealed class Head : Stream
    {
        private int _length;

        internal byte[] Bytes { get; } = new byte[BlockBytes];

        public override bool CanRead => false;

        public override bool CanSeek => false;

        public override bool CanWrite => true;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override void Flush()
        {
        }

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            int count = Math.Min(buffer.Length, BlockBytes - _length);
            buffer[..count].CopyTo(Bytes.AsSpan(_length));
            _length += count;
        }
    }
}
