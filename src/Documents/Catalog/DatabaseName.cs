namespace Raven.Documents.Catalog;

//   NAME-1  1 to 128 of the characters A-Z a-z 0-9 _ . - ; a name becomes a folder, so nothing else may be in it.
//   NAME-2  It neither begins nor ends with a dot: "." and ".." are places, and some systems drop a last dot.
//   NAME-3  Two names that differ only in case are one database. Its folder is the name in small letters.

/// <summary>The rules for a database's name.</summary>
public static class DatabaseName
{
    /// <summary>The largest number of characters of a name.</summary>
    public const int LengthMax = 128;

    /// <summary>True if a database may have this name.</summary>
    public static bool IsValid(ReadOnlySpan<char> name)
    {
        if (name.Length is 0 or > LengthMax || name[0] == '.' || name[^1] == '.')
        {
            return false;
        }

        foreach (char c in name)
        {
            if (!char.IsAsciiLetterOrDigit(c) && c is not ('_' or '.' or '-'))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>The name of its folder below the folder of all databases.</summary>
    internal static string FolderOf(string name)
    {
        string folder = name.ToLowerInvariant();
        // The systems that reserve names such as CON and COM1 do so whatever follows a dot; no folder has such a name.
        return IsReserved(folder) ? folder + "~" : folder;
    }

    private static bool IsReserved(string folder)
    {
        ReadOnlySpan<char> stem = folder.AsSpan();
        int dot = stem.IndexOf('.');
        stem = dot < 0 ? stem : stem[..dot];
        return stem is "con" or "prn" or "aux" or "nul"
            || (stem.Length == 4 && char.IsAsciiDigit(stem[3]) && stem[..3] is "com" or "lpt");
    }
}
