namespace Shared.Cluster.Processes;

/// <summary>Where the processes of a cluster run: on the loopback of this machine, or each in a network of its
/// own.</summary>
internal interface IProcessPlaces : IAsyncDisposable
{
    /// <summary>The urls at which a process listens, without a slash at the end; always the same for a name.</summary>
    /// <param name="name">The process.</param>
    /// <param name="port">Which of its ports, from 0.</param>
    string UrlOf(string name, int port = 0);

    /// <summary>What stands in front of the command line of a process.</summary>
    /// <param name="name">The process.</param>
    IReadOnlyList<string> PrefixOf(string name);

    /// <summary>Makes the connections of a client of these processes.</summary>
    SocketsHttpHandler CreateHandler();
}
