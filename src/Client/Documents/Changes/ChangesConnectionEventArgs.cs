namespace Raven.Client.Documents.Changes;

/// <summary>The connection that tells changes was lost, or is there again.</summary>
public sealed class ChangesConnectionEventArgs : EventArgs
{
    /// <summary>Whether it is there.</summary>
    public required bool IsConnected { get; init; }

    /// <summary>Why it was lost; null where it was not.</summary>
    public Exception? Cause { get; init; }

    /// <summary>
    /// What may have been missed: the watches, as <c>watch-doc users/1</c>, of which nothing was told between the
    /// loss and this. They are confirmed again when this is raised; read what they concern. Empty at a first
    /// connection.
    /// </summary>
    public IReadOnlyList<string> MayHaveMissed { get; init; } = [];

    /// <summary>How long nothing was told.</summary>
    public TimeSpan Gap { get; init; }
}
