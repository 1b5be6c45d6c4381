namespace Raven.Security.Files;

/// <summary>Files that their owner alone may read, from the moment at which they are made.</summary>
public static class OwnerOnly
{
    /// <summary>What the mode of such a file is.</summary>
    public const UnixFileMode Mode = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>
    /// Lets a file that is made with these options be its owner's alone; one that exists keeps its mode. On Windows
    /// the folder decides who reads.
    /// </summary>
    /// <returns>The options.</returns>
    public static FileStreamOptions ForOwner(this FileStreamOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = Mode;
        }

        return options;
    }
}
