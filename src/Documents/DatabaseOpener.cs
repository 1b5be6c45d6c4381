using Raven.Documents.Changes;
using Raven.Documents.Settings;
using Raven.Documents.Sweeps;
using Raven.Storage.Errors;
using Raven.Storage.Transactions;

namespace Raven.Documents;

/// <summary>
/// Opens the storage of a database, and remembers the error of the last try. One thread at a time; the error is read
/// by any.
/// </summary>
internal sealed class DatabaseOpener(DatabaseOptions options, DocumentChanges changes, ReopenSchedule due)
{
    private string? _failure;

    /// <summary>Why it must not be opened, if that is known without trying; null if it may be.</summary>
    internal string? Damage { get; set; }

    /// <summary>Why it cannot be opened, or could not be when that was tried last; null if it could.</summary>
    internal string? Failure => Damage ?? Volatile.Read(ref _failure);

    internal DatabaseStorage Open()
    {
        try
        {
            DatabaseStorage storage = Damage is { } damage
                ? throw new StorageCorruptedException("catalog", -1, damage)
                : DatabaseStorage.Open(options, options.Storage(), changes);
            StoreNextDue(storage);
            Volatile.Write(ref _failure, null);
            return storage;
        }
        catch (Exception e)
        {
            Volatile.Write(ref _failure, e.Message);
            throw;
        }
    }

    private void StoreNextDue(DatabaseStorage storage)
    {
        try
        {
            using ReadTransaction transaction = storage.Environment.BeginRead();
            DatabaseSettings settings = storage.Writer.Settings;
            if (settings.TimeSeries is { IsActive: true } || DueTimes.MayBe(transaction, settings))
            {
                // The time that the last closing wrote is invalid now: the next end may be a crash.
                due.StoreUnknown();
            }
        }
        catch
        {
            storage.Dispose();
            throw;
        }
    }
}
