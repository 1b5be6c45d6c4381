namespace Raven.Tools.Bench.Suites.Scripting;

/// <summary>A script in an engine beside ours.</summary>
internal interface IPeerScript : IDisposable
{
    /// <summary>The name of the engine.</summary>
    string Name { get; }

    /// <summary>Runs it so many times.</summary>
    void Run(int count);
}
