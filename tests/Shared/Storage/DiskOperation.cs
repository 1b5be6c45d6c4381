namespace Shared.Storage;

/// <summary>What a file system was asked to do, in the order it was asked.</summary>
internal enum DiskOperationKind
{
    Write,
    SetLength,
    Sync,
    LostSync,
    Create,
    Rename,
    Delete,
    SyncDirectory,
}

/// <summary>One operation that changes a disk or makes a change durable.</summary>
/// <param name="Kind">What it does.</param>
/// <param name="File">The number of the file; files keep it when they are renamed.</param>
/// <param name="Name">The name, of a directory operation; of a sync the folder, with a slash, or nothing.</param>
/// <param name="NewName">The new name, of a rename.</param>
/// <param name="Offset">The offset of a write; the length that is set.</param>
/// <param name="Data">What a write writes; null on a disk that does not log it.</param>
/// <param name="IsWriteThrough">True for a write that is durable when it returns.</param>
internal sealed record DiskOperation(
    DiskOperationKind Kind,
    int File = 0,
    string Name = "",
    string NewName = "",
    long Offset = 0,
    byte[]? Data = null,
    bool IsWriteThrough = false)
{
    /// <summary>The folder of a name, with its slash; nothing for the disk itself.</summary>
    internal string Folder => Name[..(Name.LastIndexOf('/') + 1)];

    public override string ToString() => Kind switch
    {
        DiskOperationKind.Write when IsWriteThrough => $"write #{File} at {Offset}, {Data?.Length} bytes, through",
        DiskOperationKind.Write => $"write #{File} at {Offset}, {Data?.Length} bytes",
        DiskOperationKind.SetLength => $"set length of #{File} to {Offset}",
        DiskOperationKind.Sync => $"sync #{File}",
        DiskOperationKind.Rename => $"rename {Name} to {NewName}",
        DiskOperationKind.SyncDirectory => $"sync directory {Name}",
        _ => $"{Kind} {Name} #{File}",
    };
}
