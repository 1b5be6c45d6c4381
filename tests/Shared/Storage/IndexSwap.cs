using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Shared.Storage.Structures;
using State = System.Collections.Immutable.ImmutableSortedDictionary<string, byte[]>;

namespace Shared.Storage;

/// <summary>
/// An index that takes the place of another, as the server does it: a lazy environment of its own in a folder beside
/// the old one, then a record of the database that names the new folder, then the end of the old one's files. Whatever
/// folder the record names after a power cut is there, and no older than its last flush.
/// </summary>
internal static class IndexSwap
{
    private const string Record = "3/index";
    private const int OldLength = 101;
    private const int NewLength = 102;
    private const int Transactions = 3;
    private const int FlushedTransactions = 2;
    private const int Keys = 12;

    private static readonly ModelStructure Tree = ModelStructure.Tree;

    /// <summary>Plays it.</summary>
    /// <param name="workload">The database.</param>
    /// <param name="deletesFirst">A mistake that is to be found: the old index goes before the record says so.</param>
    internal static void Play(CrashWorkload workload, bool deletesFirst = false)
    {
        using StorageEnvironment old = Make(workload, "old");
        workload.Commit(Record, OldLength);
        using StorageEnvironment next = Make(workload, "new");
        if (deletesFirst)
        {
            Delete(workload, old);
        }

        workload.Commit(Record, NewLength);
        if (!deletesFirst)
        {
            Delete(workload, old);
        }

        workload.Flush();
    }

    /// <summary>Throws if the index that the record names is not as required.</summary>
    internal static void Require(CrashWorkload workload, DiskImage image)
    {
        using var disk = new SimulatedFileSystem(image, borrows: true);
        if (RecordLength(workload, disk) is not { } length)
        {
            return;
        }

        string folder = length == NewLength ? "new" : "old";
        using StorageEnvironment environment =
            workload.Open(new SimulatedFolder(disk, folder), StorageDurability.Lazy);
        using ReadTransaction reader = environment.BeginRead();
        if (reader.Id is < FlushedTransactions or > Transactions)
        {
            throw new CrashTestException($"The index in {folder} is at transaction {reader.Id}.");
        }

        int count = 0;
        State expected = StateAfter(folder, (int)reader.Id);
        string? difference = Tree.Difference(reader, expected, ref count);
        if (difference is not null || count != expected.Count)
        {
            throw new CrashTestException($"The index in {folder}: {difference ?? $"{count} of {expected.Count} keys"}");
        }
    }

    private static int? RecordLength(CrashWorkload workload, SimulatedFileSystem disk)
    {
        using StorageEnvironment environment = workload.Open(disk);
        using ReadTransaction reader = environment.BeginRead();
        return reader.TryOpenTree($"tree{Record[0]}") is { } tree
            && tree.TryGet(System.Text.Encoding.ASCII.GetBytes(Record), out var value)
            ? value.Length
            : null;
    }

    private static StorageEnvironment Make(CrashWorkload workload, string folder)
    {
        StorageEnvironment environment =
            workload.Open(new SimulatedFolder(workload.Disk, folder), StorageDurability.Lazy);
        try
        {
            for (int number = 1; number <= Transactions; number++)
            {
                using WriteTransaction transaction = environment.BeginWrite();
                Change(folder, number, (key, value) =>
                    Tree.Change(transaction, StateAfter(folder, number - 1), key, value));
                transaction.Commit();
                if (number == FlushedTransactions)
                {
                    environment.Flush();
                }
            }

            return environment;
        }
        catch
        {
            environment.Dispose();
            throw;
        }
    }

    private static void Delete(CrashWorkload workload, StorageEnvironment environment)
    {
        environment.Dispose();
        var folder = new SimulatedFolder(workload.Disk, "old");
        foreach (string file in folder.List())
        {
            folder.Delete(file);
        }

        // Of a folder that is gone nothing is left.
        folder.SyncDirectory();
    }

    private static State StateAfter(string folder, int transactions)
    {
        State state = CrashWorkload.Empty;
        for (int number = 1; number <= transactions; number++)
        {
            Change(folder, number, (key, value) => state = state.SetItem(Tree.KeyOf(key), value));
        }

        return state;
    }

    /// <summary>Other keys in each transaction.</summary>
    private static void Change(string folder, int transaction, Action<int, byte[]> put)
    {
        for (int i = 0; i < Keys; i++)
        {
            byte[] value = new byte[100 + (40 * i)];
            value.AsSpan().Fill((byte)(folder[0] + transaction + i));
            put((transaction * Keys) + i, value);
        }
    }
}
