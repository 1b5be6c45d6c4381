using Raven.Server.Options;

namespace Raven.CommandLine.Service;

/// <summary>
/// What is done about a service, step by step, by whatever manager of services there is. What a step that failed leaves
/// is taken back, and a service that is none of ours is not touched.
/// </summary>
/// <param name="manager">Does it.</param>
internal sealed class ServiceSteps(IServiceManager manager)
{
    private const string Control = "sc.exe";
    private const string Administrators = "*S-1-5-32-544";
    private const string System = "*S-1-5-18";
    private const string Description =
        "The document database Raven. A stop lets running requests end (Shutdown.DrainSecondsMax).";

    /// <summary>Makes the service; it starts with the machine, and again after a crash.</summary>
    /// <exception cref="ServiceException">There is one, or it cannot be made.</exception>
    /// <exception cref="ServerOptionException">The server would not start with its options.</exception>
    internal void Install(ServiceEntry entry)
    {
        ServiceEntry.CheckName(entry.Name);
        CheckAccount(entry.Account);
        ServerOptions options = entry.Check();
        if (!Path.GetFileName(entry.Program.Replace('\\', '/')).Equals("raven.exe", StringComparison.OrdinalIgnoreCase))
        {
            throw new ServiceException(
                $"A service starts the published program raven.exe; this one was started by {entry.Program}.");
        }

        if (manager.CommandLineOf(entry.Name) != null)
        {
            throw new ServiceException($"There is a service {entry.Name} already.");
        }

        manager.Execute(
        [
            Control, "create", entry.Name, "binPath=", entry.CommandLine, "start=", "auto", "obj=", entry.Account,
            "DisplayName=", entry.Name == ServiceEntry.DefaultName ? "Raven" : $"Raven ({entry.Name})",
        ]);
        try
        {
            foreach (string[] command in CommandsBehind(entry.Name))
            {
                manager.Execute(command);
            }

            manager.SetEventSource(entry.Name, true);
            Grant(options.DataDirectory, entry.Account);
            string keys = options.Security.KeysFolder;
            if (keys != new SecurityOptions().KeysFolder)
            {
                // Otherwise they are in the profile of the account, which is its own.
                Grant(keys, entry.Account);
            }
        }
        catch
        {
            manager.Execute([Control, "delete", entry.Name]);
            throw;
        }
    }

    /// <summary>Removes the service, which is stopped first. What it has on the disk stays.</summary>
    internal void Uninstall(string name)
    {
        CheckOurs(name);
        manager.Stop(name);
        manager.Execute([Control, "delete", name]);
        manager.SetEventSource(name, false);
    }

    /// <summary>Starts it.</summary>
    internal void Start(string name)
    {
        CheckOurs(name);
        manager.Start(name);
    }

    /// <summary>Stops it; the requests that run may end, as long as the server's options allow.</summary>
    internal void Stop(string name)
    {
        CheckOurs(name);
        manager.Stop(name);
    }

    /// <summary>A service that ends by itself, with a code or without, is started again after a while.</summary>
    private static string[][] CommandsBehind(string name) =>
    [
        [Control, "description", name, Description],
        [Control, "failure", name, "reset=", "86400", "actions=", "restart/5000/restart/30000/restart/60000"],
        [Control, "failureflag", name, "1"],
    ];

    private static void CheckAccount(string account)
    {
        bool isOwn = account.StartsWith(@"NT SERVICE\", StringComparison.OrdinalIgnoreCase);
        bool isSystems = account.StartsWith(@"NT AUTHORITY\", StringComparison.OrdinalIgnoreCase)
            || account.Equals("LocalSystem", StringComparison.OrdinalIgnoreCase);
        if (!isOwn && !isSystems && !account.EndsWith('$'))
        {
            throw new FormatException(
                $@"'{account}' has a password, which no argument may hold. Take NT SERVICE\NAME, "
                + @"NT AUTHORITY\LocalService or a managed account (DOMAIN\NAME$), or change the account of the "
                + "service afterwards.");
        }
    }

    /// <summary>Gives the account a folder. One that was empty is its own, and of administrators, from then on: who may
    /// sign in to the machine reads no data.</summary>
    private void Grant(string folder, string account)
    {
        bool isEmpty = manager.MakeFolder(folder);
        string[] others = isEmpty ? ["/inheritance:r", "/grant:r", Full(System), Full(Administrators)] : ["/grant"];
        manager.Execute(["icacls.exe", folder, .. others, Full(account)]);

        static string Full(string who) => $"{who}:(OI)(CI)F";
    }

    private void CheckOurs(string name)
    {
        ServiceEntry.CheckName(name);
        string line = manager.CommandLineOf(name) ?? throw new ServiceException($"There is no service {name}.");
        if (!line.Contains(ServiceEntry.Marker, StringComparison.Ordinal))
        {
            throw new ServiceException($"The service {name} is none that 'raven service install' has made: {line}");
        }
    }
}
