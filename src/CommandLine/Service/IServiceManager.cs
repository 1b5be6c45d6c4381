namespace Raven.CommandLine.Service;

/// <summary>What is asked of Windows about services.</summary>
internal interface IServiceManager
{
    /// <summary>What the system starts for a service; null if there is none of this name.</summary>
    string? CommandLineOf(string name);

    /// <summary>Runs a program of the system, which ends soon.</summary>
    /// <param name="command">The program and its arguments.</param>
    /// <exception cref="ServiceException">It failed, and said why.</exception>
    void Execute(IReadOnlyList<string> command);

    /// <summary>Makes a folder.</summary>
    /// <returns>Whether it is empty.</returns>
    bool MakeFolder(string path);

    /// <summary>Makes a source of the event log, or removes it.</summary>
    void SetEventSource(string name, bool exists);

    /// <summary>Starts a service and waits until it runs.</summary>
    /// <exception cref="ServiceException">It did not.</exception>
    void Start(string name);

    /// <summary>Stops a service, if it runs, and waits until it has ended.</summary>
    /// <param name="name">Its name.</param>
    /// <exception cref="ServiceException">It did not.</exception>
    void Stop(string name);
}
