namespace Raven.Tools.Stress.Cluster;

/// <summary>A promise of the cluster is broken in a simulation.</summary>
public sealed class SimulationException : Exception
{
    /// <summary>Says what is broken.</summary>
    public SimulationException(string message)
        : base(message)
    {
    }

    /// <summary>Says in which run it broke.</summary>
    public SimulationException(string message, Exception inner)
        : base(message, inner)
    {
    }
}
