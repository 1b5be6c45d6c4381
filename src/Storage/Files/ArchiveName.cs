using System.Globalization;

namespace Raven.Storage.Files;

/// <summary>The names of what an archive of the journal keeps in the folder of an environment.</summary>
internal static class ArchiveName
{
    /// <summary>The file that says that an archive is on.</summary>
    internal const string Marker = "archive.on";

    private const string Prefix = "archived-";
    private const string Suffix = ".voron";

    /// <summary>The name of a file that waits for the archive, by the use of the journal that it was.</summary>
    internal static string Of(long incarnation) =>
        string.Create(CultureInfo.InvariantCulture, $"{Prefix}{incarnation:D12}{Suffix}");

    /// <summary>True for the name of a file that waits.</summary>
    internal static bool TryParse(string name, out long incarnation)
    {
        incarnation = 0;
        return name.StartsWith(Prefix, StringComparison.Ordinal)
            && name.EndsWith(Suffix, StringComparison.Ordinal)
            && long.TryParse(
                name.AsSpan(Prefix.Length..^Suffix.Length), NumberStyles.None, CultureInfo.InvariantCulture,
                out incarnation);
    }
}
