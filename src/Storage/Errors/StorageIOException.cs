namespace Raven.Storage.Errors;

/// <summary>
/// The operating system refused an operation on a file. Names the file, the operation and the reason.
/// </summary>
public sealed class StorageIOException : IOException
{
    private const int TooManyInSystem = 23;
    private const int TooManyInProcess = 24;
    private const int NoSpaceLeft = 28;
    private const int QuotaExceeded = 122;

    /// <summary>Reports a failed call.</summary>
    /// <param name="file">The file's name.</param>
    /// <param name="operation">What was tried, as a verb.</param>
    /// <param name="errorNumber">errno; 0 if the platform gave none.</param>
    /// <param name="reason">The system's own words.</param>
    public StorageIOException(string file, string operation, int errorNumber, string reason)
        : base($"{file}: {operation} failed: {reason} (error {errorNumber})")
    {
        File = file;
        Operation = operation;
        ErrorNumber = errorNumber;
    }

    /// <summary>The file's name.</summary>
    public string File { get; }

    /// <summary>What was tried.</summary>
    public string Operation { get; }

    /// <summary>errno, or 0.</summary>
    public int ErrorNumber { get; }

    /// <summary>True if the disk, or the user's share of it, is full.</summary>
    public bool IsDiskFull => ErrorNumber is NoSpaceLeft or QuotaExceeded;

    /// <summary>True if the process, or the system, has no file descriptor left.</summary>
    public bool IsOutOfDescriptors => ErrorNumber is TooManyInProcess or TooManyInSystem;
}
