namespace Raven.Server.Http.Cluster;

/// <summary>Compares views: lists of records are not equal by themselves.</summary>
internal static class GroupViewState
{
    /// <summary>Whether two views say the same.</summary>
    internal static bool HasSameState(this GroupView view, GroupView? other) =>
        other is not null && view with { Nodes = other.Nodes } == other && view.Nodes.SequenceEqual(other.Nodes);
}
