using System.Globalization;
using Raven.Server.Http.Cluster;

namespace Raven.Server.Http;

/// <summary>
/// The wait of a batch for other nodes (<c>numberOfReplicasToWaitFor</c> and its like). A server without a cluster is
/// the only node of its databases, so that the wait could only time out: the batch is refused before anything is
/// written.
/// </summary>
internal sealed class ReplicaWait
{
    private static readonly TimeSpan DefaultTime = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan TimeMax = TimeSpan.FromDays(1);

    private readonly RequestContext _request;
    private readonly GroupView _group;
    private readonly int _count;
    private readonly TimeSpan _time;
    private readonly bool _isError;

    private ReplicaWait(RequestContext request, GroupView group, int count, bool isError)
    {
        _request = request;
        _group = group;
        _count = count;
        _time = TimeOf(request.Query);
        _isError = isError;
    }

    /// <summary>Reads the wait of a request, before its batch is written. Without a group it refuses a batch that waits
    /// for other nodes, unless a timeout is no error.</summary>
    /// <returns>Null if there is nothing to wait for.</returns>
    /// <exception cref="BadRequestException">It waits for more nodes than there are, or the count is not valid.
    /// </exception>
    internal static ReplicaWait? Of(RequestContext request)
    {
        QueryParameters query = request.Query;
        string? text = query.GetText("numberOfReplicasToWaitFor")
            ?? (query.GetText("waitForReplicasTimeout") is null ? null : "1");
        if (text is null)
        {
            return null;
        }

        GroupView? group = request.Server.Cluster.TryGetGroup(request.Capture(0), out GroupView? found) ? found : null;
        int others = OthersOf(group);
        int count;
        if (text.Equals("majority", StringComparison.OrdinalIgnoreCase))
        {
            // The majority of one node is this one.
            count = (others + 1) / 2;
        }
        else if (!int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out count))
        {
            throw new BadRequestException(
                400, ErrorType.Argument,
                $"numberOfReplicasToWaitFor must be a whole number or majority, not '{text}'.");
        }

        bool isError = !query.Has("throwOnTimeoutInWaitForReplicas")
            || query.GetBool("throwOnTimeoutInWaitForReplicas");
        if (count > others && isError)
        {
            throw group is null
                ? new BadRequestException(
                    501, ErrorType.NotSupported,
                    $"Nothing is written: {count} replicas were asked to have it, and this server is the only node.")
                : new BadRequestException(
                    400, ErrorType.InvalidOperation,
                    $"Nothing is written: {count} replicas were asked to have it, and beside the primary the database "
                    + $"has {others}.");
        }

        count = Math.Min(count, others);
        return count == 0 || group is null ? null : new ReplicaWait(request, group, count, isError);
    }

    /// <summary>Waits until enough other nodes have what was written.</summary>
    /// <returns>The message if they did not in time, and that is an error; null otherwise.</returns>
    internal async ValueTask<string?> AfterAsync()
    {
        int have = 0;
        using var limit = new CancellationTokenSource(_time, _request.Server.Time);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(_request.Aborted, limit.Token);
        try
        {
            have = await _request.Server.Cluster.WaitForReplicasAsync(_group, _count, ended.Token)
                .ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!_request.Aborted.IsCancellationRequested)
        {
            // The time is over.
        }

        return have >= _count || !_isError
            ? null
            : $"The batch is written, but {_count} other nodes did not have it within {_time}.";
    }

    /// <summary>The nodes of a group that count, beside the primary.</summary>
    private static int OthersOf(GroupView? group)
    {
        int count = 0;
        foreach (GroupNode node in group?.Nodes ?? [])
        {
            count += node.Role is GroupRole.Member or GroupRole.Rehab ? 1 : 0;
        }

        return count;
    }

    private static TimeSpan TimeOf(QueryParameters query)
    {
        string? text = query.GetText("waitForReplicasTimeout");
        if (string.IsNullOrEmpty(text))
        {
            return DefaultTime;
        }

        return TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out TimeSpan time)
            && time >= TimeSpan.Zero && time <= TimeMax
            ? time
            : throw new BadRequestException(
                400, ErrorType.Argument, $"waitForReplicasTimeout must be a span of at most a day, not '{text}'.");
    }
}
