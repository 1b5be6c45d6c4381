using System.Collections.Concurrent;
using System.Text;
using Lucene.Net.Store;
using Raven.Storage.Streams;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Search.Lucene.Engine.Files;

//   DIR-1  What the thread of a batch writes is written in the transaction of the batch, with the position and the
//          structures beside the index: all of it is committed, or none.
//   DIR-2  What a merge beside the batches writes is written in transactions of its own, of up to a megabyte. No commit
//          of Lucene names these files before they are whole: what a crash leaves of them the next writer removes.
//   DIR-3  Small files that such a merge makes while it holds a lock of Lucene's are kept in memory until the next
//          batch: a thread that holds one never waits for a transaction.

/// <summary>A directory of Lucene whose files are streams of a storage environment. Any thread.</summary>
internal sealed class StorageDirectory : BaseDirectory
{
    private readonly StorageEnvironment _environment;
    private readonly ConcurrentDictionary<string, byte[]> _pending = new(StringComparer.Ordinal);
    private readonly ConcurrentDictionary<string, byte> _deleted = new(StringComparer.Ordinal);

    internal StorageDirectory(StorageEnvironment environment)
    {
        _environment = environment;

        // The environment has a lock, and an index one writer.
        SetLockFactory(NoLockFactory.GetNoLockFactory());
    }

    /// <inheritdoc/>
    public override string[] ListAll()
    {
        SortedSet<string> names = new(_pending.Keys, StringComparer.Ordinal);
        if (StorageFiles.Current?.Streams is { } streams)
        {
            TreeCursor cursor = streams.GetNames();
            for (bool found = cursor.SeekFirst(); found; found = cursor.MoveNext())
            {
                string name = Encoding.UTF8.GetString(cursor.Key);
                if (!_deleted.ContainsKey(name))
                {
                    names.Add(name);
                }
            }
        }

        return [.. names];
    }

    /// <inheritdoc/>
    [Obsolete("Lucene's own members for it are obsolete.")]
    public override bool FileExists(string name) => TryGetLength(name, out _);

    /// <inheritdoc/>
    public override void DeleteFile(string name)
    {
        _pending.TryRemove(name, out _);
        if (StorageFiles.Current is { CanWrite: true } files)
        {
            files.Streams!.Delete(Encoding.UTF8.GetBytes(name));
        }
        else
        {
            _deleted[name] = 0;
        }
    }

    /// <inheritdoc/>
    public override long FileLength(string name) =>
        TryGetLength(name, out long length) ? length : throw new FileNotFoundException($"Lucene's file {name}.");

    /// <inheritdoc/>
    public override IndexOutput CreateOutput(string name, IOContext context)
    {
        _pending.TryRemove(name, out _);
        byte[] key = Encoding.UTF8.GetBytes(name);
        if (StorageFiles.Current is { CanWrite: true } files)
        {
            _deleted.TryRemove(name, out _);
            files.Streams!.Delete(key);
            return new StreamOutput(bytes => files.Streams!.Append(key, bytes), () => files.Streams!.Create(key));
        }

        if (context.Context != IOContext.UsageContext.MERGE)
        {
            return new StreamOutput(bytes => AddPending(name, bytes), () => AddPending(name, default));
        }

        StorageFiles? read = StorageFiles.Current;
        bool isFirst = true;
        return new StreamOutput(
            bytes =>
            {
                read?.Step?.Invoke();
                Append(name, key, bytes, isFirst);
                isFirst = false;
            },
            () => Append(name, key, default, isFirst));
    }

    /// <summary>Writes into the transaction what merges have kept for it, and removes what they have deleted.</summary>
    public override void Sync(ICollection<string> names)
    {
        StorageFiles files = StorageFiles.Current is { CanWrite: true } current
            ? current
            : throw new InvalidOperationException("Lucene commits outside of a batch.");
        foreach ((string name, byte[] bytes) in _pending)
        {
            StreamStore streams = files.Streams!;
            byte[] key = Encoding.UTF8.GetBytes(name);
            streams.Delete(key);
            streams.Create(key);
            streams.Append(key, bytes);
        }
    }

    /// <inheritdoc/>
    public override IndexInput OpenInput(string name, IOContext context)
    {
        if (_pending.TryGetValue(name, out byte[]? bytes))
        {
            return new StreamInput(name, bytes, bytes.Length, context);
        }

        return new StreamInput(name, null, FileLength(name), context);
    }

    /// <summary>Removes in the transaction of a batch the files that were deleted outside of one.</summary>
    internal void RemoveDeleted()
    {
        StreamStore streams = StorageFiles.Current!.Streams!;
        foreach (string name in _deleted.Keys)
        {
            streams.Delete(Encoding.UTF8.GetBytes(name));
        }
    }

    /// <summary>Forgets what was written by a transaction that is committed now.</summary>
    /// <param name="pending">The files that were kept when it was written.</param>
    /// <param name="deleted">The files that it removed.</param>
    internal void Written(IEnumerable<string> pending, IEnumerable<string> deleted)
    {
        foreach (string name in pending)
        {
            _pending.TryRemove(name, out _);
        }

        foreach (string name in deleted)
        {
            _deleted.TryRemove(name, out _);
        }
    }

    /// <summary>The names of the files that are kept in memory, and of those that are deleted.</summary>
    internal (string[] Kept, string[] Deleted) Unwritten => ([.. _pending.Keys], [.. _deleted.Keys]);

    /// <summary>Forgets what a writer that was given up has left: the next one removes the files.</summary>
    internal void Forget()
    {
        _pending.Clear();
        _deleted.Clear();
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing) => IsOpen = false;

    private void AddPending(string name, ReadOnlySpan<byte> bytes) =>
        _pending[name] = [.. _pending.GetValueOrDefault(name, []), .. bytes];

    private void Append(string name, byte[] key, ReadOnlySpan<byte> bytes, bool isFirst)
    {
        using WriteTransaction transaction = _environment.BeginWrite();
        StreamStore streams = transaction.OpenOrCreateStreams(StorageFiles.Name);
        if (isFirst)
        {
            _deleted.TryRemove(name, out _);
            streams.Delete(key);
            streams.Create(key);
        }

        streams.Append(key, bytes);
        transaction.Commit();
    }

    private bool TryGetLength(string name, out long length)
    {
        if (_pending.TryGetValue(name, out byte[]? bytes))
        {
            length = bytes.Length;
            return true;
        }

        length = 0;
        byte[] key = Encoding.UTF8.GetBytes(name);
        if (_deleted.ContainsKey(name))
        {
            return false;
        }

        if (StorageFiles.Current is { } files
            && (files.Streams?.TryGetLength(key, out length) == true || files.CanWrite))
        {
            return files.Streams!.TryGetLength(key, out length);
        }

        // What a merge has written since its own transaction began.
        using ReadTransaction now = _environment.BeginRead();
        return now.TryOpenStreams(StorageFiles.Name)?.TryGetLength(key, out length) == true;
    }
}
