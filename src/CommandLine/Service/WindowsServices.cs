using System.ComponentModel;
using System.Diagnostics;
using System.Runtime.Versioning;
using System.ServiceProcess;
using Microsoft.Win32;
using TimeoutException = System.ServiceProcess.TimeoutException;

namespace Raven.CommandLine.Service;

/// <summary>The services of this machine, by the programs and the registry of Windows.</summary>
[SupportedOSPlatform("windows")]
internal sealed class WindowsServices : IServiceManager
{
    private const string EventLogName = "Application";

    /// <summary>A start may recover journals, and a stop lets requests end: both ask the system for time meanwhile.
    /// </summary>
    private static readonly TimeSpan ChangeMax = TimeSpan.FromMinutes(10);

    private static readonly TimeSpan ProgramMax = TimeSpan.FromMinutes(1);

    /// <inheritdoc/>
    public string? CommandLineOf(string name)
    {
        using RegistryKey? key = Registry.LocalMachine.OpenSubKey($@"SYSTEM\CurrentControlSet\Services\{name}");
        return key?.GetValue("ImagePath") as string;
    }

    /// <inheritdoc/>
    public void Execute(IReadOnlyList<string> command)
    {
        var start = new ProcessStartInfo(Path.Combine(Environment.SystemDirectory, command[0]), command.Skip(1))
        {
            RedirectStandardOutput = true, RedirectStandardError = true,
        };
        using Process process = Process.Start(start)!;
        Task<string> said = process.StandardOutput.ReadToEndAsync();
        Task<string> errors = process.StandardError.ReadToEndAsync();
        if (!process.WaitForExit(ProgramMax))
        {
            process.Kill();
            throw new ServiceException($"{command[0]} {command[1]} did not end.");
        }

        if (process.ExitCode != 0)
        {
            string why = $"{said.GetAwaiter().GetResult()} {errors.GetAwaiter().GetResult()}";
            throw new ServiceException(
                $"{command[0]} {command[1]} ended with {process.ExitCode}: {why.ReplaceLineEndings(" ").Trim()}");
        }
    }

    /// <inheritdoc/>
    public bool MakeFolder(string path) => !Directory.CreateDirectory(path).EnumerateFileSystemInfos().Any();

    /// <inheritdoc/>
    public void SetEventSource(string name, bool exists)
    {
        if (exists && !EventLog.SourceExists(name))
        {
            EventLog.CreateEventSource(name, EventLogName);
        }
        else if (!exists && EventLog.SourceExists(name))
        {
            EventLog.DeleteEventSource(name);
        }
    }

    /// <inheritdoc/>
    public void Start(string name) => Change(name, ServiceControllerStatus.Running, service => service.Start());

    /// <inheritdoc/>
    public void Stop(string name) => Change(name, ServiceControllerStatus.Stopped, service => service.Stop());

    private static void Change(string name, ServiceControllerStatus wanted, Action<ServiceController> change)
    {
        using var service = new ServiceController(name);
        try
        {
            if (service.Status != wanted)
            {
                change(service);
                service.WaitForStatus(wanted, ChangeMax);
            }
        }
        catch (TimeoutException late)
        {
            throw new ServiceException($"The service {name} is {service.Status} after {ChangeMax}.", late);
        }
        catch (InvalidOperationException refused)
        {
            string why = (refused.InnerException as Win32Exception)?.Message ?? refused.Message;
            throw new ServiceException(
                $"The service {name}: {why} The event log ({EventLogName}) may say more.", refused);
        }
    }
}
