using System.CommandLine;
using System.ServiceProcess;
using Raven.CommandLine.Output;
using Raven.Server.Options;

namespace Raven.CommandLine.Service;

/// <summary><c>raven service</c>: the server as a service of Windows. Elsewhere each of its verbs is refused.</summary>
internal static class ServiceVerbs
{
    private const string Refusal =
        "Services of Windows are on Windows alone. Here systemd keeps a server running: the package for Debian has its "
        + "unit, packaging/raven.service of the sources is that of a folder.";

    private static readonly Option<string> Name = new("--name")
    {
        Description = "The name of the service", DefaultValueFactory = _ => ServiceEntry.DefaultName,
    };

    private static readonly Option<string?> Account = new("--account")
    {
        Description = @"Who it runs as, an account without a password; NT SERVICE\NAME, of its own, if not given",
    };

    private static readonly Option<string?> Folder = new("--folder")
    {
        Description = "The folder that it is started in",
    };

    /// <summary>The verb with those below it.</summary>
    internal static Command Create() => new("service", "The server as a service of Windows")
    {
        Of("install", "Make the service, which starts with the machine: it is given the options of the server that "
            + "follow (--Key=Value), and reads settings.json of this folder", [Name, Account], Install,
            hasOptions: true),
        Of("uninstall", "Stop the service and remove it; its data and keys stay", [Name],
            (parsed, output) => Do(
                parsed, output, (steps, name) => steps.Uninstall(name), "is removed; its data stays")),
        Of("start", "Start the service and wait until the server serves", [Name],
            (parsed, output) => Do(parsed, output, (steps, name) => steps.Start(name), "runs")),
        Of("stop", "Stop the service: running requests may end", [Name],
            (parsed, output) => Do(parsed, output, (steps, name) => steps.Stop(name), "has ended")),
        Of("run", "What Windows starts; to start a server yourself, 'raven server'", [Name, Folder], Run,
            hasOptions: true),
    };

    private static Command Of(
        string name, string description, Option[] options, Func<ParseResult, VerbOutput, int> run,
        bool hasOptions = false)
    {
        var verb = new Command(name, description) { TreatUnmatchedTokensAsErrors = !hasOptions };
        foreach (Option option in options)
        {
            verb.Add(option);
        }

        verb.Add(Verb.Json);
        verb.SetAction(parsed => Guarded(parsed, Verb.OutputOf(parsed), run));
        return verb;
    }

    private static int Guarded(ParseResult parsed, VerbOutput output, Func<ParseResult, VerbOutput, int> run)
    {
        int code = ExitCode.WrongUsage;
        string why = Refusal;
        if (OperatingSystem.IsWindows())
        {
            try
            {
                return output.End(run(parsed, output));
            }
            catch (Exception wrong) when (wrong is ServerOptionException or FormatException)
            {
                why = wrong.Message;
            }
            catch (Exception failed) when (failed is ServiceException or IOException or UnauthorizedAccessException
                or System.Security.SecurityException or System.ComponentModel.Win32Exception)
            {
                code = ExitCode.ServerFailed;
                why = failed.Message;
            }
        }

        parsed.InvocationConfiguration.Error.WriteLine(why);
        return output.End(code);
    }

    private static int Install(ParseResult parsed, VerbOutput output)
    {
        ServiceEntry entry = EntryOf(parsed, Environment.ProcessPath ?? "", Directory.GetCurrentDirectory());
        StepsOfWindows().Install(entry);
        output.Lines.WriteLine(
            $"The service {entry.Name} is made. 'raven service start' starts it, as each start of Windows does.");
        output.Set("Name", entry.Name);
        output.Set("CommandLine", entry.CommandLine);
        return ExitCode.Success;
    }

    /// <summary>The service that a command line asks for.</summary>
    internal static ServiceEntry EntryOf(ParseResult parsed, string program, string folder)
    {
        string name = parsed.GetRequiredValue(Name);
        return new ServiceEntry(
            name, parsed.GetValue(Account) ?? ServiceEntry.OwnAccount(name), program, folder, parsed.UnmatchedTokens);
    }

    private static int Do(ParseResult parsed, VerbOutput output, Action<ServiceSteps, string> step, string result)
    {
        string name = parsed.GetRequiredValue(Name);
        step(StepsOfWindows(), name);
        output.Lines.WriteLine($"The service {name} {result}.");
        output.Set("Name", name);
        return ExitCode.Success;
    }

    private static int Run(ParseResult parsed, VerbOutput output)
    {
        if (!OperatingSystem.IsWindows())
        {
            throw new PlatformNotSupportedException(Refusal);
        }

        if (Environment.UserInteractive)
        {
            throw new ServiceException("Windows alone starts this; to start a server yourself, 'raven server'.");
        }

        if (parsed.GetValue(Folder) is { } folder)
        {
            Directory.SetCurrentDirectory(folder);
        }

        using var service = new WindowsService(parsed.GetRequiredValue(Name), [.. parsed.UnmatchedTokens]);
        ServiceBase.Run(service);
        return service.ExitCode == 0 ? ExitCode.Success : ExitCode.ServerFailed;
    }

    private static ServiceSteps StepsOfWindows() => OperatingSystem.IsWindows()
        ? new ServiceSteps(new WindowsServices())
        : throw new PlatformNotSupportedException(Refusal);
}
