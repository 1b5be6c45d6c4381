using System.Diagnostics;
using Raven.Cluster.Store;

namespace Raven.Cluster.Etcd;

/// <summary>The program <c>etcd</c> of this machine.</summary>
/// <param name="Path">Where it is.</param>
/// <param name="Version">What it says of itself.</param>
public sealed record EtcdProgram(string Path, EtcdVersion Version)
{
    /// <summary>The folder beside the server into which it is installed.</summary>
    public const string FolderName = "etcd";

    private const string VersionLine = "etcd Version:";
    private static readonly TimeSpan AnswerMax = TimeSpan.FromSeconds(30);

    /// <summary>Where it is looked for: beside the server, then in PATH.</summary>
    /// <param name="folder">The folder of the server.</param>
    public static IEnumerable<string> PlacesFrom(string folder)
    {
        yield return System.IO.Path.Combine(folder, FolderName, NameOf());
        foreach (string each in (Environment.GetEnvironmentVariable("PATH") ?? "")
            .Split(System.IO.Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries))
        {
            yield return System.IO.Path.Combine(each, NameOf());
        }
    }

    /// <summary>Finds the first one that is new enough.</summary>
    /// <param name="places">Where it is looked for.</param>
    /// <param name="stop">Ends the search.</param>
    /// <returns>The program; or null, and why there is none.</returns>
    public static async Task<(EtcdProgram? Program, string? Problem)> FindAsync(
        IEnumerable<string> places, CancellationToken stop = default)
    {
        ArgumentNullException.ThrowIfNull(places);
        string? problem = null;
        foreach (string place in places.Where(File.Exists))
        {
            (EtcdProgram? program, string? why) = await LookAsync(place, stop).ConfigureAwait(false);
            if (program is not null)
            {
                return (program, null);
            }

            problem ??= why;
        }

        return (null, problem ?? "etcd is not there. 'raven cluster install-etcd' gets it on Debian; elsewhere put "
            + $"etcd {EtcdVersion.Oldest} or later into PATH.");
    }

    /// <summary>Asks a program for its version.</summary>
    /// <param name="path">The program.</param>
    /// <param name="stop">Ends it.</param>
    /// <returns>The program; or null, and why it is not used.</returns>
    public static async Task<(EtcdProgram? Program, string? Problem)> LookAsync(
        string path, CancellationToken stop = default)
    {
        (int code, string output, string errors) = await ProgramRun.RunAsync(
            new ProcessStartInfo(path, "--version"), AnswerMax, stop).ConfigureAwait(false);
        string? text = output.Split('\n').FirstOrDefault(
            line => line.StartsWith(VersionLine, StringComparison.Ordinal))?[VersionLine.Length..];
        if (code != 0 || !EtcdVersion.TryParse(text, out EtcdVersion version))
        {
            return (null, $"{path} does not say which etcd it is: {errors.Trim()}");
        }

        return version.ProblemOf(path) is { } problem ? (null, problem) : (new EtcdProgram(path, version), null);
    }

    private static string NameOf() => OperatingSystem.IsWindows() ? "etcd.exe" : "etcd";
}
