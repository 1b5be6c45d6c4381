using System.Globalization;

namespace Raven.Server.Http;

/// <summary>
/// A batch that waits for other nodes (<c>numberOfReplicasToWaitFor</c> and its like). This server is the only node of
/// its databases, so that the wait could only time out: the batch is refused before anything is written.
/// </summary>
internal static class ReplicaWait
{
    /// <summary>Refuses a batch that waits for other nodes, unless a timeout is no error.</summary>
    /// <exception cref="BadRequestException">It waits for other nodes, or the count is not valid.</exception>
    internal static void Check(QueryParameters query)
    {
        string? text = query.GetText("numberOfReplicasToWaitFor")
            ?? (query.GetText("waitForReplicasTimeout") is null ? null : "1");
        if (text is null)
        {
            return;
        }

        if (text.Equals("majority", StringComparison.OrdinalIgnoreCase))
        {
            // The majority of one node is this one.
            return;
        }

        if (!int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int count))
        {
            throw new BadRequestException(
                400, ErrorType.Argument,
                $"numberOfReplicasToWaitFor must be a whole number or majority, not '{text}'.");
        }

        if (count > 0
            && (!query.Has("throwOnTimeoutInWaitForReplicas") || query.GetBool("throwOnTimeoutInWaitForReplicas")))
        {
            throw new BadRequestException(
                501, ErrorType.NotSupported,
                $"Nothing is written: {count} replicas were asked to have it, and this server is the only node.");
        }
    }
}
