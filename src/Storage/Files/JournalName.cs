namespace Raven.Storage.Files;

/// <summary>The names of journal files in the folder of an environment.</summary>
internal static class JournalName
{
    private const string Prefix = "journal-";
    private const string Suffix = ".voron";

    internal static string Of(long number) => $"{Prefix}{number:D6}{Suffix}";

    /// <summary>True for the name of a journal file.</summary>
    internal static bool TryParse(string name, out long number)
    {
        number = 0;
        return name.StartsWith(Prefix, StringComparison.Ordinal)
            && name.EndsWith(Suffix, StringComparison.Ordinal)
            && long.TryParse(name.AsSpan(Prefix.Length..^Suffix.Length), out number)
            && number > 0;
    }
}
