using System.Diagnostics;

namespace SlowTests.Support;

/// <summary>A Node program of this project's tests: installs what its package-lock.json names, then runs it.</summary>
internal static class NodeProgram
{
    private static readonly TimeSpan InstallLimit = TimeSpan.FromMinutes(5);
    private static readonly TimeSpan KillLimit = TimeSpan.FromSeconds(10);
    private static readonly Lock Installing = new();

    /// <summary>The checkout that these tests were built in.</summary>
    internal static string Root { get; } = FindRoot();

    /// <summary>The folder in the checkout, as <c>tests/SlowTests/NAME</c>.</summary>
    internal static string FolderOf(string name) => Path.Combine(Root, "tests", "SlowTests", name);

    /// <summary>Runs <c>node ARGUMENTS</c> in the folder; gives the exit code and what it printed to stderr.</summary>
    /// <param name="folder">From <see cref="FolderOf"/>.</param>
    /// <param name="arguments">The script and its arguments.</param>
    /// <param name="limit">Past it the program is killed.</param>
    /// <param name="onLine">Called for every line of its output.</param>
    /// <exception cref="TimeoutException">It took longer than <paramref name="limit"/>.</exception>
    internal static (int ExitCode, string Errors) Run(
        string folder, string[] arguments, TimeSpan limit, Action<string> onLine)
    {
        Install(folder);
        return Execute("node", arguments, folder, limit, onLine);
    }

    /// <summary>Starts <c>node ARGUMENTS</c> in the folder, with its input and outputs redirected.</summary>
    internal static Process Start(string folder, params string[] arguments)
    {
        Install(folder);
        return Process.Start(new ProcessStartInfo("node", arguments)
        {
            WorkingDirectory = folder,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
    }

    /// <summary>One at a time: two tests of a folder may be the first, and the folder of modules is there long before
    /// all of them are. npm writes its own lock file into it last.</summary>
    private static void Install(string folder)
    {
        lock (Installing)
        {
            if (!File.Exists(Path.Combine(folder, "node_modules", ".package-lock.json")))
            {
                (int code, string errors) = Execute("npm", ["ci"], folder, InstallLimit, _ => { });
                if (code != 0)
                {
                    throw new InvalidOperationException($"npm ci in {folder} ended with {code}: {errors}");
                }
            }
        }
    }

    private static string FindRoot()
    {
        for (DirectoryInfo? folder = new(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "Raven.sln")))
            {
                return folder.FullName;
            }
        }

        throw new InvalidOperationException("These tests are run from a checkout of the repository.");
    }

    private static (int ExitCode, string Errors) Execute(
        string program, string[] arguments, string folder, TimeSpan limit, Action<string> onLine)
    {
        ProcessStartInfo start = new(program, arguments)
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using Process process = Process.Start(start)!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string last = "nothing";
        Task lines = Task.Run(() =>
        {
            while (process.StandardOutput.ReadLine() is { } line)
            {
                onLine(line);
                last = line;
            }
        });
        if (!process.WaitForExit(limit))
        {
            process.Kill(entireProcessTree: true);
            Task.WhenAny(Task.WhenAll(lines, errors), Task.Delay(KillLimit)).Wait();
            string said = errors.IsCompletedSuccessfully ? errors.Result : "";
            throw new TimeoutException(
                $"{program} took over {limit}. Its last line: {last}{Environment.NewLine}{said}");
        }

        lines.Wait();
        return (process.ExitCode, errors.Result);
    }
}
