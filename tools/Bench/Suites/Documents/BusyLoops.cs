using System.Diagnostics;

namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>
/// Processes that do nothing but keep a processor busy each, until they are disposed of or this program has ended: a
/// machine that has other work than ours.
/// </summary>
internal sealed class BusyLoops : IDisposable
{
    /// <summary>Looks for this program once in about a tenth of a second.</summary>
    private const string Loop = "while kill -0 $PPID; do i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; done";

    private readonly Process[] _processes;

    /// <summary>Starts so many loops.</summary>
    internal BusyLoops(int count)
    {
        _processes = new Process[count];
        for (int i = 0; i < count; i++)
        {
            _processes[i] = Process.Start(new ProcessStartInfo("sh", ["-c", Loop]) { RedirectStandardError = true })!;
        }
    }

    public void Dispose()
    {
        foreach (Process process in _processes)
        {
            process.Kill();
            process.WaitForExit();
            process.Dispose();
        }
    }
}
