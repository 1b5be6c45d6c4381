using System.Text;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Shared.Storage;

/// <summary>
/// A disk that fills up and gets room again: commits fail with an error that says so, nothing acknowledged is
/// lost, readers go on, and writes go on by themselves once there is room.
/// </summary>
internal sealed class DiskFullCheck(IFileSystem files, int seed) : IDisposable
{
    private const int Keys = 60;
    private const int CommitsMax = 4_000;

    private readonly Random _random = new(seed);
    private readonly Dictionary<int, byte[]> _model = [];
    private StorageEnvironment _environment = Open(files);

    public void Dispose() => _environment.Dispose();

    /// <summary>One time full and free again.</summary>
    /// <returns>How many commits succeeded before the disk was full.</returns>
    internal int Round(Action fill, Action free)
    {
        fill();
        int commits = 0;
        while (TryWrite(commits < Keys ? _random.Next(Keys) : commits))
        {
            if (++commits == CommitsMax)
            {
                throw new CrashTestException("The disk never was full.");
            }
        }

        RequireModel();
        free();
        if (!TryWrite(0) && !TryWrite(0))
        {
            throw new CrashTestException("Writes do not go on when there is room again.");
        }

        DeleteBallast();
        RequireModel();
        if (_random.Next(8) == 0)
        {
            _environment.Dispose();
            _environment = Open(files);
            RequireModel();
        }

        return commits;
    }

    private static StorageEnvironment Open(IFileSystem files) => StorageEnvironment.Open(new StorageOptions
    {
        FileSystem = files,
        FlushAfterBytes = 1 << 20,
        JournalSizeBytesMax = 1 << 20,
        WriterWaitMax = TimeSpan.FromMilliseconds(200),
        BacklogBytesMax = 4 << 20,
        AuditsCommits = true,
    });

    /// <summary>What filled the disk up goes again, and its pages are there for the next round.</summary>
    private void DeleteBallast()
    {
        using WriteTransaction transaction = _environment.BeginWrite();
        foreach (int key in _model.Keys.Where(key => key >= Keys).ToList())
        {
            transaction.OpenOrCreateTree("t"u8).Delete(KeyOf(key));
            _model.Remove(key);
        }

        transaction.Commit();
    }

    private bool TryWrite(int key)
    {
        byte[] value = new byte[_random.Next(key < Keys ? 12_000 : 300_000)];
        _random.NextBytes(value);
        try
        {
            using WriteTransaction transaction = _environment.BeginWrite();
            transaction.OpenOrCreateTree("t"u8).Put(KeyOf(key), value);
            transaction.Commit();
        }
        catch (Exception failure) when (failure is StorageIOException { IsDiskFull: true } or StorageBusyException)
        {
            return false;
        }

        _model[key] = value;
        return true;
    }

    private void RequireModel()
    {
        using ReadTransaction reader = _environment.BeginRead();
        Tree? tree = reader.TryOpenTree("t"u8);
        if ((tree?.Count ?? 0) != _model.Count)
        {
            throw new CrashTestException($"There are {tree?.Count ?? 0} keys, not {_model.Count}.");
        }

        foreach ((int key, byte[] expected) in _model)
        {
            if (!tree!.TryGet(KeyOf(key), out var value) || !value.Span.SequenceEqual(expected))
            {
                throw new CrashTestException($"Key {key} is not what was acknowledged.");
            }
        }
    }

    private static byte[] KeyOf(int key) => Encoding.ASCII.GetBytes($"key {key}");
}
