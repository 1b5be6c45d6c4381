using System.Diagnostics;

namespace Raven.Cluster.Etcd;

/// <summary>
/// Gets etcd from Debian's own packages: the machine's mirror, with the suite that has a version which is new enough.
/// apt checks the signature and the package is unpacked into a folder; nothing is installed, and no file of the machine
/// changes.
/// </summary>
public static class EtcdInstaller
{
    private const string Package = "etcd-server";
    private const string Suite = "trixie";
    private static readonly TimeSpan StepMax = TimeSpan.FromMinutes(3);

    /// <summary>Gets etcd.</summary>
    /// <param name="folder">Where it goes; made if it is not there.</param>
    /// <param name="say">Told of each step, for people.</param>
    /// <param name="stop">Ends it; a part of it is left nowhere.</param>
    /// <returns>The program; or null, and why there is none.</returns>
    public static Task<(EtcdProgram? Program, string? Problem)> InstallAsync(
        string folder, Action<string> say, CancellationToken stop = default) =>
        InstallAsync(folder, "/", say, stop);

    /// <inheritdoc cref="InstallAsync(string, Action{string}, CancellationToken)"/>
    /// <param name="folder">Where it goes.</param>
    /// <param name="root">The folder in which the machine's files are.</param>
    /// <param name="say">Told of each step.</param>
    /// <param name="stop">Ends it.</param>
    internal static async Task<(EtcdProgram? Program, string? Problem)> InstallAsync(
        string folder, string root, Action<string> say, CancellationToken stop)
    {
        ArgumentNullException.ThrowIfNull(folder);
        ArgumentNullException.ThrowIfNull(say);
        string elsewhere = $"Put etcd {Store.EtcdVersion.Oldest} or later into PATH, from your system's packages or "
            + "from the etcd project.";
        if (SuiteOf(root) is not { } own || !File.Exists(Path.Combine(root, "usr/bin/apt-get")))
        {
            return (null, $"This machine is not Debian. {elsewhere}");
        }

        if (AptSources.Find(Path.Combine(root, "etc/apt"), own) is not { } sources)
        {
            return (null, $"The sources of apt name no mirror of Debian {own}. {elsewhere}");
        }

        string work = Path.Combine(folder, $"get-{Environment.ProcessId}");
        try
        {
            Directory.CreateDirectory(Path.Combine(work, "state", "lists", "partial"));
            Directory.CreateDirectory(Path.Combine(work, "cache", "archives", "partial"));
            await File.WriteAllTextAsync(Path.Combine(work, "own.sources"), sources.SourceOf(Suite), stop)
                .ConfigureAwait(false);
            say($"{Package} of Debian {Suite} from {sources.Uri}");
            return await GetAsync(folder, work, stop).ConfigureAwait(false);
        }
        catch (Exception failed) when (failed is IOException or UnauthorizedAccessException)
        {
            return (null, failed.Message);
        }
        finally
        {
            if (Directory.Exists(work))
            {
                Directory.Delete(work, recursive: true);
            }
        }
    }

    private static async Task<(EtcdProgram? Program, string? Problem)> GetAsync(
        string folder, string work, CancellationToken stop)
    {
        string[] options =
        [
            "-qq", "-o", $"Dir::State={work}/state", "-o", "Dir::State::status=/var/lib/dpkg/status",
            "-o", $"Dir::Cache={work}/cache", "-o", $"Dir::Etc::SourceList={work}/own.sources",
            "-o", "Dir::Etc::SourceParts=/dev/null", "-o", "Acquire::Languages=none",
            "-o", "Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false",
            "-o", $"APT::Sandbox::User={Environment.UserName}",
        ];
        foreach (string[] step in (string[][])[["update"], ["download", Package]])
        {
            (int code, _, string errors) = await ProgramRun.RunAsync(
                new ProcessStartInfo("apt-get", [.. options, .. step]) { WorkingDirectory = work }, StepMax, stop)
                .ConfigureAwait(false);
            if (code != 0)
            {
                return (null, $"apt-get {step[0]} failed: {errors.Trim()}");
            }
        }

        string[] packages = Directory.GetFiles(work, Package + "_*.deb");
        if (packages.Length != 1)
        {
            return (null, $"apt-get gave {packages.Length} packages {Package}.");
        }

        string unpacked = Path.Combine(work, "root");
        (int unpack, _, string wrong) = await ProgramRun.RunAsync(
            new ProcessStartInfo("dpkg", ["-x", packages[0], unpacked]), StepMax, stop).ConfigureAwait(false);
        string program = Path.Combine(unpacked, "usr", "bin", "etcd");
        if (unpack != 0 || !File.Exists(program))
        {
            return (null, $"{packages[0]} cannot be unpacked: {wrong.Trim()}");
        }

        (EtcdProgram? found, string? problem) = await EtcdProgram.LookAsync(program, stop).ConfigureAwait(false);
        if (found is null)
        {
            return (null, problem);
        }

        string license = Path.Combine(unpacked, "usr", "share", "doc", Package, "copyright");
        if (File.Exists(license))
        {
            File.Move(license, Path.Combine(folder, "copyright"), overwrite: true);
        }

        string target = Path.Combine(folder, "etcd");
        File.Move(program, target, overwrite: true);
        return (found with { Path = target }, null);
    }

    /// <summary>The name of the Debian that a machine runs; null if it runs another system.</summary>
    private static string? SuiteOf(string root)
    {
        string file = Path.Combine(root, "etc/os-release");
        if (!OperatingSystem.IsLinux() || !File.Exists(file))
        {
            return null;
        }

        Dictionary<string, string> values = File.ReadAllLines(file)
            .Select(line => line.Split('=', 2)).Where(each => each.Length == 2)
            .GroupBy(each => each[0], each => each[1].Trim('"')).ToDictionary(each => each.Key, each => each.Last());
        return values.GetValueOrDefault("ID") == "debian" ? values.GetValueOrDefault("VERSION_CODENAME") : null;
    }
}
