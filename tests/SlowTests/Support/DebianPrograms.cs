using System.Collections.Concurrent;
using System.Diagnostics;

namespace SlowTests.Support;

/// <summary>Programs of Debian that are unpacked into <c>artifacts/debian</c> by <c>unpack.sh</c>, and not
/// installed.</summary>
internal static class DebianPrograms
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(3);
    private static readonly ConcurrentDictionary<string, string?> Problems = new(StringComparer.Ordinal);

    /// <summary>Why a package cannot be unpacked; null if it is there.</summary>
    /// <param name="packages">The packages, the first of which names the folder, with spaces between.</param>
    internal static string? ProblemOf(string packages) => Problems.GetOrAdd(packages, Unpack);

    /// <summary>The folder that stands for <c>/</c>.</summary>
    internal static string RootOf(string packages) => Path.Combine(FolderOf(packages), "root");

    /// <summary>Starts a program of a package, with the libraries that came with it.</summary>
    /// <param name="packages">The packages.</param>
    /// <param name="program">Its path, as <c>usr/sbin/nginx</c>.</param>
    /// <param name="arguments">Its arguments.</param>
    internal static Process Start(string packages, string program, params string[] arguments)
    {
        string root = RootOf(packages);
        var start = new ProcessStartInfo(Path.Combine(root, program), arguments);
        start.Environment["LD_LIBRARY_PATH"] = string.Join(
            ':', Directory.EnumerateDirectories(root, "*-linux-gnu*", SearchOption.AllDirectories));
        return Process.Start(start)!;
    }

    private static string FolderOf(string packages) =>
        Path.Combine(NodeProgram.Root, "artifacts", "debian", packages.Split(' ')[0]);

    private static string? Unpack(string packages)
    {
        string script = Path.Combine(NodeProgram.Root, "tests", "SlowTests", "Support", "unpack.sh");
        using Process process = Process.Start(new ProcessStartInfo(
            "bash", [script, FolderOf(packages), .. packages.Split(' ')])
        {
            RedirectStandardError = true,
        })!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        if (!process.WaitForExit(Limit))
        {
            process.Kill(entireProcessTree: true);
            return $"{packages} could not be unpacked within {Limit}";
        }

        return process.ExitCode == 0 ? null : $"{packages} could not be unpacked: {errors.Result.Trim()}";
    }
}
