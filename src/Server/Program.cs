using System.Runtime.InteropServices;
using Microsoft.Extensions.Logging;
using Raven.Server.Diagnostics;
using Raven.Server.Options;
using Raven.Server.Setup;

namespace Raven.Server;

/// <summary>The process: reads the options, starts the server, waits for the signal to stop.</summary>
public static class Program
{
    private const int ExitOk = 0;
    private const int ExitFailed = 1;
    private const int ExitBadOptions = 2;

    /// <summary>The entry point.</summary>
    /// <param name="args">Options as <c>--Key=Value</c>; see <c>--help</c>.</param>
    /// <returns>0 after a clean stop, 1 if it could not start, 2 for options that cannot be used.</returns>
    public static async Task<int> Main(string[] args)
    {
        ArgumentNullException.ThrowIfNull(args);
        if (args.Contains("--help") || args.Contains("-h"))
        {
            await Console.Out.WriteAsync(CommandLineHelp.Text()).ConfigureAwait(false);
            return ExitOk;
        }

        if (args.Contains("--version"))
        {
            Console.WriteLine($"Raven {ServerVersion.Program} (HTTP API {ServerVersion.Product})");
            return ExitOk;
        }

        try
        {
            if (SetupRequest.IsIn(args))
            {
                await Console.Out.WriteAsync(SetupCommand.Run(
                    args, Environment.GetEnvironmentVariables(), Directory.GetCurrentDirectory(), TimeProvider.System))
                    .ConfigureAwait(false);
                return ExitOk;
            }

            string[] rest = [.. args.Where(argument => argument != "--print-config")];
            ServerOptions options = OptionReader.Read(
                rest, Environment.GetEnvironmentVariables(), Directory.GetCurrentDirectory());
            if (rest.Length < args.Length)
            {
                foreach (string warning in options.Warnings)
                {
                    await Console.Error.WriteLineAsync(warning).ConfigureAwait(false);
                }

                await Console.Out.WriteAsync(OptionTable.Print(options)).ConfigureAwait(false);
                return ExitOk;
            }

            return await UntilSignalAsync(options).ConfigureAwait(false);
        }
        catch (ServerOptionException e)
        {
            await Console.Error.WriteLineAsync(e.Message).ConfigureAwait(false);
            return ExitBadOptions;
        }
        catch (ServerStartException e)
        {
            await Console.Error.WriteLineAsync(e.Message).ConfigureAwait(false);
            return ExitFailed;
        }
    }

    /// <summary>A server that something else than signals stops.</summary>
    /// <returns>As <see cref="Main"/>.</returns>
    internal static async Task<int> ServeAsync(ProcessOwner owner)
    {
        try
        {
            ServerOptions options = OptionReader.Read(
                owner.Options, Environment.GetEnvironmentVariables(), Directory.GetCurrentDirectory());
            return await RunAsync(options, owner).ConfigureAwait(false);
        }
        catch (Exception e) when (e is ServerOptionException or ServerStartException)
        {
            owner.Failed(e.Message);
            return e is ServerOptionException ? ExitBadOptions : ExitFailed;
        }
    }

    private static async Task<int> UntilSignalAsync(ServerOptions options)
    {
        using var stop = new CancellationTokenSource();
        void Stop(PosixSignalContext context)
        {
            context.Cancel = true;
            stop.Cancel();
        }

        using PosixSignalRegistration terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Stop);
        using PosixSignalRegistration interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, Stop);
        var owner = new ProcessOwner(
            [], addresses => Console.WriteLine($"Server available on: {addresses}"), _ => { }, AddConsole, stop.Token);
        return await RunAsync(options, owner).ConfigureAwait(false);
    }

    private static void AddConsole(ILoggingBuilder logging) => logging
        .AddSimpleConsole(console =>
        {
            console.SingleLine = true;
            console.UseUtcTimestamp = true;
            console.TimestampFormat = "yyyy-MM-ddTHH:mm:ss.fffZ ";
        })
        // Standard output has one line, for scripts; the log goes to standard error.
        .AddConsole(console => console.LogToStandardErrorThreshold = LogLevel.Trace);

    private static async Task<int> RunAsync(ServerOptions options, ProcessOwner owner)
    {
        using ILoggerFactory loggers = LoggerFactory.Create(logging => owner.AddLog(logging
            // The server decides which lines are written: its level can be changed while it runs.
            .SetMinimumLevel(LogLevel.Trace)
            .AddFilter("Microsoft", LogLevel.Warning)));
        var stop = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using CancellationTokenRegistration stopping = owner.Stop.Register(() => stop.TrySetResult());
        ServerHost host = await ServerHost
            .StartAsync(options with { OwnsProcess = true }, loggers).ConfigureAwait(false);
        await using (host.ConfigureAwait(false))
        {
            owner.Ready(host.Addresses);
            using PosixSignalRegistration? reload = ReloadOnHangUp(host);
            host.WarmUp();
            await stop.Task.ConfigureAwait(false);
        }

        return ExitOk;
    }

    /// <summary>SIGHUP reloads the certificate; without one it ends the process.</summary>
    private static PosixSignalRegistration? ReloadOnHangUp(ServerHost host) =>
        host.HasCertificate && !OperatingSystem.IsWindows()
            ? PosixSignalRegistration.Create(PosixSignal.SIGHUP, context =>
            {
                context.Cancel = true;
                host.ReloadCertificate();
            })
            : null;
}
