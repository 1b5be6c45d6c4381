namespace Raven.Tools.Stress.Histories;

/// <summary>What a history of a real cluster is made of. The seed decides all but the timing.</summary>
internal sealed record HistoryOptions
{
    /// <summary>The server: an executable, or a .dll that <c>dotnet</c> runs.</summary>
    public required string ServerPath { get; init; }

    /// <summary>The program etcd.</summary>
    public required string EtcdPath { get; init; }

    /// <summary>Where data and logs go; a folder of its own for each run.</summary>
    public required string Folder { get; init; }

    /// <summary>The random choices.</summary>
    public required int Seed { get; init; }

    /// <summary>How long clients and faults run.</summary>
    public TimeSpan Length { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>What is done to the cluster; null for all that can be done on this machine.</summary>
    public IReadOnlyList<FaultKind>? Faults { get; init; }

    /// <summary>The clients.</summary>
    public int Clients { get; init; } = 10;

    /// <summary>The longest pause of a client between two transactions.</summary>
    public TimeSpan PauseMax { get; init; } = TimeSpan.FromMilliseconds(40);

    /// <summary>How long a cluster without faults may take until all is well, on a machine that does much else.
    /// </summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromMinutes(2);

    /// <summary>Told of what happens.</summary>
    public Action<string> Say { get; init; } = _ => { };
}
