using System.Globalization;
using System.Text;
using Raven.Documents.Commands;
using Raven.Documents.Indexing;

namespace Raven.Server.Http.Queries;

/// <summary>The wait of a batch for indexes: <c>waitForIndexesTimeout</c> and its like.</summary>
internal sealed class IndexWait
{
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

        return null;
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
