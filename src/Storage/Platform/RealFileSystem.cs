using System.Runtime.InteropServices;
using Raven.Storage.Errors;
using Raven.Storage.Files;

namespace Raven.Storage.Platform;

/// <summary>
/// A folder on disk. On Linux x64 by system calls, with O_DIRECT and O_DSYNC; elsewhere by the portable calls of .NET,
/// which are not tested.
/// </summary>
public sealed class RealFileSystem : IFileSystem
{
    private static readonly bool IsLinuxX64 =
        OperatingSystem.IsLinux() && RuntimeInformation.ProcessArchitecture == Architecture.X64;

    private readonly string _folder;

    /// <summary>Opens the folder, and creates it if it does not exist.</summary>
    public RealFileSystem(string folder)
    {
        ArgumentException.ThrowIfNullOrEmpty(folder);
        _folder = Path.GetFullPath(folder);
        Directory.CreateDirectory(_folder);
    }

    /// <inheritdoc/>
    public string Description => _folder;

    /// <inheritdoc/>
    public bool Exists(string name) => IsLinuxX64
        ? LinuxFile.Exists(name, PathOf(name))
        : Guard(name, "looking for it", () => HasAttributes(PathOf(name)));

    /// <inheritdoc/>
    public IReadOnlyList<string> List() => Guard<string[]>(_folder, "listing", () =>
        [.. Directory.EnumerateFiles(_folder).Select(path => Path.GetFileName(path)!)]);

    /// <inheritdoc/>
    public IFile Open(string name, FileOpenMode mode) =>
        IsLinuxX64 ? LinuxFile.Open(name, PathOf(name), mode) : PortableFile.Open(name, PathOf(name), mode);

    /// <inheritdoc/>
    public void Rename(string from, string to) => Guard(from, "rename", () =>
        File.Move(PathOf(from), PathOf(to), overwrite: true));

    /// <inheritdoc/>
    public void Delete(string name) => Guard(name, "delete", () => File.Delete(PathOf(name)));

    /// <inheritdoc/>
    public void SyncDirectory()
    {
        if (IsLinuxX64)
        {
            LinuxFile.SyncDirectory(_folder);
        }
    }

    /// <summary>Unlike <see cref="File.Exists"/>, which takes every error for a missing file.</summary>
    private static bool HasAttributes(string path)
    {
        try
        {
            _ = File.GetAttributes(path);
            return true;
        }
        catch (FileNotFoundException)
        {
            return false;
        }
    }

    private static void Guard(string name, string operation, Action action) => Guard(name, operation, () =>
    {
        action();
        return true;
    });

    private static T Guard<T>(string name, string operation, Func<T> function)
    {
        try
        {
            return function();
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new StorageIOException(name, operation, failure.HResult, failure.Message);
        }
    }

    private string PathOf(string name)
    {
        if (name.Length == 0 || name.AsSpan().ContainsAny('/', '\\', '\0') || name is "." or "..")
        {
            throw new ArgumentException($"'{name}' is not a plain file name.", nameof(name));
        }

        return Path.Combine(_folder, name);
    }
}
