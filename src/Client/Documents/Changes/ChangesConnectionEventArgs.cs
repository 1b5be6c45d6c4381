namespace Raven.Client.Documents.Changes;

/// <summary>The connection that reports changes was lost, or is restored.</summary>
public sealed class ChangesConnectionEventArgs : EventArgs
{
    /// <summary>Whether the connection is open.</summary>
    public required bool IsConnected { get; init; }

    /// <summary>Why it was lost; null if it was not.</summary>
    public Exception? Cause { get; init; }

    /// <summary>
    /// The watches, such as <c>watch-doc users/1</c>, of which changes between the loss and now may have been missed.
    /// They are confirmed again when this is raised; read what they concern. Empty at a first connection.
    /// </summary>
    public IReadOnlyList<string> MayHaveMissed { get; init; } = [];

    /// <summary>How long no changes were reported.</summary>
    public TimeSpan Gap { get; init; }
}
