using System.Diagnostics;
using System.Runtime.Versioning;
using System.Text;
using Raven.Security.Files;

namespace Raven.Security.Certificates;

//   EXEC-1  No shell, and no variable of the server's own configuration: arguments are passed as they are, and
//           RAVEN_* stays here, as it may hold passwords.
//   EXEC-2  The program is a regular file that only its owner can change or replace, and its owner is root or the
//           server's user: otherwise whoever can write that file, or a folder that leads to it, is the server.
//   EXEC-3  What it prints is bounded, and so is its time. When either is over, it ends with all that it has started.

/// <summary>A program that prints a certificate or a key: from a vault, a TPM, an agent.</summary>
public sealed class CertificateProgram
{
    /// <summary>How much of its standard error is kept for the log.</summary>
    private const int ErrorBytesMax = 4096;

    private const UnixFileMode OthersMayWrite = UnixFileMode.GroupWrite | UnixFileMode.OtherWrite;

    private readonly string _path;
    private readonly IReadOnlyList<string> _arguments;
    private readonly TimeSpan _timeMax;

    /// <summary>Describes a program; it does not start yet.</summary>
    /// <param name="path">Its absolute path.</param>
    /// <param name="arguments">Its arguments, passed as they are.</param>
    /// <param name="timeMax">The longest time that it may take.</param>
    public CertificateProgram(string path, IReadOnlyList<string> arguments, TimeSpan timeMax)
    {
        _path = path;
        _arguments = arguments;
        _timeMax = timeMax;
    }

    /// <summary>Runs it and gives its standard output.</summary>
    /// <param name="sizeBytesMax">The most bytes that it may print.</param>
    /// <exception cref="CertificateException">It may not be run, failed, took or printed too much.</exception>
    public byte[] Run(int sizeBytesMax)
    {
        CheckFile();
        using Process process = Start();
        var errors = new StringBuilder();
        process.ErrorDataReceived += (_, line) =>
        {
            lock (errors)
            {
                if (errors.Length < ErrorBytesMax)
                {
                    errors.Append(line.Data).Append(' ');
                }
            }
        };
        process.BeginErrorReadLine();
        process.StandardInput.Close();
        using var timeUp = new CancellationTokenSource(_timeMax);
        try
        {
            byte[] output = ReadAsync(process, sizeBytesMax, timeUp.Token).GetAwaiter().GetResult();
            process.WaitForExitAsync(timeUp.Token).GetAwaiter().GetResult();
            return process.ExitCode == 0
                ? output
                : throw new CertificateException($"{_path} ended with code {process.ExitCode}: {Said(errors)}");
        }
        catch (OperationCanceledException e)
        {
            throw new CertificateException($"{_path} did not end within {_timeMax.TotalSeconds:N0} s.", e);
        }
        finally
        {
            End(process);
        }
    }

    private void CheckFile()
    {
        if (!Path.IsPathFullyQualified(_path))
        {
            throw new CertificateException($"'{_path}' is not an absolute path.");
        }

        var file = new FileInfo(_path);
        if (file.Exists && file.ResolveLinkTarget(returnFinalTarget: true) is FileInfo target)
        {
            file = target;
        }

        if (!file.Exists || file.Attributes.HasFlag(FileAttributes.Directory))
        {
            throw new CertificateException($"There is no program '{_path}'.");
        }

        if (!OperatingSystem.IsWindows())
        {
            CheckWhoCanChange(file);
        }
    }

    [UnsupportedOSPlatform("windows")]
    private void CheckWhoCanChange(FileInfo file)
    {
        if ((file.UnixFileMode & OthersMayWrite) != 0)
        {
            throw new CertificateException(
                $"'{_path}' can be changed by its group or by others: chmod go-w '{_path}'.");
        }

        // Of the link and of what it leads to: either could be replaced after this check.
        foreach (string path in new[] { _path, file.FullName })
        {
            for (DirectoryInfo? folder = new FileInfo(path).Directory; folder != null; folder = folder.Parent)
            {
                UnixFileMode mode = folder.UnixFileMode;
                if ((mode & OthersMayWrite) != 0 && !mode.HasFlag(UnixFileMode.StickyBit))
                {
                    throw new CertificateException(
                        $"'{_path}' can be replaced by others, who may write to '{folder.FullName}': chmod go-w "
                        + $"'{folder.FullName}', or put the program elsewhere.");
                }
            }
        }

        try
        {
            if (FileOwner.OtherThanOwn(file.FullName) is { } owner)
            {
                throw new CertificateException(
                    $"'{_path}' belongs to another user ({owner}), who can change it: chown root '{_path}'.");
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new CertificateException($"'{_path}' cannot be read: {e.Message}", e);
        }
    }

    private Process Start()
    {
        var start = new ProcessStartInfo(_path, _arguments)
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach (string name in start.Environment.Keys.ToArray())
        {
            if (name.StartsWith("RAVEN_", StringComparison.OrdinalIgnoreCase))
            {
                start.Environment.Remove(name);
            }
        }

        try
        {
            return Process.Start(start)
                ?? throw new CertificateException($"'{_path}' cannot be started.");
        }
        catch (Exception e) when (e is System.ComponentModel.Win32Exception or IOException)
        {
            throw new CertificateException($"'{_path}' cannot be started: {e.Message}", e);
        }
    }

    private async Task<byte[]> ReadAsync(Process process, int sizeBytesMax, CancellationToken timeUp)
    {
        byte[] buffer = new byte[sizeBytesMax + 1];
        int length = 0;
        Stream output = process.StandardOutput.BaseStream;
        while (true)
        {
            int count = await output.ReadAsync(buffer.AsMemory(length), timeUp).ConfigureAwait(false);
            length += count;
            if (length > sizeBytesMax)
            {
                throw new CertificateException($"{_path} printed more than {sizeBytesMax:N0} bytes.");
            }

            if (count == 0)
            {
                return buffer[..length];
            }
        }
    }

    private static string Said(StringBuilder errors)
    {
        lock (errors)
        {
            return errors.Length == 0 ? "it said nothing." : errors.ToString().TrimEnd();
        }
    }

    private static void End(Process process)
    {
        try
        {
            process.Kill(entireProcessTree: true);
        }
        catch (InvalidOperationException)
        {
            // It has ended already, which is what is wanted.
        }
    }
}
