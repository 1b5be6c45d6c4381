using System.Diagnostics;

namespace Raven.Documents.Indexing;

/// <summary>The span of a batch, if spans are made. One thread, the one that runs the batch.</summary>
/// <param name="activities">Makes the span.</param>
/// <param name="database">The name of the database.</param>
/// <param name="index">The name of the index.</param>
internal sealed class BatchSpan(ActivitySource activities, string database, string index) : IDisposable
{
    private Activity? _span;
    private bool _isCommitted;

    /// <summary>A span that has not begun; null if none are made.</summary>
    internal static BatchSpan? Of(ActivitySource? activities, string database, string index) =>
        activities is null ? null : new BatchSpan(activities, database, index);

    /// <summary>There are changes: the batch begins.</summary>
    internal void Begin()
    {
        // A thread of the indexes may have been started by a request, whose span is none of its business.
        Activity.Current = null;
        _span = activities.StartActivity("index batch");
        if (_span is { IsAllDataRequested: true })
        {
            _span.SetTag("db.namespace", database);
            _span.SetTag("raven.index", index);
        }
    }

    /// <summary>The batch is committed.</summary>
    internal void Committed(BatchCounts counts)
    {
        _isCommitted = true;
        if (_span is { IsAllDataRequested: true })
        {
            _span.SetTag("raven.documents", counts.Documents);
            _span.SetTag("raven.entries", counts.Entries);
        }
    }

    /// <summary>Ends the span.</summary>
    public void Dispose()
    {
        if (_span is not null && !_isCommitted)
        {
            _span.SetStatus(ActivityStatusCode.Error, "The batch was dropped.");
        }

        _span?.Dispose();
    }
}
