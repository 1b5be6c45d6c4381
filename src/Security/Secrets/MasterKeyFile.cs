using Raven.Security.Files;

namespace Raven.Security.Secrets;

//   KEYFILE-1  A rotation writes the new key to a file of its own beside the old one, which is whole before anything is
//              sealed under it. Then it takes the place of the old one, which stays as .old: at no time is there a
//              sealed value whose key is in no file.

/// <summary>The file of a master key.</summary>
public sealed class MasterKeyFile
{
    private const string DefaultName = "master.key";

    private readonly bool _mayBeMade;

    private MasterKeyFile(string path, bool mayBeMade)
    {
        Path = path;
        _mayBeMade = mayBeMade;
    }

    /// <summary>Its path.</summary>
    public string Path { get; }

    /// <summary>True if there is one. A link that leads nowhere is one, too.</summary>
    public bool Exists => File.Exists(Path) || new FileInfo(Path).LinkTarget != null;

    /// <summary>True if a rotation has begun to replace it.</summary>
    public bool HasNext => File.Exists(NextPath);

    private string NextPath => Path + ".new";

    private string OldPath => Path + ".old";

    /// <summary>A file that must be there.</summary>
    /// <param name="path">Its path.</param>
    /// <param name="dataFolder">The folder of the data, in which it may not be.</param>
    /// <exception cref="MasterKeyException">It is in there.</exception>
    public static MasterKeyFile At(string path, string dataFolder)
    {
        Check(path, dataFolder, "Security.MasterKey.Path");
        return new MasterKeyFile(path, mayBeMade: false);
    }

    /// <summary>The file in a folder of its own, which is made if there is a need for a key.</summary>
    /// <param name="folder">The folder, which is made with rights for its owner alone.</param>
    /// <param name="dataFolder">The folder of the data, in which it may not be.</param>
    /// <exception cref="MasterKeyException">It is in there.</exception>
    public static MasterKeyFile In(string folder, string dataFolder)
    {
        Check(folder, dataFolder, "Security.KeysFolder");
        return new MasterKeyFile(System.IO.Path.Combine(folder, DefaultName), mayBeMade: true);
    }

    /// <summary>Reads the key.</summary>
    /// <exception cref="MasterKeyException">It cannot be used.</exception>
    public MasterKey Read() => MasterKey.Read(Path);

    /// <summary>Reads the key; makes one if there is none, and it may be made.</summary>
    /// <exception cref="MasterKeyException">It cannot be used or made.</exception>
    public MasterKey ReadOrMake()
    {
        if (_mayBeMade && !Exists)
        {
            using MasterKey made = MasterKey.Make();
            Write(made, NextPath);
            Move(NextPath, Path, overwrite: false);
        }

        return Read();
    }

    /// <summary>Puts a key where there is none.</summary>
    /// <exception cref="MasterKeyException">There is one, or it cannot be written; nothing has changed.</exception>
    public void Put(MasterKey key)
    {
        ArgumentNullException.ThrowIfNull(key);
        if (Exists || HasNext)
        {
            throw new MasterKeyException(
                $"There is a master key at '{Path}' already. What is sealed under it would be lost: move it away "
                + "first.");
        }

        Write(key, NextPath);
        Move(NextPath, Path, overwrite: false);
    }

    /// <summary>Reads the key that a rotation has begun to replace it by.</summary>
    /// <exception cref="MasterKeyException">It cannot be used.</exception>
    public MasterKey ReadNext() => MasterKey.Read(NextPath);

    /// <summary>Begins a rotation: makes the next key, beside this one.</summary>
    /// <exception cref="MasterKeyException">It cannot be made; nothing has changed.</exception>
    public MasterKey MakeNext()
    {
        var made = MasterKey.Make();
        try
        {
            Write(made, NextPath);
            return made;
        }
        catch
        {
            made.Dispose();
            throw;
        }
    }

    /// <summary>Ends a rotation: what is sealed is sealed under the next key, which takes this one's place.</summary>
    /// <exception cref="MasterKeyException">It cannot. The next start does it.</exception>
    public void TakeNext()
    {
        if (File.Exists(Path))
        {
            Move(Path, OldPath, overwrite: true);
        }

        Move(NextPath, Path, overwrite: false);
    }

    /// <summary>Gives a rotation up: nothing is sealed under the next key.</summary>
    public void ForgetNext()
    {
        try
        {
            File.Delete(NextPath);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The next rotation writes over it.
        }
    }

    private static void Check(string path, string dataFolder, string option)
    {
        string inside = System.IO.Path.GetRelativePath(dataFolder, path);
        if (inside != ".." && !inside.StartsWith(".." + System.IO.Path.DirectorySeparatorChar, StringComparison.Ordinal)
            && !System.IO.Path.IsPathRooted(inside))
        {
            throw new MasterKeyException(
                $"The master key would be in '{path}', within the folder of the data: a copy of one would be a copy of "
                + $"both. Set {option} to another place.");
        }
    }

    private static void Write(MasterKey key, string path)
    {
        try
        {
            string folder = System.IO.Path.GetDirectoryName(path)!;
            if (OperatingSystem.IsWindows())
            {
                Directory.CreateDirectory(folder);
            }
            else
            {
                Directory.CreateDirectory(folder, OwnerOnly.Mode | UnixFileMode.UserExecute);
            }

            // A file that is there already would keep its mode.
            File.Delete(path);
            using var file = new FileStream(path, new FileStreamOptions
            {
                Mode = FileMode.CreateNew,
                Access = FileAccess.Write,
                Share = FileShare.None,
            }.ForOwner());
            key.Write(file);
            file.Flush(flushToDisk: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new MasterKeyException(
                $"No master key can be made at '{path}': {e.Message} Set Security.KeysFolder or "
                + "Security.MasterKey.Path.", e);
        }
    }

    private static void Move(string from, string to, bool overwrite)
    {
        try
        {
            File.Move(from, to, overwrite);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new MasterKeyException($"The master key cannot be moved from '{from}' to '{to}': {e.Message}", e);
        }
    }
}
