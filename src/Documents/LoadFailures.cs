using Raven.Storage.Errors;


namespace Raven.Documents;

/// <summary>Why a database cannot be opened, read or written for reasons outside of the code.</summary>
internal static class LoadFailures
{
    /// <summary>True for a failure of the disk, damage or an earlier fault; false for a failure that would be
    /// a bug.</summary>
    internal static bool IsKnown(Exception failure) => failure is IOException or UnauthorizedAccessException
        or StorageCorruptedException or StoragePoisonedException or StorageInUseException or StorageVersionException
        or StorageBusyException or DatabaseFormatException or DatabaseDeletedException
        or NotPrimaryException or DatabaseNotServingException;
}
