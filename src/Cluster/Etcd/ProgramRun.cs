using System.ComponentModel;
using System.Diagnostics;

namespace Raven.Cluster.Etcd;

/// <summary>Runs a program to its end.</summary>
internal static class ProgramRun
{
    /// <summary>Runs it; one that takes too long, or is called off, is ended with what it started.</summary>
    /// <returns>How it ended (-1: it did not start, or took too long), and what it wrote.</returns>
    internal static async Task<(int Code, string Output, string Errors)> RunAsync(
        ProcessStartInfo start, TimeSpan limit, CancellationToken stop)
    {
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        start.RedirectStandardInput = true;
        Process? process;
        try
        {
            process = Process.Start(start);
        }
        catch (Exception failed) when (failed is Win32Exception or IOException)
        {
            return (-1, "", failed.Message);
        }

        using (process!)
        using (var timeout = new CancellationTokenSource(limit, TimeProvider.System))
        using (var either = CancellationTokenSource.CreateLinkedTokenSource(stop, timeout.Token))
        {
            process!.StandardInput.Close();
            try
            {
                Task<string> output = process.StandardOutput.ReadToEndAsync(either.Token);
                string errors = await process.StandardError.ReadToEndAsync(either.Token).ConfigureAwait(false);
                await process.WaitForExitAsync(either.Token).ConfigureAwait(false);
                return (process.ExitCode, await output.ConfigureAwait(false), errors);
            }
            catch (OperationCanceledException)
            {
                process.Kill(entireProcessTree: true);
                await process.WaitForExitAsync(CancellationToken.None).ConfigureAwait(false);
                return (-1, "", stop.IsCancellationRequested ? "it was called off" : $"it took longer than {limit}");
            }
        }
    }
}
