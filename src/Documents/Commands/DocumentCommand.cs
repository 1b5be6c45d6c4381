using Raven.Documents.Settings;
using Raven.Storage.GroupCommit;
using Raven.Storage.Transactions;

namespace Raven.Documents.Commands;

//   CMD-1  A command checks all that can fail before it changes a page: if it fails, the transaction is as it was.
//   CMD-2  It may be executed more than once (if another command of the same transaction throws), each time from the
//          start; only the last time counts.
//   CMD-3  It is notified of its commit once, in commit order, after the change is durable and visible to
//          new snapshots.

/// <summary>
/// A change that a database makes in one transaction. It is set up, submitted and awaited, and then has the result;
/// after that it can be used again. Not thread-safe. The memory of its texts must stay valid until the await is over.
/// </summary>
public abstract class DocumentCommand : IWriteCommand
{
    private DocumentWriter? _writer;
    private long _etagAtBegin;
    private long _etagAtEnd;

    /// <summary>Why it was not done; none if it was.</summary>
    public CommandFailure Failure { get; protected set; }

    /// <summary>The last etag that it, or a command before it, was given.</summary>
    public long LastEtag => _etagAtEnd;

    /// <inheritdoc/>
    long IWriteCommand.SizeInBytes => SizeBytes;

    /// <summary>True if it gives its database something to do at a later time.</summary>
    internal virtual bool MakesDue => false;

    /// <summary>True for the next bytes of an upload, which may be slowed down.</summary>
    internal virtual bool IsPieceOfUpload => false;

    /// <summary>About how many bytes it brings into storage.</summary>
    private protected virtual long SizeBytes => 0;

    /// <inheritdoc/>
    void IWriteCommand.Execute(WriteTransaction transaction)
    {
        DocumentWriter writer = Writer;
        writer.Begin(transaction);
        Failure = default;
        _etagAtBegin = writer.LastEtag;
        Execute(writer);
        if (writer.Unique.IsOn)
        {
            EndUnique(writer);
        }

        _etagAtEnd = writer.LastEtag;
        writer.End();
    }

    /// <inheritdoc/>
    void IWriteCommand.Committed(long transactionId)
    {
        if (_etagAtEnd == _etagAtBegin)
        {
            return;
        }

        DocumentWriter writer = Writer;
        writer.Changes.AwaitTurn(_etagAtBegin);
        try
        {
            if (writer.Changes.HasListeners)
            {
                Committed(writer);
            }
        }
        finally
        {
            // A failing listener must not fail the commit: every later commit waits for this turn to end.
            writer.Changes.EndTurn(_etagAtEnd);
            writer.Changes.Committed?.Invoke();
        }
    }

    /// <summary>The database that will execute it.</summary>
    internal void BindTo(DocumentWriter writer) => _writer = writer;

    /// <summary>Checks, on the thread of its writer and before it is queued, what needs no transaction.</summary>
    /// <returns>False if it cannot be done: then <see cref="Failure"/> says why.</returns>
    internal virtual bool TryPrepare(DatabaseSettings settings) => true;

    /// <summary>The command was refused in the middle, and its transaction dropped.</summary>
    internal virtual void Refuse(in CommandFailure failure) => Failure = failure;

    /// <summary>Does the change, or sets <see cref="Failure"/>.</summary>
    private protected abstract void Execute(DocumentWriter writer);

    /// <summary>Reports what was done to the listeners.</summary>
    private protected virtual void Committed(DocumentWriter writer)
    {
    }

    /// <summary>Refuses the command if two documents share a value by it that must be unique (UNIQ-3).</summary>
    /// <exception cref="CommandRefusedException">They do.</exception>
    private static void EndUnique(DocumentWriter writer)
    {
        if (writer.Unique.FindConflict() is { } conflict)
        {
            throw new CommandRefusedException(CommandFailure.NotUnique(conflict));
        }

        writer.Unique.End();
    }

    private DocumentWriter Writer =>
        _writer ?? throw new InvalidOperationException("The command was not submitted to a database.");
}
