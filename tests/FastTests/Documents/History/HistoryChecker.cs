namespace FastTests.Documents.History;

/// <summary>
/// Is there one order of all events, with the clients' own order in it, in which each result is the observed one? The
/// database gives that order itself, by its etags, so the question is answered in linear time: the commits are replayed
/// in the order of their etags, and each other event is checked at the place that it claims.
/// </summary>
internal sealed class HistoryChecker
{
    private readonly IReadOnlyList<HistoryEvent> _events;
    private readonly HistoryEvent[] _commits;

    /// <summary>Document to its versions: the etag of each change, and whether it was there after it.</summary>
    private readonly Dictionary<int, List<(long Etag, bool IsThere)>> _versions = [];
    private readonly List<string> _violations = [];

    private HistoryChecker(IReadOnlyList<HistoryEvent> events)
    {
        _events = events;
        _commits = [.. events.Where(one => one.IsCommit).OrderBy(one => one.FirstEtag)];
    }

    /// <summary>Gives what is wrong with a history; nothing if it is strictly serializable.</summary>
    internal static List<string> Check(IReadOnlyList<HistoryEvent> events)
    {
        HistoryChecker checker = new(events);
        checker.ReplayCommits();
        checker.CheckRealTime();
        return checker._violations;
    }

    private void ReplayCommits()
    {
        long last = 0;
        foreach (HistoryEvent commit in _commits)
        {
            if (commit.FirstEtag <= last)
            {
                _violations.Add($"dirty order: etag {commit.FirstEtag} lies inside the commit that ends with {last}");
            }

            int refused = Evaluate(commit, last, out _, out _);
            if (refused >= 0)
            {
                HistoryWrite write = commit.Writes[refused];
                _violations.Add($"lost update: document {write.Document}, change {write.Etag} expected "
                    + $"{write.Expected}, but there was {VersionAt(write.Document, last)}");
            }

            foreach ((int document, long etag) in commit.Held.Where(one => VersionAt(one.Key, last) != one.Value))
            {
                _violations.Add($"write skew: the commit {commit.FirstEtag} had read document {document} as {etag}, "
                    + $"but there was {VersionAt(document, last)}");
            }

            foreach (HistoryWrite write in commit.Writes.Where(write => write.Etag > 0))
            {
                if (write.Etag <= last)
                {
                    _violations.Add($"etag {write.Etag} was given out twice, or out of order");
                }

                last = write.Etag;
                if (!_versions.TryGetValue(write.Document, out List<(long, bool)>? versions))
                {
                    _versions[write.Document] = versions = [];
                }

                versions.Add((write.Etag, write.IsPut));
            }
        }
    }

    private void CheckRealTime()
    {
        long floor = 0;
        PriorityQueue<long, long> ended = new();
        foreach (HistoryEvent one in _events.OrderBy(one => one.Began))
        {
            while (ended.TryPeek(out long position, out long at) && at < one.Began)
            {
                floor = Math.Max(floor, position);
                ended.Dequeue();
            }

            long ceiling = CeilingOf(one);
            if (one.IsRead)
            {
                long position = one.SnapshotEtag == HistoryEvent.Untold
                    ? PlaceOf(one, floor, ceiling)
                    : one.SnapshotEtag;
                if (one.SnapshotEtag != HistoryEvent.Untold)
                {
                    CheckRead(one, floor, ceiling);
                }

                ended.Enqueue(position, one.Ended);
            }
            else if (one.IsCommit)
            {
                if (one.FirstEtag <= floor)
                {
                    _violations.Add($"real time: commit {one.FirstEtag} began after {floor} had ended");
                }

                ended.Enqueue(one.LastEtag, one.Ended);
            }
            else
            {
                CheckWithoutChange(one, floor, ceiling);
            }
        }
    }

    /// <summary>
    /// The first place between two commits at which a read sees the right state: later events are behind that.
    /// </summary>
    private long PlaceOf(HistoryEvent read, long floor, long ceiling)
    {
        if (IsSeenAt(read, floor))
        {
            return floor;
        }

        foreach (HistoryEvent commit in _commits)
        {
            if (commit.LastEtag > floor && commit.LastEtag <= ceiling && IsSeenAt(read, commit.LastEtag))
            {
                return commit.LastEtag;
            }
        }

        _violations.Add($"fractured, stale or early read: {string.Join(", ", read.Seen)} "
            + $"(document, version) were nowhere in {floor}..{ceiling} there together");
        return floor;
    }

    private bool IsSeenAt(HistoryEvent read, long position) =>
        read.Seen.All(each => VersionAt(each.Key, position) == each.Value);

    private void CheckRead(HistoryEvent read, long floor, long ceiling)
    {
        if (read.SnapshotEtag < floor || read.SnapshotEtag > ceiling)
        {
            _violations.Add($"stale or early read: snapshot {read.SnapshotEtag} outside of {floor}..{ceiling}");
        }

        foreach ((int document, long etag) in read.Seen)
        {
            if (VersionAt(document, read.SnapshotEtag) != etag)
            {
                _violations.Add($"fractured read: document {document} was {etag} in snapshot "
                    + $"{read.SnapshotEtag}, but is {VersionAt(document, read.SnapshotEtag)} there");
            }
        }
    }

    /// <summary>
    /// A refused batch, or one that changed nothing: right at some moment between its begin and its end.
    /// </summary>
    private void CheckWithoutChange(HistoryEvent one, long floor, long ceiling)
    {
        for (long position = floor; position <= ceiling; position++)
        {
            int refused = Evaluate(one, position, out long because, out bool changes);
            if (refused == one.RefusedWrite
                && (refused < 0 ? !changes : because == one.RefusedBecauseOf || one.Writes[refused].IsWithinBatch))
            {
                return;
            }
        }

        _violations.Add($"a batch was refused at {one.RefusedWrite} because of {one.RefusedBecauseOf}, "
            + $"but nowhere in {floor}..{ceiling} was there a reason");
    }

    /// <summary>What would become of a batch behind a change.</summary>
    private int Evaluate(HistoryEvent batch, long position, out long because, out bool changes)
    {
        Dictionary<int, bool> own = [];
        because = 0;
        changes = false;
        for (int i = 0; i < batch.Writes.Length; i++)
        {
            HistoryWrite write = batch.Writes[i];
            bool isOwn = own.TryGetValue(write.Document, out bool isThere);
            long version = isOwn ? 0 : VersionAt(write.Document, position);
            isThere |= version > 0;
            bool isMet = write.Expected switch
            {
                -1 => true,
                0 => !isThere,
                _ => isThere && version == write.Expected,
            };
            if (!isMet)
            {
                because = version;
                return i;
            }

            changes |= write.IsPut || isThere;
            own[write.Document] = write.IsPut;
        }

        return -1;
    }

    private long VersionAt(int document, long position)
    {
        if (!_versions.TryGetValue(document, out List<(long Etag, bool IsThere)>? versions))
        {
            return 0;
        }

        int low = 0;
        int high = versions.Count;
        while (low < high)
        {
            int middle = (low + high) / 2;
            if (versions[middle].Etag <= position)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }

        return low > 0 && versions[low - 1].IsThere ? versions[low - 1].Etag : 0;
    }

    /// <summary>The last change that had begun when the event ended: nothing later can be seen.</summary>
    private long CeilingOf(HistoryEvent one)
    {
        long ceiling = 0;
        foreach (HistoryEvent commit in _commits)
        {
            if (commit.Began < one.Ended)
            {
                ceiling = Math.Max(ceiling, commit.LastEtag);
            }
        }

        return ceiling;
    }
}
