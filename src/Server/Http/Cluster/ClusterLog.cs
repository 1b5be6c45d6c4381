using Microsoft.Extensions.Logging;

namespace Raven.Server.Http.Cluster;

/// <summary>The log lines of a node of a cluster.</summary>
internal static partial class ClusterLog
{
    [LoggerMessage(1080, LogLevel.Error, "The store of the cluster does not serve yet: {Problem}")]
    internal static partial void StoreProblem(ILogger logger, string problem);

    [LoggerMessage(1081, LogLevel.Information, "Node {Tag} is in the cluster {ClusterId}")]
    internal static partial void Joined(ILogger logger, string tag, string clusterId);

    [LoggerMessage(1082, LogLevel.Critical, "This node takes no part in the cluster: {Problem}")]
    internal static partial void Refused(ILogger logger, string problem);

    [LoggerMessage(1083, LogLevel.Information, "Database '{Database}': this node is {Role}, epoch {Epoch}")]
    internal static partial void Role(ILogger logger, string database, string role, long epoch);

    [LoggerMessage(1084, LogLevel.Error, "Database '{Database}': {Problem}")]
    internal static partial void DatabaseProblem(ILogger logger, string database, string problem);

    [LoggerMessage(1085, LogLevel.Error, "The databases of the cluster could not be looked at; it is tried again")]
    internal static partial void PlanFailed(ILogger logger, Exception exception);

    [LoggerMessage(1086, LogLevel.Information, "Database '{Database}' became one of the cluster's: its files stay")]
    internal static partial void Registered(ILogger logger, string database);

    [LoggerMessage(1087, LogLevel.Warning, "Not all groups were handed over before the stop")]
    internal static partial void NotHandedOver(ILogger logger);

    [LoggerMessage(1088, LogLevel.Information, "The key of the cluster's secrets was replaced; the new one is {Check}")]
    internal static partial void KeyReplaced(ILogger logger, string check);

    [LoggerMessage(1089, LogLevel.Error, "{Problem}")]
    internal static partial void SecretsProblem(ILogger logger, string problem);

    [LoggerMessage(1090, LogLevel.Error, "What all nodes share could not be looked at; it is tried again")]
    internal static partial void ServerFailed(ILogger logger, Exception exception);

    [LoggerMessage(
        1091, LogLevel.Error, "Database '{Database}': {Tag} is to be its primary, as there is no room here: {Refusal}")]
    internal static partial void Relieved(ILogger logger, string database, string tag, string refusal);
}
