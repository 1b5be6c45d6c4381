namespace Raven.Server.Http.Cluster;

/// <summary>A node of a cluster. Immutable.</summary>
public sealed record NodeView
{
    /// <summary>The tag.</summary>
    public required string Tag { get; init; }

    /// <summary>Where clients reach it: its public url, without a closing slash.</summary>
    public required string Url { get; init; }

    /// <summary>Where other nodes reach it; the same unless it says otherwise.</summary>
    public string NodeUrl { get => field ?? Url; init; }

    /// <summary>Its voice in the store.</summary>
    public required NodeRole Role { get; init; }

    /// <summary>Whether it has given a sign of life in time.</summary>
    public required bool IsAlive { get; init; }

    /// <summary>The version of the program that runs it; null if it has not said it.</summary>
    public string? Version { get; init; }

    /// <summary>Why it cannot take part, in a sentence; null if it can.</summary>
    public string? Hindrance { get; init; }
}
