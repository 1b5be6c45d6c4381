using Raven.Storage.Streams;
using Raven.Storage.Transactions;

namespace Raven.Search.Lucene.Engine.Files;

//   FILES-1  Each file of Lucene is a stream of the index's environment. A file never changes once it is closed, so its
//            bytes are the same in each snapshot that has it.
//   FILES-2  A thread that calls Lucene is within a transaction (Enter): inputs hold none. So readers of Lucene, which
//            live as long as the segments that they share, keep no snapshot alive.

/// <summary>
/// The files of Lucene in one transaction. Whoever calls Lucene enters it before; what Lucene opens, reads and writes
/// on that thread is then read and written there (FILES-2).
/// </summary>
internal sealed class StorageFiles
{
    [ThreadStatic]
    private static StorageFiles? _current;

    private Transaction? _transaction;
    private StreamStore? _streams;

    /// <summary>The name of the streams in the environment.</summary>
    internal static ReadOnlySpan<byte> Name => "lucene files"u8;

    /// <summary>Those that this thread has entered.</summary>
    internal static StorageFiles? Current => _current;

    /// <summary>Whether files can be written in the transaction.</summary>
    internal bool CanWrite => _transaction is WriteTransaction;

    /// <summary>Called now and then while files are read: a long merge ends by its exception.</summary>
    internal Action? Step { get; set; }

    /// <summary>The streams; null if the transaction only reads, and there are none yet.</summary>
    internal StreamStore? Streams => _streams ??= _transaction switch
    {
        WriteTransaction writer => writer.OpenOrCreateStreams(Name),
        { } reader => reader.TryOpenStreams(Name),
        null => throw new InvalidOperationException("Files of Lucene are read outside of a transaction."),
    };

    /// <summary>Uses another transaction; null if it has ended.</summary>
    internal void Use(Transaction? transaction)
    {
        _transaction = transaction;
        _streams = null;
    }

    /// <summary>Enters them on this thread, until the scope is disposed of.</summary>
    internal Scope Enter()
    {
        var scope = new Scope(_current);
        _current = this;
        return scope;
    }

    /// <summary>Restores what the thread had entered before.</summary>
    internal readonly ref struct Scope
    {
        private readonly StorageFiles? _before;

        internal Scope(StorageFiles? before) => _before = before;

        /// <summary>Leaves the files.</summary>
        public void Dispose() => _current = _before;
    }
}
