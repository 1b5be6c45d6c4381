using System.Globalization;
using System.Text;
using Raven.Documents;
using Raven.Documents.Commands;
using Raven.Documents.Indexing;
using Raven.Server.Http.Cluster;
using Raven.Server.Http.Forwarding;

namespace Raven.Server.Http.Queries;

/// <summary>The wait of a batch for indexes: <c>waitForIndexesTimeout</c> and its like.</summary>
internal sealed class IndexWait
{
    /// <summary>How long a node waits for its own indexes when the primary's are there.</summary>
    private static readonly TimeSpan HereMax = TimeSpan.FromMinutes(1);

    private readonly RequestContext _request;
    private readonly TimeSpan _timeMax;
    private readonly bool _isError;
    private readonly List<string> _names;

    private IndexWait(RequestContext request)
    {
        _request = request;
        _timeMax = TimeOf(request);
        _isError = request.Query.GetBool("waitForIndexThrow");
        _names = NamesOf(request);
    }

    /// <summary>Reads the wait of a request, before its batch is written: nothing is refused after that.</summary>
    /// <returns>Null if it asks for none.</returns>
    /// <exception cref="BadRequestException">A parameter is not valid.</exception>
    internal static IndexWait? Of(RequestContext request) =>
        request.Query.Has("waitForIndexesTimeout") ? new IndexWait(request) : null;

    /// <summary>Waits until the indexes of the changed collections cover a batch. It holds nothing meanwhile.</summary>
    /// <returns>The message if they did not in time, and that is an error; null otherwise.</returns>
    internal async ValueTask<string?> AfterAsync(BatchCommand batch)
    {
        HashSet<string> collections = CollectionsOf(batch);
        TimeProvider time = _request.Server.Time;
        long began = time.GetTimestamp();
        DatabaseIndexes indexes = _request.Database.Indexes;
        for (bool isAgain = true; isAgain;)
        {
            isAgain = false;
            foreach (DatabaseIndex index in indexes.All.Where(one => IsWanted(one, _names, collections)))
            {
                TimeSpan left = _timeMax - time.GetElapsedTime(began);
                if (await index.WaitAsync(batch.LastEtag, left, _request.Aborted).ConfigureAwait(false))
                {
                    continue;
                }

                if (!ReferenceEquals(indexes.Find(index.Name), index))
                {
                    // The index was deleted or replaced: the wait is for the indexes that exist now.
                    isAgain |= left > TimeSpan.Zero;
                }
                else if (_isError)
                {
                    return Describe(indexes, index, batch.LastEtag, collections);
                }
            }
        }

        TellSender(batch.LastEtag, collections);
        return null;
    }

    /// <summary>
    /// Waits until the indexes of this node cover a batch that it has passed on, as those of the primary do: the client
    /// asks this node next. It waits as long as the client allows, and the answer is the primary's.
    /// </summary>
    /// <param name="request">The request.</param>
    /// <param name="cluster">The cluster.</param>
    /// <param name="group">The group of the database, of which this node is a member.</param>
    /// <param name="covered">What the primary has said of its wait.</param>
    internal static async ValueTask CatchUpAsync(
        RequestContext request, IClusterNode cluster, GroupView group, string covered)
    {
        TimeProvider time = request.Server.Time;
        TimeSpan left = TimeOf(request) - time.GetElapsedTime(request.StartedTimestamp);
        if (left <= TimeSpan.Zero)
        {
            return;
        }

        using var limit = new CancellationTokenSource(left < HereMax ? left : HereMax, time);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(request.Aborted, limit.Token);
        string[] parts = covered.Split(' ');
        long etag = long.Parse(parts[0], CultureInfo.InvariantCulture);
        try
        {
            await cluster.ReadableAsync(group, new ReadWish(null, etag), ended.Token).ConfigureAwait(false);
            if (!request.Server.Databases.TryGet(request.Capture(0), out Database? database))
            {
                return;
            }

            foreach (string name in parts.Skip(1))
            {
                if (database.Indexes.Find(Uri.UnescapeDataString(name)) is { } index)
                {
                    await index.WaitAsync(etag, HereMax, ended.Token).ConfigureAwait(false);
                }
            }
        }
        catch (OperationCanceledException) when (!request.Aborted.IsCancellationRequested)
        {
            // The time is over.
        }
        catch (DatabaseNotServingException)
        {
            // This node has just lost its copy: it has no indexes to wait for.
        }
    }

    private void TellSender(long etag, HashSet<string> collections)
    {
        if (_request.IsForwarded)
        {
            IEnumerable<string> names = _request.Database.Indexes.All
                .Where(one => IsWanted(one, _names, collections)).Select(one => Uri.EscapeDataString(one.Name));
            _request.Response.Headers[ForwardHeaders.Indexes] =
                string.Create(CultureInfo.InvariantCulture, $"{etag} {string.Join(' ', names)}");
        }
    }

    /// <summary>Names the indexes that did not get there, in the words that users of clients look for.</summary>
    private string Describe(DatabaseIndexes indexes, DatabaseIndex first, long etag, HashSet<string> collections)
    {
        DatabaseIndex[] late = [.. indexes.All.Where(one =>
            IsWanted(one, _names, collections) && one.CoveredEtag < etag)];
        return "The batch is written, but the server could not verify that "
            + $"{Math.Max(1, late.Length)} indexes has caught up with the changes as of etag: {etag} "
            + $"within {_timeMax}; '{first.Name}' is at {first.CoveredEtag}. "
            + $"Total paused indexes: {late.Count(one => one.IsPaused)}, total errored indexes: "
            + $"{late.Count(one => one.Fault is not null)}.";
    }

    private static TimeSpan TimeOf(RequestContext request)
    {
        string? text = request.Query.GetText("waitForIndexesTimeout");
        return TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out TimeSpan time)
            ? time
            : throw new BadRequestException(
                400, ErrorType.Argument, $"waitForIndexesTimeout must be a span of time, not '{text}'.");
    }

    private static List<string> NamesOf(RequestContext request)
    {
        List<string> names = [];
        foreach (QueryParameters.Parameter parameter in request.Query)
        {
            if (parameter.Is("waitForSpecificIndex"))
            {
                names.Add(Encoding.UTF8.GetString(
                    request.Decode(parameter.Encoded, "waitForSpecificIndex").Span));
            }
        }

        return names;
    }

    private static HashSet<string> CollectionsOf(BatchCommand batch)
    {
        HashSet<string> collections = new(StringComparer.OrdinalIgnoreCase);
        for (int i = 0; i < batch.Count; i++)
        {
            collections.Add(Encoding.UTF8.GetString(batch[i].Collection.Span));
        }

        return collections;
    }

    private static bool IsWanted(DatabaseIndex index, List<string> names, HashSet<string> collections) =>
        names.Count > 0
            ? names.Contains(index.Name, StringComparer.OrdinalIgnoreCase)
            : index.Followed.Count == 0 || index.Followed.Any(collections.Contains)
                || collections.Contains("");
}
