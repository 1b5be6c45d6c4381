using System.CommandLine;
using Raven.Cluster.Etcd;
using Raven.CommandLine.Output;

namespace Raven.CommandLine.Admin;

/// <summary><c>raven cluster</c>: what several servers need to be one.</summary>
internal static class ClusterVerbs
{
    private static readonly Option<string> Folder = new("--folder")
    {
        Description = "Where etcd goes; where the server looks for it, if not given",
        DefaultValueFactory = _ => Path.Combine(AppContext.BaseDirectory, EtcdProgram.FolderName),
    };

    /// <summary>The verb with those below it.</summary>
    internal static Command Create()
    {
        var install = new Command(
            "install-etcd", "Get etcd, by which servers of a cluster agree, from Debian's packages; elsewhere say "
            + "which version is needed")
        {
            Folder, Verb.Json,
        };
        install.SetAction(async (parsed, stop) =>
        {
            VerbOutput output = Verb.OutputOf(parsed);
            return output.End(await InstallAsync(
                Path.GetFullPath(parsed.GetRequiredValue(Folder)), output, stop));
        });
        return new Command("cluster", "Several servers as one") { install, ClusterUp.Create(), ClusterStatus.Create() };
    }

    private static async Task<int> InstallAsync(string folder, VerbOutput output, CancellationToken stop)
    {
        (EtcdProgram? program, string? problem) = await EtcdInstaller.InstallAsync(
            folder, output.Lines.WriteLine, stop);
        if (program is null)
        {
            await output.Lines.WriteLineAsync(problem);
            return ExitCode.ServerFailed;
        }

        await output.Lines.WriteLineAsync($"{program.Path} is etcd {program.Version}.");
        output.Set("Program", program.Path);
        output.Set("Version", program.Version.ToString());
        return ExitCode.Success;
    }
}
