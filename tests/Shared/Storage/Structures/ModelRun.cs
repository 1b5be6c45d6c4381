using System.Collections.Immutable;
using Raven.Storage.Options;
using Raven.Storage.Transactions;

namespace Shared.Storage.Structures;

/// <summary>
/// A list of operations on one structure of an environment on a disk in memory, and on a model of it: puts, deletes and
/// what it can do besides, commits, rollbacks, flushes, opens, and snapshots that are read again from start to end, by
/// the writer between its operations and by threads beside it. Each operation is a number, so that a list is easily
/// made shorter and its numbers smaller.
/// </summary>
internal sealed class ModelRun : IDisposable
{
    /// <summary>What an operation does is its number modulo this.</summary>
    internal const int Kinds = 100;

    private const int SnapshotsMax = 3;

    private readonly SimulatedFileSystem _disk = new();
    private readonly ManualScheduler _scheduler = new();
    private readonly ModelStructure _structure;
    private readonly ModelSettings _settings;
    private readonly int _keys;
    private readonly ModelReaders _readers;
    private readonly Queue<(ReadTransaction Reader, ImmutableSortedDictionary<string, byte[]> State)> _snapshots = [];
    private StorageEnvironment _environment;
    private WriteTransaction? _transaction;
    private ImmutableSortedDictionary<string, byte[]> _state = CrashWorkload.Empty;
    private ImmutableSortedDictionary<string, byte[]> _committed = CrashWorkload.Empty;
    private long _steps;

    private ModelRun(ModelStructure structure, ModelSettings settings)
    {
        _structure = structure;
        _settings = settings;
        _keys = settings.Keys;
        _readers = new ModelReaders(structure, settings.Readers);
        _environment = Open();
        _readers.Begin(_environment);
    }

    public void Dispose()
    {
        _readers.End();
        _transaction?.Dispose();
        while (_snapshots.TryDequeue(out var snapshot))
        {
            snapshot.Reader.Dispose();
        }

        _environment.Dispose();
        _disk.Dispose();
    }

    /// <summary>Throws if the structure and its model differ.</summary>
    /// <returns>The readings beside the writer, as <see cref="ModelReaders.ReadingsBeside"/>.</returns>
    internal static long Play(ModelStructure structure, ReadOnlySpan<int> operations, ModelSettings settings)
    {
        using var run = new ModelRun(structure, settings);
        foreach (int operation in operations)
        {
            run.Step(operation);
        }

        run.End();
        return run._readers.ReadingsBeside;
    }

    private void Step(int operation)
    {
        _steps++;
        int number = operation / Kinds % _keys;
        int size = operation / Kinds / _keys;
        switch (operation % Kinds)
        {
            case < 48:
                _state = _structure.Change(Writer(), _state, number, NewValue(size));
                break;
            case < 70:
                _state = _structure.Change(Writer(), _state, number, null);
                break;
            case < 74:
                _state = _structure.DoMore(Writer(), _state, number, size % _keys);
                break;
            case < 86:
                Commit();
                break;
            case < 89:
                Rollback();
                break;
            case < 92:
                Commit();
                _environment.Flush();
                break;
            case < 94:
                Reopen();
                break;
            case < 97:
                KeepSnapshot();
                break;
            case < 98:
                _scheduler.RunAll();
                break;
            default:
                Compare(Writer(), _state, "an open transaction");
                break;
        }
    }

    private WriteTransaction Writer() => _transaction ??= _environment.BeginWrite();

    private void Commit()
    {
        if (_transaction is not null)
        {
            _readers.Expect(_transaction.Id, _state);
            _transaction.Commit();
            _transaction.Dispose();
            _transaction = null;
            _committed = _state;
            _readers.ThrowIfFailed();
        }
    }

    private void Rollback()
    {
        _transaction?.Dispose();
        _transaction = null;
        _state = _committed;
    }

    private void Reopen()
    {
        Rollback();
        ReadSnapshotsAgain(0);
        EndReaders();
        _environment.Dispose();
        _environment = Open();
        _readers.Begin(_environment);
        using ReadTransaction reader = _environment.BeginRead();
        Compare(reader, _committed, "a new open");
    }

    private void EndReaders()
    {
        _readers.End();
        _readers.ThrowIfFailed();
    }

    private void KeepSnapshot()
    {
        _snapshots.Enqueue((_environment.BeginRead(), _committed));
        ReadSnapshotsAgain(SnapshotsMax);
    }

    /// <summary>Reads them all, and disposes the oldest.</summary>
    private void ReadSnapshotsAgain(int kept)
    {
        foreach ((ReadTransaction reader, ImmutableSortedDictionary<string, byte[]> state) in _snapshots)
        {
            Compare(reader, state, "a snapshot");
        }

        while (_snapshots.Count > kept)
        {
            _snapshots.Dequeue().Reader.Dispose();
        }
    }

    private void End()
    {
        Commit();
        using (ReadTransaction reader = _environment.BeginRead())
        {
            Compare(reader, _committed, "the end");
        }

        ReadSnapshotsAgain(0);
        EndReaders();
        if (_environment.Audit().Findings is [var finding, ..])
        {
            throw new CrashTestException($"The audit says: {finding}");
        }
    }

    private void Compare(Transaction reader, ImmutableSortedDictionary<string, byte[]> state, string what)
    {
        int count = 0;
        string? difference = _structure.Difference(reader, state, ref count);
        if (difference is not null || count != state.Count)
        {
            throw new CrashTestException(
                $"Step {_steps}, {what}: {difference ?? $"{count} entries instead of {state.Count}"}");
        }
    }

    /// <summary>Begins with the step's number, which makes it unlike all others.</summary>
    private byte[] NewValue(int size)
    {
        int length = (size % 32) switch
        {
            < 20 => size % 200,
            < 28 => size % 3_000,
            < 31 => size % 12_000,
            _ => 64_000 + (size % 10_000),
        };
        byte[] value = new byte[Math.Clamp(length, _structure.LengthMin, _structure.LengthMax)];
        value.AsSpan().Fill((byte)(_steps * 31));
        Span<byte> step = stackalloc byte[sizeof(long)];
        System.Buffers.Binary.BinaryPrimitives.WriteInt64LittleEndian(step, _steps);
        step[..Math.Min(step.Length, value.Length)].CopyTo(value);
        return value;
    }

    private StorageEnvironment Open() => StorageEnvironment.Open(new StorageOptions
    {
        FileSystem = _disk,
        Clock = _disk.Clock,
        Scheduler = _scheduler,
        NewEnvironmentId = 0x5EED,
        JournalSizeBytesMin = 64 << 10,
        JournalSizeBytesMax = 256 << 10,
        FlushAfterBytes = 64 << 10,
        AuditsCommits = _settings.Audits,
    });
}
