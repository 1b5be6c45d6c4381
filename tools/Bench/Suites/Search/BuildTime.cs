using System.Globalization;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>How long an index was built: a file beside the index, for the runs that find the index made.</summary>
internal static class BuildTime
{
    /// <summary>The seconds, or null if the index was not built in one run.</summary>
    internal static double? Read(string index)
    {
        string path = PathOf(index);
        return File.Exists(path) ? double.Parse(File.ReadAllText(path), CultureInfo.InvariantCulture) : null;
    }

    internal static void Write(string index, double seconds) =>
        File.WriteAllText(PathOf(index), seconds.ToString("F1", CultureInfo.InvariantCulture));

    private static string PathOf(string index) => index + ".seconds";
}
