using System.ComponentModel;
using System.Diagnostics;
using System.Globalization;

namespace SlowTests.Support;

/// <summary>
/// The commit that is checked out: from one to the next, tests that are too many for CI take another part of their
/// cases.
/// </summary>
internal static class Commit
{
    private const int DigitsUsed = 7;

    /// <summary>0, 1 or 2, by the hash of the commit; 0 where there is no repository.</summary>
    internal static int Third { get; } = ThirdOf(Hash());

    private static int ThirdOf(string hash) => hash.Length < DigitsUsed
        ? 0
        : int.Parse(hash.AsSpan(0, DigitsUsed), NumberStyles.HexNumber, CultureInfo.InvariantCulture) % 3;

    private static string Hash()
    {
        try
        {
            using Process git = Process.Start(new ProcessStartInfo("git", ["rev-parse", "HEAD"])
            {
                WorkingDirectory = NodeProgram.Root,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            })!;
            string hash = git.StandardOutput.ReadToEnd().Trim();
            git.WaitForExit();
            return git.ExitCode == 0 ? hash : "";
        }
        catch (Win32Exception)
        {
            return "";
        }
    }
}
