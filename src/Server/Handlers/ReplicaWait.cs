using System.Globalization;
using Raven.Server.Http;

namespace Raven.Server.Handlers;

/// <summary>
/// A batch that is to be answered when other nodes have it (<c>numberOfReplicasToWaitFor</c> and its like). This server
/// is the only node of its databases, so that no other one ever will: said before anything is written.
/// </summary>
internal static class ReplicaWait
{
    /// <summary>Refuses a batch that wants what cannot be, and says that this is an error.</summary>
    /// <exception cref="BadRequestException">It does, or the count is none.</exception>
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
            // Of one node, that is this one.
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
