using System.Globalization;
using System.Text.Json;

namespace Raven.Server.Http.Cluster;

/// <summary>Answers with what has become of a change of the cluster's records.</summary>
internal static class ClusterAnswers
{
    /// <summary>Whether a change is done; otherwise the answer says why not.</summary>
    internal static bool IsDone(RequestContext request, ClusterOutcome outcome)
    {
        (int status, string type) = outcome.Status switch
        {
            ClusterOutcomeStatus.Done or ClusterOutcomeStatus.Unchanged => (0, ""),
            ClusterOutcomeStatus.Missing => (400, ErrorType.Argument),
            ClusterOutcomeStatus.Conflict => (409, ErrorType.Concurrency),
            ClusterOutcomeStatus.Refused => (400, ErrorType.InvalidOperation),
            ClusterOutcomeStatus.Unavailable => (503, ErrorType.NoLeader),
            ClusterOutcomeStatus.NotServed => (501, ErrorType.NotSupported),
            _ => (500, ErrorType.WaitTimeout),
        };
        if (status == 0)
        {
            return true;
        }

        if (status == 503)
        {
            request.Response.Headers.RetryAfter = "1";
        }

        ErrorResponse.Write(request, status, type, outcome.Message ?? "It was not done.");
        return false;
    }

    /// <summary>Answers with a database after a change of its nodes.</summary>
    /// <param name="request">The request.</param>
    /// <param name="name">The database.</param>
    /// <param name="index">The index of the change.</param>
    /// <param name="added">The tags of the nodes that it has got.</param>
    internal static void WriteDatabase(
        RequestContext request, string name, long index, params IReadOnlyList<string> added)
    {
        IClusterNode cluster = request.Server.Cluster;
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("RaftCommandIndex"u8, index);
        json.WriteString("Name"u8, name);
        DatabaseRecordJson.WriteTopology(json, request.Server, name);
        json.WriteBoolean("ShardsDefined"u8, false);
        json.WriteStartArray("NodesAddedTo"u8);
        foreach (string tag in added)
        {
            json.WriteStringValue(cluster.Cluster.Find(tag)?.Url ?? tag);
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    /// <summary>Refuses what would change one node of a cluster, and not the others.</summary>
    /// <param name="request">The request.</param>
    /// <param name="why">What is not done, why, and what to do instead, in sentences.</param>
    /// <exception cref="BadRequestException">501: this is a node of a cluster.</exception>
    internal static void RequireSingle(RequestContext request, string why)
    {
        if (request.Server.Cluster.IsClustered)
        {
            throw new BadRequestException(
                501, ErrorType.NotSupported, "Nothing was done. " + why);
        }
    }

    /// <summary>The group that a request names; the answer says so if there is none.</summary>
    internal static GroupView? GroupOf(RequestContext request, string name)
    {
        if (request.Server.Cluster.TryGetGroup(name, out GroupView? group))
        {
            return group;
        }

        DatabaseResolver.AnswerMissing(request, name);
        return null;
    }

    /// <summary>A parameter that is required.</summary>
    /// <exception cref="BadRequestException">It is missing.</exception>
    internal static string Required(string? value, string name) =>
        value is { Length: > 0 } text
            ? text
            : throw new BadRequestException(400, ErrorType.Argument, $"The parameter '{name}' is missing.");

    /// <summary>A tag as it is written.</summary>
    /// <exception cref="BadRequestException">It can be no tag.</exception>
    internal static string TagOf(string text) =>
        text.Length is > 0 and <= 4 && !text.AsSpan().ContainsAnyExceptInRange('A', 'Z')
            ? text
            : throw new BadRequestException(
                400, ErrorType.Argument,
                string.Create(CultureInfo.InvariantCulture, $"'{text}' is no tag of a node: one to four of A to Z."));
}
