using System.Diagnostics;

namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>Runs a script of the folder <c>peers</c>, which installs, starts or stops a peer.</summary>
internal static class PeerScript
{
    internal static (int ExitCode, string Output, string Error) Run(string name, params string[] arguments)
    {
        string script = Path.Combine(AppContext.BaseDirectory, "peers", name);
        var start = new ProcessStartInfo("bash", [script, .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using Process process = Process.Start(start) ?? throw new InvalidOperationException("bash did not start");

        // Not by an asynchronous read: sockets complete inline in the bench, and this may be the thread that polls.
        Task<string> error = Task.Run(process.StandardError.ReadToEnd);
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return (process.ExitCode, output, error.GetAwaiter().GetResult());
    }
}
