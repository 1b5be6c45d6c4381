namespace FastTests.Security;

/// <summary>Opens files that have no room when a test says so.</summary>
internal sealed class FullDisk
{
    internal enum Fault
    {
        None,

        /// <summary>Nothing is written.</summary>
        Write,

        /// <summary>A half is written.</summary>
        Half,

        /// <summary>All is written, and does not get to the disk.</summary>
        Flush,
    }

    internal Fault Now { get; set; }

    internal FileStream Open(string path, FileStreamOptions options) => new Stream(this, path, options);

    private sealed class Stream(FullDisk disk, string path, FileStreamOptions options) : FileStream(path, options)
    {
        public override void Write(ReadOnlySpan<byte> buffer)
        {
            if (disk.Now is Fault.None or Fault.Flush)
            {
                base.Write(buffer);
                return;
            }

            if (disk.Now == Fault.Half)
            {
                base.Write(buffer[..(buffer.Length / 2)]);
            }

            throw new IOException("No space left on device");
        }

        public override void Flush(bool flushToDisk)
        {
            if (disk.Now == Fault.Flush)
            {
                throw new IOException("No space left on device");
            }

            base.Flush(flushToDisk);
        }
    }
}
