using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Files;

namespace Shared.Storage;

/// <summary>Another file system whose syncs of the data file, or writes of journals, wait for a gate: a disk as slow as
/// the test likes.</summary>
internal sealed class GatedFileSystem(IFileSystem inner) : IFileSystem, IDisposable
{
    private const int InputOutputNumber = 5;

    /// <summary>True if it is the journal's writes that wait.</summary>
    internal bool GatesJournals { get; init; }

    /// <summary>Closed while they are to wait.</summary>
    internal ManualResetEventSlim Gate { get; } = new(initialState: true);

    /// <summary>
    /// True if only the first sync waits at the closed gate, and then fails; those that come later succeed at once: the
    /// system reports a lost write once. A journal write that waited fails too.
    /// </summary>
    internal bool FailsFirst { get; set; }

    /// <summary>Set when a sync has come to the closed gate.</summary>
    internal ManualResetEventSlim IsWaiting { get; } = new();

    public string Description => inner.Description;

    public bool Exists(string name) => inner.Exists(name);

    public IReadOnlyList<string> List() => inner.List();

    public IFile Open(string name, FileOpenMode mode) => new GatedFile(this, inner.Open(name, mode));

    public void Rename(string from, string to) => inner.Rename(from, to);

    public void Delete(string name) => inner.Delete(name);

    public void SyncDirectory() => inner.SyncDirectory();

    public void Dispose()
    {
        Gate.Dispose();
        IsWaiting.Dispose();
    }

    private sealed class GatedFile(GatedFileSystem owner, IFile inner) : IFile
    {
        public string Name => inner.Name;

        public long Length => inner.Length;

        public int ReadAt(long offset, Span<byte> target) => inner.ReadAt(offset, target);

        public void WriteAt(long offset, ReadOnlySpan<byte> source)
        {
            if (owner.GatesJournals && Name != "data.voron" && !owner.Gate.IsSet)
            {
                owner.IsWaiting.Set();
                owner.Gate.Wait();
                FailIfFirst("writing");
            }

            inner.WriteAt(offset, source);
        }

        public void Sync()
        {
            if (!owner.GatesJournals && Name == "data.voron" && !owner.Gate.IsSet
                && !(owner.FailsFirst && owner.IsWaiting.IsSet))
            {
                owner.IsWaiting.Set();
                owner.Gate.Wait();
                FailIfFirst("syncing");
            }

            inner.Sync();
        }

        public void SetLength(long length) => inner.SetLength(length);

        public void Preallocate(long length) => inner.Preallocate(length);

        public MemoryMap MapReadOnly(long length) => inner.MapReadOnly(length);

        public bool TryLock() => inner.TryLock();

        public void Dispose() => inner.Dispose();

        private void FailIfFirst(string operation)
        {
            if (owner.FailsFirst)
            {
                throw new StorageIOException(Name, operation, InputOutputNumber, "Input/output error");
            }
        }
    }
}
