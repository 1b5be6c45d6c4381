namespace Shared.Cluster.Processes;

/// <summary>Which processes make a cluster, and where.</summary>
internal sealed record ClusterSetup
{
    /// <summary>The server: an executable, or a .dll that <c>dotnet</c> runs.</summary>
    public required string ServerPath { get; init; }

    /// <summary>The program etcd.</summary>
    public required string EtcdPath { get; init; }

    /// <summary>Where all data and logs go: <c>A</c> and <c>A.log</c> for the server A.</summary>
    public required string Folder { get; init; }

    /// <summary>The servers.</summary>
    public IReadOnlyList<string> Tags { get; init; } = ["A", "B", "C"];

    /// <summary>The etcds.</summary>
    public IReadOnlyList<string> EtcdNames { get; init; } = ["x", "y", "z"];

    /// <summary>More options of each server, as on a command line.</summary>
    public IReadOnlyList<string> ServerOptions { get; init; } = [];

    /// <summary>More environment variables of each server.</summary>
    public IReadOnlyDictionary<string, string> Environment { get; init; } = new Dictionary<string, string>();

    /// <summary>Beyond this a wait is a failure: as long as a busy machine needs.</summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromMinutes(2);
}
