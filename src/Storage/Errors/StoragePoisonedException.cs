namespace Raven.Storage.Errors;

/// <summary>
/// A write or a sync failed earlier, or a durable commit could not be shown to readers. What the disk holds beyond
/// the last acknowledged commit is not known, so nothing more is acknowledged until the environment is reopened;
/// reads continue.
/// </summary>
public sealed class StoragePoisonedException : Exception
{
    /// <summary>Reports that writes are refused.</summary>
    /// <param name="cause">The first failure.</param>
    public StoragePoisonedException(Exception cause)
        : base($"Writes are refused until this storage is reopened, because: {cause?.Message}", cause)
    {
    }
}
