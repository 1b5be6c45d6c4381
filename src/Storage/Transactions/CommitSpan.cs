using System.Diagnostics;
using Raven.Storage.Options;

namespace Raven.Storage.Transactions;

/// <summary>A span from the journal write until readers see the commit, below what the thread does just then. There is
/// one at a time: the journal lock is held.</summary>
internal sealed class CommitSpan
{
    private Activity? _span;

    internal void Begin(StorageOptions options, in PreparedCommit commit)
    {
        _span = options.Activities?.StartActivity("commit");
        if (_span is { IsAllDataRequested: true } span)
        {
            span.SetTag("raven.storage", options.FileSystem.Description);
            span.SetTag("raven.transaction", commit.Point.TransactionId);
            span.SetTag("raven.journal.bytes", commit.Record.Bytes.Length);
        }
    }

    /// <summary>This thread goes on with something else: another one will end it.</summary>
    internal void Leave()
    {
        if (_span is { } span)
        {
            Activity.Current = span.Parent;
        }
    }

    internal void End(Exception? failure)
    {
        if (_span is { } span)
        {
            _span = null;
            if (failure is not null)
            {
                span.SetStatus(ActivityStatusCode.Error, failure.GetType().Name);
            }

            span.Dispose();
        }
    }
}
