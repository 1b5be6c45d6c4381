using Raven.Cluster.Etcd;

namespace Shared.Cluster.Processes;

/// <summary>Finds etcd in the checkout or in PATH, else gets it from Debian, as users do.</summary>
internal static class EtcdFinder
{
    private static readonly Lock Gate = new();
    private static Task<(EtcdProgram? Program, string? Problem)>? _found;

    /// <summary>The program; or null, and why there is none.</summary>
    /// <param name="root">The checkout.</param>
    internal static Task<(EtcdProgram? Program, string? Problem)> FindAsync(string root)
    {
        lock (Gate)
        {
            return _found ??= LookAsync(Path.Combine(root, "artifacts", "debian", "etcd"));
        }
    }

    private static async Task<(EtcdProgram? Program, string? Problem)> LookAsync(string folder)
    {
        (EtcdProgram? there, _) = await EtcdProgram.FindAsync(
            [Path.Combine(folder, "etcd"), .. EtcdProgram.PlacesFrom(AppContext.BaseDirectory)]);
        return there is not null ? (there, null) : await EtcdInstaller.InstallAsync(folder, _ => { });
    }
}
