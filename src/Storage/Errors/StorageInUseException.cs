namespace Raven.Storage.Errors;

/// <summary>Another process, or another environment of this one, has the folder open.</summary>
public sealed class StorageInUseException : Exception
{
    /// <summary>Reports a folder in use.</summary>
    public StorageInUseException(string folder)
        : base($"{folder} is in use by another process. Stop that process, or choose another folder.")
    {
    }
}
